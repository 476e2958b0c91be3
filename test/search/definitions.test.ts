import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definitionsOf, nameTyped } from '../../src/application/search/definitions.js';
import { readPage } from '../../src/formats/html/index.js';

/** Indexes of the sections that a query leads to, by their anchors. */
function defined(path: string, html: string, query: string): (string | undefined)[] {
  const page = readPage(Buffer.from(`<title>t</title><main>${html}</main>`), { path });
  const { key } = nameTyped(query);
  return definitionsOf(path, page)
    .filter((each) => each.key.startsWith(key))
    .map(({ section }) => page.sections[section]?.anchor);
}

describe('The definitions of a page', () => {
  it('match all of a Sphinx name, and its last parts, each whole', () => {
    const html =
      '<h1>API</h1><dl><dt class="sig" id="flask.Flask.route">route(rule: str, **options)</dt><dd>x</dd>' +
      '<dt class="sig" id="jinja2.TemplateNotFound"><em>exception</em> jinja2.TemplateNotFound(name, message=None)</dt></dl>';
    for (const query of ['flask.Flask.route', 'Flask.route', 'route', 'route()', 'method Flask.route(rule)'])
      assert.deepEqual(defined('api.html', html, query), ['flask.Flask.route'], query);
    assert.deepEqual(defined('api.html', html, 'flask.route'), ['flask.Flask.route']);
    assert.deepEqual(defined('api.html', html, 'ask.route'), []);
    assert.deepEqual(defined('api.html', html, 'exception TemplateNotFound'), ['jinja2.TemplateNotFound']);
  });

  it('belong to the class in a Javadoc path', () => {
    const html =
      '<h1>Class ArrayList&lt;E&gt;</h1><section class="detail" id="add(int,E)"><h3>add</h3></section>' +
      '<section id="method-summary"><h2>Method Summary</h2></section>';
    const path = 'api/java.base/java/util/ArrayList.html';
    for (const query of [
      'java.util.ArrayList.add',
      'ArrayList#add',
      'ArrayList add',
      'add',
      'ArrayList.add(int, E)',
    ])
      assert.deepEqual(defined(path, html, query), ['add(int,E)'], query);
    assert.deepEqual(defined(path, html, 'java.util.ArrayList'), [undefined]);
    assert.deepEqual(defined(path, html, 'summary'), []);
  });

  it('exclude the kind from a rustdoc name', () => {
    const html =
      '<h1>Struct std::vec::Vec</h1><section id="method.push"><h4>pub fn push(&amp;mut self, value: T)</h4></section>';
    const path = 'std/vec/struct.Vec.html';
    for (const query of ['std::vec::Vec::push', 'Vec::push', 'push', 'fn push'])
      assert.deepEqual(defined(path, html, query), ['method.push'], query);
    assert.equal(defined(path, html, 'struct Vec').length, 1);
  });

  it("use Doxygen headings as names, and belong to the class in the file's name", () => {
    const html =
      '<a id="afacca1f88da57e5cd87dd07c8ff926bb"></a><h2><span class="permalink">◆ </span>adjoint() [1/2]</h2><div>x</div>';
    for (const query of ['Eigen::MatrixBase::adjoint', 'MatrixBase.adjoint()', 'adjoint'])
      assert.deepEqual(
        defined('classEigen_1_1MatrixBase.html', html, query),
        ['afacca1f88da57e5cd87dd07c8ff926bb'],
        query,
      );
  });

  it('include signatures in C, settings, options and pragmas by their names', () => {
    const find = (heading: string, query: string) =>
      defined('x.html', `<h1>All</h1><h3 id="it">${heading}</h3><p>x</p>`, query);
    assert.deepEqual(find('QString &amp;QString::append(const QString &amp;str)', 'QString::append'), ['it']);
    assert.deepEqual(find('fs.readFile(path[, options], callback)', 'fs.readFile'), ['it']);
    assert.deepEqual(find('gtk_widget_show ()', 'gtk_widget_show'), ['it']);
    assert.deepEqual(find('PRAGMA journal_mode', 'PRAGMA journal_mode'), ['it']);
    assert.deepEqual(find('PRAGMA journal_mode', 'journal_mode'), ['it']);
    assert.deepEqual(find('max_connections (integer)', 'max_connections'), ['it']);
    assert.deepEqual(find('--single-transaction', '--single-transaction'), ['it']);
    assert.deepEqual(find('@fruit.pear(*, ripe=True)', '@pear'), ['it']);
    assert.deepEqual(find('5.6.31. Rules-Requires-Root', 'Rules-Requires-Root: no'), ['it']);
    assert.deepEqual(find('5.6.31. Rules', 'Rules'), []);
    assert.deepEqual(find('operator&lt;&lt;(ostream &amp;out)', 'operator<<'), ['it']);
  });

  it('include all options of a term, or the last word of its anchor, without labels, kinds and arguments', () => {
    const find = (term: string, anchor: string, query: string) =>
      defined('x.html', `<h1>All</h1><dl><dt id="${anchor}">${term}</dt><dd>x</dd></dl>`, query).length > 0;
    const terms: readonly (readonly [term: string, anchor: string, queries: string, others?: string])[] = [
      ['-j, --jobs=&lt;n[.m]&gt;', 'OPT_jobs', '-j --jobs', 'jobs n'],
      ['--log=&lt;yes|no&gt; [default: no]', 'clopt.log', '--log'],
      ['Function: int <b>kettle_boil</b> (int l)', 'IDX8', 'kettle_boil', 'Function int l'],
      ['Function: boil-slowly [sb-tea] litres', 'index-boil_002dslowly', 'boil-slowly', 'Function litres'],
      ['Option variable: warm', 'index-warm-1', 'warm', 'Option'],
      [': double <b>tolerance</b> (void)', 'index-tolerance', 'tolerance', 'double'],
      ['Option: Kettle::Close-Lid', 'configCloseLid', 'Kettle::Close-Lid Close-Lid', 'Option'],
      ['[det]boil(+L)', 'boil/1', 'boil', 'det'],
      ['boilAll :: Int -&gt; Tea', 'v:boilAll', 'boilAll', 'Tea Int'],
      ['KeySym KettleToKeysym(int l)', 'KettleToKeysym', 'KettleToKeysym', 'KeySym'],
      ['&lt;pour-tea&gt; (default: p)', 'pour-tea', 'pour-tea'],
      ["$cfg['lid_open']", 'cfg_lid_open', 'lid_open'],
      ['Hot kettle', 'term-hot-kettle', '', 'kettle hot'],
      ['12', 'id12', '', '12'],
    ];
    for (const [term, anchor, queries, others = ''] of terms) {
      for (const query of queries.split(' ').filter(Boolean))
        assert.ok(find(term, anchor, query), `${term}: ${query}`);
      for (const query of others.split(' ').filter(Boolean))
        assert.ok(!find(term, anchor, query), `${term}: no ${query}`);
    }
  });

  it('include the options in brackets at the end of a heading', () => {
    const html = '<h1>All</h1><h3 id="it">2.1 Async Option (--async)</h3>';
    assert.deepEqual(defined('x.html', html, '--async'), ['it']);
    assert.deepEqual(defined('x.html', html, 'option'), []);
  });

  it('exclude headings of words, lists or release notes', () => {
    const heading = '<h2 id="examples">Examples</h2><h2 id="how-to-install">How to install</h2>';
    assert.deepEqual(defined('guide.html', heading, 'examples'), []);
    assert.deepEqual(defined('guide.html', heading, 'install'), []);
    const term = '<dl><dt id="a.b">a.b</dt></dl>';
    assert.deepEqual(defined('genindex.html', term, 'a.b'), []);
    assert.deepEqual(defined('changelog.html', term, 'a.b'), []);
  });
});
