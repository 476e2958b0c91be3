import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { TestServer } from '../../support/server.js';
import { zipOf } from '../../support/zip-writer.js';

const TAG = '\n<script type="module" src="/-/switcher.js"></script>\n';
const PAGE = `<!doctype html><title>t</title><h1>Page</h1>${'<p>text</p>'.repeat(500)}</html>`;
const PATH = '/tool-1.0/page.html';

for (const cacheBytes of [0, 10_000_000]) {
  describe(`A server with --switcher, ${cacheBytes === 0 ? 'without' : 'with'} the memory cache,`, () => {
    let server: TestServer;
    before(async () => {
      server = await TestServer.start({ switcher: true, cacheBytes });
      await server.upload('tool-1.0-docs.zip', {
        'index.html': 'front',
        'page.html': PAGE,
        'empty.html': '',
        'page.xhtml': '<html/>',
        'style.css': 'p {}',
        '404.html': 'own 404',
      });
      await server.upload('silent-1.0-docs.zip', {
        'index.html': 'silent',
        'docinfo.yaml': 'switcher: false',
      });
    });
    after(() => server.close());

    it("appends the tag to a page's bytes, and counts the length of both", async () => {
      for (let round = 0; round < 3; round++) {
        const answer = await server.get(PATH, { 'Accept-Encoding': 'identity' });
        assert.equal(answer.headers.get('content-length'), String(PAGE.length + TAG.length));
        assert.equal(await answer.text(), PAGE + TAG);
      }
      assert.equal(await (await server.get('/tool-1.0/')).text(), `front${TAG}`);
      assert.equal(await (await server.get('/tool-latest/')).text(), `front${TAG}`);
      assert.equal(await (await server.get('/tool-1.0/empty.html')).text(), TAG);
    });

    it('appends the tag to a compressed page, and HEAD equals GET', async () => {
      for (let round = 0; round < 3; round++) {
        const headers = { 'Accept-Encoding': 'gzip' };
        const answer = await server.get(PATH, headers);
        assert.equal(answer.headers.get('content-encoding'), 'gzip');
        assert.equal(await answer.text(), PAGE + TAG);
        for (const encoding of ['gzip', 'identity']) {
          const get = await server.get(PATH, { 'Accept-Encoding': encoding });
          const head = await server.fetch(PATH, {
            method: 'HEAD',
            headers: { 'Accept-Encoding': encoding },
          });
          assert.equal(head.status, 200);
          assert.equal(head.headers.get('etag'), get.headers.get('etag'));
          if (encoding === 'identity') {
            assert.equal(head.headers.get('content-length'), String(PAGE.length + TAG.length));
          }
        }
      }
    });

    it('serves ranges of the page with its tag, wherever they begin and end', async () => {
      const whole = PAGE + TAG;
      const ranges: readonly (readonly [number, number])[] = [
        [0, 9],
        [PAGE.length - 5, PAGE.length - 1],
        [PAGE.length - 5, PAGE.length + 4],
        [PAGE.length - 1, PAGE.length],
        [PAGE.length, PAGE.length],
        [PAGE.length, PAGE.length + 4],
        [PAGE.length + 10, whole.length - 1],
        [0, whole.length - 1],
      ];
      for (const [start, end] of ranges) {
        const answer = await server.get(PATH, { Range: `bytes=${start}-${end}` });
        assert.equal(answer.status, 206);
        assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end}/${whole.length}`);
        assert.equal(await answer.text(), whole.slice(start, end + 1));
      }
      assert.equal(await (await server.get(PATH, { Range: 'bytes=-7' })).text(), whole.slice(-7));
      assert.equal((await server.get(PATH, { Range: `bytes=${whole.length}-` })).status, 416);
      assert.equal(await (await server.get('/tool-1.0/empty.html', { Range: 'bytes=1-4' })).text(), '<scr');
    });

    it('sends another ETag with the tag, and responds 304 to it', async () => {
      const answer = await server.get(PATH, { 'Accept-Encoding': 'identity' });
      const etag = answer.headers.get('etag') ?? '';
      assert.match(etag, /-switcher"$/);
      for (let round = 0; round < 2; round++) {
        const again = await server.get(PATH, { 'Accept-Encoding': 'identity', 'If-None-Match': etag });
        assert.equal(again.status, 304);
        const old = await server.get(PATH, { 'If-None-Match': etag.replace('-switcher', '') });
        assert.equal(old.status, 200);
      }
    });

    it("appends the tag to a site's own 404 page, and to nothing but pages", async () => {
      const missing = await server.get('/tool-1.0/nothing');
      assert.equal(missing.status, 404);
      assert.equal(await missing.text(), `<meta name="lectern-status" content="404">own 404${TAG}`);
      assert.equal(await (await server.get('/tool-1.0/style.css')).text(), 'p {}');
      assert.equal(await (await server.get('/tool-1.0/page.xhtml')).text(), '<html/>');
      assert.doesNotMatch(await (await server.get('/')).text(), /switcher\.js/);
    });

    it('keeps the uploaded archive', async () => {
      const archive = zipOf({ 'index.html': 'front' });
      await server.upload('packed-1.0-docs.zip', archive);
      const bytes = Buffer.from(await (await server.get('/packed-1.0-docs.zip')).arrayBuffer());
      const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
      assert.equal(sha256(bytes), sha256(archive));
    });

    it('omits the tag in a project that opts out', async () => {
      for (let round = 0; round < 3; round++) {
        assert.equal(await (await server.get('/silent-1.0/')).text(), 'silent');
      }
    });

    it("applies the latest version's choice to all versions, from its publication on", async () => {
      const front = async () => (await server.get('/turning-1.0/')).text();
      await server.upload('turning-1.0-docs.zip', { 'index.html': 'one' });
      for (let round = 0; round < 3; round++) assert.equal(await front(), `one${TAG}`);
      await server.upload('turning-2.0-docs.zip', { 'index.html': 'two', 'docinfo.yaml': 'switcher: false' });
      for (let round = 0; round < 3; round++) assert.equal(await front(), 'one');
      await server.delete('turning/2.0');
      for (let round = 0; round < 3; round++) assert.equal(await front(), `one${TAG}`);
    });

    it('streams a large page', async () => {
      const large = 'x'.repeat(3_000_000);
      await server.upload('large-1.0-docs.zip', { 'index.html': large });
      const answer = await server.get('/large-1.0/', { 'Accept-Encoding': 'identity' });
      assert.equal(answer.headers.get('content-length'), String(large.length + TAG.length));
      assert.equal(await answer.text(), large + TAG);
      const compressed = await server.get('/large-1.0/', { 'Accept-Encoding': 'gzip' });
      assert.ok(gzipSync(large).length < 10_000);
      assert.equal(await compressed.text(), large + TAG);
    });
  });
}

describe('A server without --switcher', () => {
  it('serves the uploaded bytes of pages, except in projects that opt in', async () => {
    const server = await TestServer.start();
    await server.upload('tool-1.0-docs.zip', { 'index.html': PAGE });
    await server.upload('wanting-1.0-docs.zip', { 'index.html': PAGE, 'docinfo.yaml': 'switcher: true' });
    for (let round = 0; round < 3; round++) {
      assert.equal(await (await server.get('/tool-1.0/')).text(), PAGE);
      assert.equal(await (await server.get('/wanting-1.0/')).text(), PAGE + TAG);
    }
    await server.close();
  });

  it('keeps the choice after a restart', async () => {
    const server = await TestServer.start();
    await server.upload('wanting-1.0-docs.zip', { 'index.html': 'x', 'docinfo.yaml': 'switcher: true' });
    const second = await TestServer.start({ docs: server.docs });
    assert.equal(await (await second.get('/wanting-1.0/')).text(), `x${TAG}`);
    await second.close();
    await server.close();
  });
});
