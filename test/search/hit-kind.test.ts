import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hitKindOf } from '../../src/application/search/hit-kind.js';
import { readPage } from '../../src/formats/html/index.js';
import { contentOf } from '../support/content-of.js';
import { ROOT } from '../support/root.js';

/** Kinds of the page as a whole, and of its sections with an anchor, by their headings. */
function kindsIn(path: string, html: string): Record<string, string> {
  const page = readPage(Buffer.from(html), { path });
  const found = { path, title: page.title, kind: page.kind, content: contentOf(page.sections) };
  const sections = page.sections.filter(({ level, anchor }) => level > 1 && anchor !== undefined);
  return {
    page: hitKindOf(found, undefined),
    ...Object.fromEntries(sections.map((section) => [section.heading, hitKindOf(found, section)])),
  };
}

const main = (html: string) => `<title>t</title><main>${html}</main>`;
const built = (name: string) => readFileSync(join(ROOT, 'test/search/pages', name), 'utf8');

describe('The kind of a result', () => {
  it('is that of the name that a term or heading of Sphinx explains', () => {
    assert.deepEqual(
      kindsIn(
        'api.html',
        main(
          '<h1>API</h1><h2 id="application-object">Application object</h2><dl>' +
            '<dt id="flask.Flask"><em>class</em> flask.Flask(import_name, root_path=None)</dt><dd>x</dd>' +
            '<dt id="flask.Flask.route">route(rule: str, **options)</dt><dd>x</dd>' +
            '<dt id="flask.Flask.debug">property debug: bool</dt><dd>x</dd>' +
            '<dt id="flask.g">flask.g</dt><dd>x</dd>' +
            '<dt id="cmdoption-jobs">-j, --jobs=&lt;n&gt;</dt><dd>x</dd>' +
            '<dt id="term-blueprint">Blueprint</dt><dd>x</dd></dl>',
        ),
      ),
      {
        page: 'page',
        'Application object': 'section',
        'class flask.Flask(import_name, root_path=None)': 'type',
        'route(rule: str, **options)': 'function',
        'property debug: bool': 'value',
        'flask.g': 'value',
        '-j, --jobs=<n>': 'option',
        Blueprint: 'section',
      },
    );
    const module = main('<h1 id="module-json">json — JSON encoder and decoder</h1>x');
    assert.deepEqual(kindsIn('library/json.html', module), { page: 'module' });
  });

  it('is told by the files and anchors of rustdoc', () => {
    const { page, ...sections } = kindsIn(
      'std/vec/struct.Vec.html',
      main(
        '<h1>Vec in std::vec</h1><section id="method.push"><h4>pub fn push(&amp;mut self, value: T)</h4></section>' +
          '<span id="structfield.len"><h4>len: usize</h4></span><h2 id="guarantees">Guarantees</h2>',
      ),
    );
    assert.equal(page, 'type');
    assert.deepEqual(Object.values(sections), ['function', 'value', 'section']);
    assert.equal(kindsIn('std/mem/fn.swap.html', main('<h1>swap in std::mem</h1>')).page, 'function');
    assert.equal(kindsIn('std/macro.vec.html', main('<h1>vec in std</h1>')).page, 'function');
  });

  it('is told by the headings of Javadoc, TypeDoc and Doxygen', () => {
    const list = main(
      '<h1>Class ArrayList&lt;E&gt;</h1><section class="detail" id="add(int,E)"><h3>add</h3></section>',
    );
    assert.deepEqual(kindsIn('java/util/ArrayList.html', list), { page: 'type', add: 'function' });
    assert.equal(kindsIn('tea/Kettle.html', built('javadoc.html')).page, 'type');
    assert.equal(kindsIn('classes/Kettle.html', built('typedoc.html')).page, 'type');
    assert.equal(kindsIn('classKettle.html', built('doxygen.html')).page, 'type');
  });

  it('is told by the manuals of PostgreSQL, Apache and GnuTLS', () => {
    const html =
      '<h1>Manual</h1><dl><dt id="GUC-WORK-MEM">work_mem (integer)</dt><dd>x</dd></dl><h2 id="sslengine">SSLEngine Directive</h2>' +
      '<dl><dt id="index-gnutls_005finit-1">Function: int gnutls_init (gnutls_session_t * session)</dt><dd>x</dd></dl>';
    const { page, ...sections } = kindsIn('manual.html', main(html));
    assert.equal(page, 'page');
    assert.deepEqual(Object.values(sections), ['value', 'option', 'function']);
  });

  it('is no name where a heading only has such a word, or is a word', () => {
    const html = main(
      '<h1>Class diagrams</h1><h2 id="a">Installation</h2><h2 id="b">Class diagrams in UML</h2><h2 id="module-system">Module system</h2>',
    );
    assert.deepEqual([...new Set(Object.values(kindsIn('class-diagrams.html', html)))], ['page', 'section']);
  });

  it('is that of the page where it is a list, or release notes', () => {
    const changes = kindsIn('changes.html', main('<h1>Changelog</h1><h2 id="v1">Version 1.0.0</h2>'));
    assert.deepEqual([...new Set(Object.values(changes))], ['release notes']);
    assert.equal(kindsIn('function-index.html', main('<h1>Index</h1>')).page, 'list');
  });
});
