import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { LINK_BUDGET, type LinkBudget } from '../../src/application/index.js';
import { READING_LIMITS } from '../../src/formats/html/reading-limits.js';
import { checkLinkFile } from '../../src/node/links/check-link-file.js';
import { hashOf, pagesIn, unpackedIds } from '../../src/node/links/link-file.js';
import { LinkFileWriter } from '../../src/node/links/link-file-writer.js';

const TEXT = `<h1>Title</h1><p>${'word '.repeat(20)}</p>`;

function written(pages: Readonly<Record<string, string | Buffer>>, budget: Partial<LinkBudget> = {}) {
  const writer = new LinkFileWriter({ ...LINK_BUDGET, ...budget });
  for (const [path, html] of Object.entries(pages)) writer.add(path, Buffer.from(html));
  return writer.end();
}

async function readBack(file: Uint8Array) {
  const pages = [];
  for await (const page of pagesIn(file)) pages.push(page);
  return pages;
}

describe('The file with the links of a version', () => {
  it('is read as written, also after a merge', async () => {
    const one = written({
      'a.html': '<base href="x/"><a href="b.html#\u00fc" id="caf\u00e9">\u2028<i id=z>',
    });
    const two = written({ 'b.html': `<script></script><a href="/r">`, 'c.html': Buffer.from([0xff, 0x3c]) });
    const [a, b, c, ...others] = await readBack(Buffer.concat([one.file, two.file]));
    assert.deepEqual([a?.path, a?.base, a?.links], ['a.html', 'x/', ['b.html#\u00fc']]);
    assert.deepEqual(
      [...unpackedIds(a?.ids ?? '')],
      [hashOf('caf\u00e9'), hashOf('z')].sort((x, y) => x - y),
    );
    assert.deepEqual(b, { path: 'b.html', links: ['/r'] }, 'a page that scripts draw');
    assert.deepEqual(c, { path: 'c.html', ids: '', links: [] });
    assert.deepEqual(others, []);
  });

  it('has 4 bytes for each id, before it is compressed', () => {
    const html = Array.from({ length: 30_000 }, (_, index) => `<a id="section-${index}">`).join('');
    const { file } = written({ 'a.html': html });
    assert.ok(file.length < 30_000 * 4.2, `${file.length} bytes`);
  });

  it('is read with the charset of the page', async () => {
    const html = Buffer.from('<meta charset="iso-8859-1"><a href="\u00e9.html">', 'latin1');
    const [page] = await readBack(written({ 'a.html': html }).file);
    assert.deepEqual(page?.links, ['\u00e9.html']);
  });

  for (const [what, budget] of [
    ['links', { links: 2 }],
    ['ids', { ids: 2 }],
    ['bytes', { bytes: 90 }],
    ['milliseconds', { milliseconds: 0 }],
  ] as const) {
    it(`is truncated when ${what} exceed the budget`, async () => {
      const html = `<a href=1 id=1><a href=2 id=2>${TEXT}`;
      const { file, isCut, left } = written({ 'a.html': html, 'b.html': html, 'c.html': html }, budget);
      assert.equal(isCut, true);
      assert.ok(left[what] < 0);
      assert.ok((await readBack(file)).length < 3);
      const { report } = await checkLinkFile({ file, paths: [], redirects: '' });
      assert.equal(report.isCut, true);
    });
  }

  it('is marked as truncated where a page is too long to be read to its end, and goes on with the next', async () => {
    const long = Buffer.concat([Buffer.from('<a href=1>'), Buffer.alloc(READING_LIMITS.bytes, ' ')]);
    const { file, isCut } = written({ 'a.html': long, 'b.html': '<a href=2>' });
    assert.deepEqual([isCut, (await readBack(file)).map(({ links }) => links)], [false, [['1'], ['2']]]);
    const { report } = await checkLinkFile({ file, paths: [], redirects: '' });
    assert.deepEqual([report.dead, report.isCut], [2, true]);
  });

  it('reports the remaining budget', () => {
    const { left, isCut } = written({ 'a.html': '<a href=1 id=1 name=2><a href=2>', 'b.html': '<a href=1>' });
    assert.deepEqual([LINK_BUDGET.links - left.links, LINK_BUDGET.ids - left.ids, isCut], [3, 2, false]);
  });

  it('is rejected when damaged', async () => {
    const { file } = written({ 'a.html': TEXT });
    for (const damaged of [file.subarray(0, -9), Buffer.from('text'), gzipSync('{'), gzipSync('{"path"\n')]) {
      await assert.rejects(checkLinkFile({ file: damaged, paths: [], redirects: '' }));
    }
  });
});

describe('checkLinkFile', () => {
  it('checks pages against files, ids and redirects', async () => {
    const { file } = written({
      'index.html': `<a href="guide"><a href="old#x"><a href="old#y"><a href="none"><a href="drawn.html#z">${TEXT}`,
      'guide/index.html': `<i id=x>${TEXT}`,
      'drawn.html': '<script></script>',
    });
    const paths = ['index.html', 'guide/index.html', 'drawn.html'];
    const { report, keys } = await checkLinkFile({ file, paths, redirects: '/old /guide' });
    const [page] = report.byPage;
    assert.deepEqual(
      page?.links.map(({ link, missing }) => [link, missing]),
      [
        ['old#y', 'anchor'],
        ['none', 'page'],
      ],
    );
    assert.deepEqual(
      [report.pages, report.links, report.dead, report.isCut, keys.length],
      [3, 5, 2, false, 2],
    );
  });

  it('ends at its time limit', async () => {
    const { file } = written({ 'a.html': '<a href=b>' });
    const { report } = await checkLinkFile({ file, paths: [], redirects: '' }, -1);
    assert.deepEqual([report.dead, report.isCut], [0, true]);
  });
});
