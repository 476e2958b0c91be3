import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingAssetsOf, pageLinksOf } from '../../src/formats/html/page-links.js';
import { WorkTime } from '../../src/formats/work-time.js';
import { assertEnds } from '../support/assert-ends.js';
import { unpacking } from './unpacking.js';

const FILES = new Set(['app.js', 'assets/main.css', 'a b.css', 'guide/own.css', 'é.css']);
const missingAssets = (html: string, path: string) =>
  missingAssetsOf([{ path, ...pageLinksOf(html, new WorkTime(Number.POSITIVE_INFINITY)) }], (file) =>
    FILES.has(file),
  );
const missingOf = (html: string, path = 'guide/page.html') => {
  const { missingStyles, missingScripts } = missingAssets(html, path);
  return (missingStyles ?? missingScripts)?.first;
};
const script = (src: string) => `<script src="${src}"></script>`;

describe('The style sheets and scripts that a site lacks', () => {
  it("are found by relative links, resolved from their page's directory", () => {
    assert.deepEqual(missingOf(script('app.js')), ['guide/app.js']);
    assert.deepEqual(missingOf(script('../lib/a%20b.js?v=1&amp;w#x')), ['lib/a b.js']);
    assert.deepEqual(missingOf("<LINK REL='StyleSheet' HREF=./x/../é.css>"), ['guide/é.css']);
    assert.deepEqual(missingOf('<link rel="alternate stylesheet" href="dark.css">', 'index.html'), [
      'dark.css',
    ]);
    assert.deepEqual(missingOf(script('x.js'), 'a 100%/#1/page.html'), ['a 100%/#1/x.js']);
  });

  it('are distinguished from each other', () => {
    assert.deepEqual(missingAssets(`${script('x.js')}<link rel=stylesheet href=x>`, 'index.html'), {
      missingStyles: { first: ['x'], count: 1 },
      missingScripts: { first: ['x.js'], count: 1 },
    });
  });

  it('exclude scripts that rustdoc writes only for implemented traits', () => {
    for (const path of [
      '../trait.impl/widgets/trait.Sealed.js',
      '../../implementors/widgets/trait.Sealed.js',
      '../type.impl/widgets/type.Alias.js',
    ]) {
      assert.equal(missingOf(script(path), 'widgets/sub/trait.Sealed.html'), undefined, path);
    }
    assert.deepEqual(missingOf(script('../trait.impl/x.css') + script('../implementors.js')), [
      'trait.impl/x.css',
      'implementors.js',
    ]);
  });

  it('are named once, whatever the number of links', () => {
    assert.deepEqual(missingOf(script('x.js') + script('./x.js?2') + script('../guide/x.js')), [
      'guide/x.js',
    ]);
  });

  it('exclude existing files', () => {
    for (const link of [
      '../app.js',
      '../assets/main.css?v=1#x',
      '../a%20b.css',
      '../a b.css',
      'own.css',
      '../%C3%A9.css',
    ]) {
      assert.equal(missingOf(script(link)), undefined, link);
      assert.equal(missingOf(`<link rel=stylesheet href="${link}">`), undefined, link);
    }
  });

  it('exclude targets of links that lead elsewhere, or nowhere', () => {
    for (const link of [
      'https://cdn.example/x.js',
      '//cdn.example/x.js',
      '\\\\cdn.example/x.js',
      'file:///usr/share/x.js',
      'data:text/javascript,1',
      '/x.js',
      '/-/switcher.js',
      '../../other-latest/x.js',
      '../../../../x.js',
      '',
      ' ',
      '?v=1',
      '#x',
      './',
      'http://[',
      'ht\ntp://[',
      '%zz.js',
      "{{ pathto('x.js') }}",
      '<%= x %>.js',
    ]) {
      assert.equal(missingOf(script(link)), undefined, link);
    }
  });

  it('exclude everything that the markup does not load: other links, comments, scripts, text', () => {
    for (const html of [
      '<a href="x.css">',
      '<img src="x.png">',
      '<link rel="preload" as="style" href="x.css"><link rel="icon" href="x.ico"><link href="x.css">',
      `<!--[if lt IE 9]>${script('html5shiv.js')}<![endif]-->`,
      `<script>document.write('<link rel=stylesheet href=x.css>')</script>`,
      '<pre>&lt;script src="x.js">&lt;/script></pre>',
      `<textarea>${script('x.js')}</textarea>`,
      `<title>${script('x.js')}</title>`,
    ]) {
      assert.equal(missingOf(html), undefined, html);
    }
  });

  it('exclude links of a page with a base', () => {
    assert.equal(missingOf(`<base href="../">${script('x.js')}`), undefined);
    assert.deepEqual(missingOf(`<base target="_top">${script('x.js')}`), ['guide/x.js']);
  });

  it('are found in linear time, in pages made to take longer', () => {
    assertEnds(() => {
      for (const part of [
        '<script src=x>',
        '<script src=x></script>',
        '<link rel=stylesheet href=x>',
        '<link rel="a ',
        '<link rel=stylesheet href="../',
        '<script src="',
        '<base ',
        '<!--',
        '<i>',
        '../',
      ]) {
        missingOf(part.repeat(256_000 / part.length));
        missingOf(script(part.repeat(256_000 / part.length)));
      }
    });
  });
});

describe('An archive that lacks style sheets and scripts', () => {
  const archive = unpacking();
  const missingScriptsIn = (files: Readonly<Record<string, string>>) =>
    archive.found(files, ({ missingScripts }) => missingScripts);

  it('is detected by the worker, by unpacking or indexing, also below a single directory', async () => {
    for (const top of ['', 'dist/']) {
      const files = { [`${top}index.html`]: script('a.js') + script('b.js'), [`${top}b.js`]: '' };
      const expected = { first: ['a.js'], count: 1 };
      assert.deepEqual(await missingScriptsIn(files), expected);
      assert.equal(await missingScriptsIn({ ...files, [`${top}a.js`]: '' }), undefined);
    }
  });

  it('is reported with the first three files, and the number of all', async () => {
    const html = Array.from({ length: 12 }, (_, number) => script(`${number}.js`)).join('');
    const expected = { first: ['0.js', '1.js', '2.js'], count: 12 };
    assert.deepEqual(
      await missingScriptsIn({ 'index.html': html, 'p/index.html': html.replaceAll('src="', 'src="../') }),
      expected,
    );
  });

  it('is not detected by its 404.html, whose links resolve from any missing page', async () => {
    assert.equal(await missingScriptsIn({ 'index.html': 'x', '404.html': script('x.js') }), undefined);
  });
});
