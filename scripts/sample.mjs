// The documentation of a made-up library, in two versions and a preview, for a first look at a server. Between the versions a
// page is changed, one is new, one is renamed, and one is removed.

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 44rem; padding: 1rem 1.25rem 4rem; font: 1rem/1.6 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 0; border-bottom: 1px solid #8886; }
a { color: light-dark(#1f4f9e, #9cc1ff); }
h1 { line-height: 1.2; }
code, pre { font: .9rem/1.5 ui-monospace, monospace; background: #8882; border-radius: .25rem; }
code { padding: .1rem .25rem; overflow-wrap: anywhere; }
pre { padding: .75rem 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; }
dt { font-weight: 600; margin-top: 1rem; }
`;

const DOCINFO = `name: Kettle
description: A sample project. Boils water from Python, on time and at the right temperature.
group: Samples
tags: [python, sdk]
owner: Team Blue
`;

const FRONT = `<p>Kettle boils water from Python, on time and at the right temperature.</p>
<p>This is a sample: search it, go to another version, compare the two, and delete it when you have sites of your own.</p>`;

const INSTALL = `<p>Kettle needs Python 3.9 or later.</p>
<pre><code>pip install kettle</code></pre>
<h2 id="permissions">Permissions</h2>
<p>On Linux, the user has to be in the group <code>dialout</code>; otherwise <code>Kettle()</code> raises <code>PermissionError</code>.</p>`;

const TIMES = (word) => `<p>A ${word} starts the kettle later, every day or once.</p>
<pre><code>kettle.at("07:15", days="mon-fri")</code></pre>
<p>Times are local. When the clock is set forward and a time is skipped, the water boils at the next full hour.</p>`;

const SERIAL = `<p>Old kettles are connected by a serial cable. Name the port: <code>Kettle(port="/dev/ttyUSB0")</code>.</p>`;

const DESCALE = `<p>After about 200 boils, limescale slows the kettle down. Fill it with one part of vinegar and two of water, then:</p>
<pre><code>kettle.descale(minutes=30)</code></pre>
<p>Rinse it twice. The counter <code>kettle.boils</code> starts again at 0.</p>`;

/** @param {number} degrees that it boils to by default */
const boil = (degrees, more = '') => `<p>Fill in half a litre or more, then:</p>
<pre><code>from kettle import Kettle

kettle = Kettle()
kettle.boil(degrees=${degrees})</code></pre>
<h2 id="options">Options</h2>
<dl>
<dt id="degrees"><code>degrees</code></dt>
<dd>The temperature to reach, from 40 to 100. The default is ${degrees}.</dd>
<dt id="timeout"><code>timeout</code></dt>
<dd>Seconds to wait before <code>KettleTimeout</code> is raised. The default is 300.</dd>
${more}</dl>`;

const KEEP_WARM = `<dt id="keep-warm"><code>keep_warm</code></dt>
<dd>Minutes for which the water stays at its temperature. The default is 0.</dd>
`;

const reference = (isNew) => `<dl class="py class">
<dt class="sig" id="kettle.Kettle"><code>class kettle.Kettle(${isNew ? 'name=None' : 'port'})</code></dt>
<dd><p>A kettle. ${isNew ? 'Without a name, the first one in the network that answers.' : 'The port is that of its cable.'}</p>
<dl class="py method">
<dt class="sig" id="kettle.Kettle.boil"><code>boil(degrees=${isNew ? '96' : '100'}, timeout=300${isNew ? ', keep_warm=0' : ''})</code></dt>
<dd><p>Heats the water, and returns when it is hot. Raises <code>KettleTimeout</code>.</p></dd>
</dl></dd>
</dl>
<dl class="py exception">
<dt class="sig" id="kettle.KettleTimeout"><code>exception kettle.KettleTimeout</code></dt>
<dd><p>The water was not hot in time: there is too much of it, or none.</p></dd>
</dl>`;

/**
 * @param {string} version in titles
 * @param {Record<string, readonly [title: string, body: string]>} pages by path
 */
function siteOf(version, pages) {
  const links = Object.entries(pages).map(([path, [title]]) => `<a href="${path}">${title}</a>`);
  const pageOf = (title, body) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} — Kettle ${version}</title>
<link rel="stylesheet" href="style.css">
<nav>${links.join('\n')}</nav>
<main>
<h1>${title}</h1>
${body}
</main>
</html>
`;
  const html = Object.entries(pages).map(([path, [title, body]]) => [path, pageOf(title, body)]);
  return { ...Object.fromEntries(html), 'style.css': STYLE, 'docinfo.yaml': DOCINFO };
}

const newPages = {
  'index.html': ['Kettle', FRONT],
  'install.html': ['Install', INSTALL],
  'boil.html': ['Boil water', boil(96, KEEP_WARM)],
  'timers.html': ['Timers', TIMES('timer')],
  'descale.html': ['Descale', DESCALE],
  'api.html': ['Reference', reference(true)],
};
const redirects = { _redirects: '/schedule.html /timers.html 301\n' };

/** Files by path, by the name of the archive; oldest first. */
export const sampleSites = {
  'kettle-1.4.0': siteOf('1.4', {
    'index.html': ['Kettle', FRONT],
    'install.html': ['Install', INSTALL],
    'boil.html': ['Boil water', boil(100)],
    'schedule.html': ['Schedule', TIMES('schedule')],
    'serial.html': ['Serial cable', SERIAL],
    'api.html': ['Reference', reference(false)],
  }),
  'kettle-2.0.0': { ...siteOf('2.0', newPages), ...redirects },
  'kettle~pr-42': {
    ...siteOf('pr-42', { ...newPages, 'boil.html': ['Boil water', boil(95, KEEP_WARM)] }),
    ...redirects,
  },
};
