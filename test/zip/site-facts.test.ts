import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import { type ArchiveContent, DEFAULT_ARCHIVE_LIMITS } from '../../src/application/index.js';
import { ArchiveIndex } from '../../src/formats/index.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { zipOf } from '../support/zip-writer.js';

const LARGEST_DOCINFO = 8 * 1024;

describe('The facts collected while a site is unpacked', () => {
  const place = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  const archives = new ZipArchives(firstLineDocinfo);
  let count = 0;
  after(async () => {
    await archives.close();
    rmSync(place, { recursive: true });
  });

  /** The same, whether the archive is unpacked or indexed, with and without a single directory around the site. */
  async function contentOf(files: Readonly<Record<string, string | Buffer>>): Promise<ArchiveContent> {
    return (await contentAndCharsetsOf(files)).content;
  }

  /** The charsets are those of the index, by path. */
  async function contentAndCharsetsOf(files: Readonly<Record<string, string | Buffer>>) {
    const charsets: object[] = [];
    const found: ArchiveContent[] = [];
    for (const top of ['', 'site/']) {
      const archiveFile = join(place, `${++count}.zip`);
      writeFileSync(
        archiveFile,
        zipOf(Object.fromEntries(Object.entries(files).map(([path, text]) => [top + path, text]))),
      );
      const siteDirectory = join(place, `${count}`);
      const indexFile = join(place, `${count}.index`);
      const request = { archiveFile, siteDirectory, indexFile, limits: DEFAULT_ARCHIVE_LIMITS };
      found.push(await archives.unpack(request));
      const { index, ...indexed } = await archives.index(archiveFile, DEFAULT_ARCHIVE_LIMITS);
      found.push(indexed);
      for (const each of [index, ArchiveIndex.parse(readFileSync(indexFile, 'utf8'))]) {
        const files = each?.files ?? assert.fail();
        charsets.push(
          Object.fromEntries(files.flatMap((file) => (file.charset ? [[file.path, file.charset]] : []))),
        );
      }
    }
    const [first = assert.fail(), ...others] = found;
    for (const other of others) assert.deepEqual(other, first);
    for (const other of charsets) assert.deepEqual(other, charsets[0]);
    return { content: first, charsets: charsets[0] };
  }

  it('include a docinfo of up to 8 KiB, or the reason to ignore a larger one, under any of its names', async () => {
    const fits = await contentOf({ 'docinfo.yaml': `Fits\n${'é'.repeat((LARGEST_DOCINFO - 6) / 2)}\n` });
    assert.deepEqual([fits.facts.docinfo, fits.docinfoProblem], [{ name: 'Fits' }, undefined]);
    for (const file of ['docinfo.yaml', 'docinfo.yml', 'docinfo.json']) {
      const large = await contentOf({ [file]: 'Large\n'.padEnd(LARGEST_DOCINFO + 1), 'index.html': '' });
      assert.deepEqual(
        [large.facts.docinfo, large.docinfoProblem],
        [undefined, `${file} is larger than 8192 bytes`],
      );
    }
  });

  it('include the head of the front page, with an icon that is a file of the site', async () => {
    const page = (head: string) =>
      `<!doctype html><html><head>${head}</head><body><title>Not this</title></body></html>`;
    const icons = '<link rel="icon" href="https://cdn.example/a.png"><link rel=icon href=gone.png>';
    const head = `<title>Welcome &amp; Fl&auml;sk &#8212; Docs (2.2)</title><meta name=Description content="A\nframework."> ${icons}`;
    const own = '<link rel="shortcut icon" href="./img/a%20b.ico?v=2">';
    const found = await contentOf({
      'index.html': page(head + own),
      'img/a b.ico': 'x',
      'other.html': page('<title>No</title>'),
    });
    const expected = {
      title: 'Welcome & Fläsk — Docs (2.2)',
      description: 'A framework.',
      icon: 'img/a b.ico',
    };
    assert.deepEqual(found.facts.frontPage, expected);
    for (const files of [
      { 'index.html': page('') },
      { 'other.html': page(head) },
      { 'index.html': page(head) + 'x'.repeat(300_000) },
    ]) {
      assert.equal((await contentOf(files)).facts.frontPage, undefined);
    }
    for (const href of ['../a.png', '/img/a.png', '..%2fa.png', '%zz', 'data:,x', '//a/b']) {
      const { facts } = await contentOf({
        'index.html': page(`<link rel=icon href="${href}">`),
        'img/a.png': 'x',
      });
      assert.equal(facts.frontPage, undefined);
    }
  });

  it('include the PDF and EPUB files linked from the front page, each once, with link text and size', async () => {
    const files = {
      'manual.pdf': 'x'.repeat(1_000),
      'files/a b.EPUB': 'yy',
      'other.zip': 'z',
      '.hidden.pdf': 'h',
    };
    const links = [
      '<a href="manual.pdf">The <b>whole</b>\n manual</a> <a href="./manual.pdf#page=2">again</a>',
      '<a href="files/a%20b.EPUB?x"><img src="i.png"></a>',
      '<a href="other.zip">zip</a> <a href="gone.pdf">gone</a> <a href=".hidden.pdf">hidden</a>',
      '<a href="/manual.pdf">root</a> <a href="../manual.pdf">up</a> <a href="https://x.example/manual.pdf">out</a>',
    ].join('<p>');
    const { facts } = await contentOf({ ...files, 'index.html': links });
    assert.deepEqual(facts.downloads, [
      { file: 'manual.pdf', label: 'The whole manual', size: 1_000 },
      { file: 'files/a b.EPUB', label: 'a b.EPUB', size: 2 },
    ]);
    for (const page of [`<base href="/x/">${links}`, 'manual.pdf', '<a href="other.zip">z</a>']) {
      const none = await contentOf({ ...files, 'index.html': page });
      assert.equal('downloads' in none.facts, false, page);
    }
    const long = await contentOf({ 'a.pdf': '', 'index.html': `<a href="a.pdf">${'x'.repeat(101)}</a>` });
    assert.deepEqual(long.facts.downloads, [{ file: 'a.pdf', label: 'a.pdf', size: 0 }]);
  });

  it('include at most 20 downloads of a front page', async () => {
    const names = Array.from({ length: 21 }, (_, number) => `${number}.pdf`);
    const { facts } = await contentOf({
      ...Object.fromEntries(names.map((name) => [name, 'x'])),
      'index.html': names.map((name) => `<a href="${name}">${name}</a>`).join(''),
    });
    assert.deepEqual(
      facts.downloads?.map(({ file }) => file),
      names.slice(0, 20),
    );
  });

  it("include the docinfo's downloads in place of the front page's, and the missing ones among them", async () => {
    const downloads = [
      { file: 'tool.zip', label: 'Tool' },
      { file: 'gone.pdf' },
      { file: 'sub' },
      { file: 'tool.zip' },
    ];
    const files = {
      'index.html': '<a href="a.pdf">A</a>',
      'a.pdf': 'a',
      'tool.zip': 'tool',
      'sub/x.pdf': 'x',
    };
    const readers = new ZipArchives((text) => JSON.parse(text));
    const read = async (docinfo: object) => {
      const archiveFile = join(place, `${++count}.zip`);
      writeFileSync(archiveFile, zipOf({ ...files, 'docinfo.json': JSON.stringify(docinfo) }));
      const { index: _, ...content } = await readers.index(archiveFile, DEFAULT_ARCHIVE_LIMITS);
      return content;
    };
    try {
      const named = await read({ downloads });
      assert.deepEqual(named.facts.downloads, [{ file: 'tool.zip', label: 'Tool', size: 4 }]);
      assert.deepEqual(named.missingFiles, { file: 'docinfo.json', paths: ['gone.pdf', 'sub'] });
      const none = await read({ downloads: [] });
      assert.deepEqual([none.facts.downloads, none.missingFiles], [undefined, undefined]);
      const silent = await read({ docinfo: {} });
      assert.deepEqual(silent.facts.downloads, [{ file: 'a.pdf', label: 'A', size: 1 }]);
    } finally {
      await readers.close();
    }
  });

  it("include the docinfo's logo if the site has it, in any composition; otherwise it is missing", async () => {
    const readers = new ZipArchives((text) => ({ docinfo: JSON.parse(text) }));
    const read = async (logo: string) => {
      const archiveFile = join(place, `${++count}.zip`);
      const docinfo = JSON.stringify({ name: 'Tool', logo });
      writeFileSync(archiveFile, zipOf({ 'index.html': 'x', 'a/é.svg': 'x', 'docinfo.json': docinfo }));
      const { facts, missingFiles } = await readers.index(archiveFile, DEFAULT_ARCHIVE_LIMITS);
      return { docinfo: facts.docinfo, missingFiles };
    };
    try {
      for (const logo of ['a/é.svg', 'a/é.svg'.normalize('NFD')]) {
        assert.deepEqual(await read(logo), { docinfo: { name: 'Tool', logo }, missingFiles: undefined });
      }
      assert.deepEqual(await read('gone.svg'), {
        docinfo: { name: 'Tool' },
        missingFiles: { file: 'docinfo.json', paths: ['gone.svg'] },
      });
    } finally {
      await readers.close();
    }
  });

  it('include the first docinfo of the three names, and the reason to ignore a broken one', async () => {
    const files = { 'docinfo.json': 'json', 'docinfo.yml': 'yml', 'docinfo.yaml': 'yaml' };
    assert.deepEqual((await contentOf(files)).facts.docinfo, { name: 'yaml' });
    const broken = await contentOf({ ...files, 'docinfo.yaml': 'broken' });
    assert.deepEqual([broken.facts.docinfo, broken.docinfoProblem], [undefined, 'docinfo.yaml is broken']);
  });

  it('include no docinfo in a deeper directory, and no directory with the name', async () => {
    const { facts } = await contentOf({
      'index.html': '',
      'docinfo.yaml/index.html': 'a',
      'x/docinfo.yml': 'b',
    });
    assert.equal(facts.docinfo, undefined);
    const next = await contentOf({ 'docinfo.yaml/index.html': 'a', 'docinfo.json': 'c' });
    assert.deepEqual(next.facts.docinfo, { name: 'c' });
  });

  it('include the faults of _redirects, which may be too large', async () => {
    const right = await contentOf({ 'index.html': '', _redirects: '/a /b\n' });
    assert.equal(right.redirectProblems, undefined);
    const wrong = await contentOf({ 'index.html': '', _redirects: '\ufeff/a /b\n/only\n' });
    assert.match(wrong.redirectProblems ?? '', /^In _redirects, line 2 [^;]*$/);
    const large = await contentOf({ 'index.html': '', _redirects: '#'.repeat(512 * 1024 + 1) });
    assert.equal(
      large.redirectProblems,
      'In _redirects, it is larger than 524288 bytes, so its rules have no effect',
    );
  });

  const inLatin1 = (text: string) => Buffer.from(text, 'latin1');

  it('include the charset of each text file besides UTF-8, and the title of a front page in one', async () => {
    const { content, charsets } = await contentAndCharsetsOf({
      'index.html': inLatin1('<meta charset=windows-1251><title>\xd0\xf3</title>'),
      // More than one chunk, deflated and not: the declaration and the first letter stand far apart.
      'large.html': inLatin1(`<meta charset=koi8-r>${'x'.repeat(400_000)}\xf0`),
      'noise.txt': randomBytes(300_000),
      // A character at each end of a chunk.
      'utf8.html': `<meta charset=koi8-r>${'ü'.repeat(40_000)}x${'ü'.repeat(90_000)}`,
      'ascii.html': '<meta charset=gb2312>x',
      'a.css': inLatin1('@charset "iso-8859-2";/*\xe1*/'),
      'a.js': inLatin1('"\xe1"'),
      'a.png': inLatin1('\xe1'),
      '__MACOSX/x.html': inLatin1('<meta charset=euc-kr>\xe1'),
    });
    assert.deepEqual(charsets, {
      'index.html': 'windows-1251',
      'large.html': 'KOI8-R',
      'noise.txt': 'unknown',
      'ascii.html': 'GBK',
      'a.css': 'ISO-8859-2',
      'a.js': 'unknown',
    });
    assert.deepEqual(content.facts.charsets, ['GBK', 'ISO-8859-2', 'KOI8-R', 'unknown', 'windows-1251']);
    assert.equal(content.facts.frontPage?.title, 'Ру');
  });

  it('include no charset when only ASCII pages declare others than UTF-8', async () => {
    const { content, charsets } = await contentAndCharsetsOf({
      'index.html': '<meta charset=iso-8859-1>x',
      'other.html': '<meta charset=koi8-r>ü',
    });
    assert.deepEqual([charsets, content.facts.charsets, content.refusedCharsets], [{}, undefined, undefined]);
  });

  it('include unsupported declared charsets: the first three, and the number of all', async () => {
    const odd = '<meta charset=iso-2022-jp>x';
    const one = await contentOf({ 'index.html': 'x', 'a.html': odd });
    assert.deepEqual([one.facts.charsets, one.refusedCharsets?.count], [undefined, 1]);
    const five = await contentOf({
      'index.html': 'x',
      ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.html`, odd])),
    });
    assert.deepEqual(five.refusedCharsets, {
      first: ['a', 'b', 'c'].map((name) => ({ path: `${name}.html`, label: 'iso-2022-jp' })),
      count: 5,
    });
  });

  it('include pages too long to be read to their ends', async () => {
    const long = 'x'.repeat(10_000_001);
    const whole = await contentOf({ 'index.html': 'x', 'a.html': long.slice(1), 'a.txt': long });
    assert.equal(whole.longPages, undefined);
    const { longPages } = await contentOf({ 'index.html': 'x', 'a.html': long, 'b/c.xhtml': long });
    assert.deepEqual(longPages, { first: ['a.html', 'b/c.xhtml'], count: 2 });
  });

  it('include that scripts draw most pages, which have almost no text', async () => {
    const drawn = '<title>Widgets</title><noscript>Turn on JavaScript</noscript><div id=app>Loading …</div>';
    const script = '<script>draw()</script>';
    const text = `<p>${'A widget is a thing that one turns. '.repeat(3)}`;
    const drawnIn = async (...pages: string[]) =>
      (
        await contentOf(
          Object.fromEntries(pages.map((page, at) => [at === 0 ? 'index.html' : `${at}.html`, page])),
        )
      ).drawn;
    assert.deepEqual(await drawnIn(drawn + script), { count: 1, of: 1 });
    assert.deepEqual(await drawnIn(drawn + script, drawn + script, text + script), { count: 2, of: 3 });
    const others = [
      drawn,
      text + script,
      `<h1>Widgets</h1>${script}`,
      `<frameset><frame src="a.html"></frameset>${script}`,
      `<meta http-equiv="refresh" content="0; url=guide/">${script}`,
    ];
    for (const other of others) assert.equal(await drawnIn(other), undefined, other);
    const docsify = `${drawn}<script>window.$docsify = {}</script><script src="docsify.js"></script>`;
    const sourceIn = async (source: string) =>
      (await contentOf({ 'index.html': docsify, 'docsify.js': '', [source]: '# Hi' })).drawn;
    assert.equal(await sourceIn('README.md'), undefined);
    assert.deepEqual(await sourceIn('guide.txt'), { count: 1, of: 1 });
    assert.equal(await drawnIn(drawn + script, text), undefined);
    assert.equal(
      (await contentOf({ 'index.html': text, '200.html': drawn + script, '404.html': script })).drawn,
      undefined,
    );
  });
});
