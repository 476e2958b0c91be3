import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestServer } from '../support/server.js';
import { warningsIn } from '../support/warnings-in.js';
import type { ReachedServer } from './sites.js';

const inLatin1 = (text: string) => Buffer.from(text, 'latin1');
const long = (declaration: string) => inLatin1(`${declaration}${'<p>\xcf\xf0\xe8, '.repeat(400)}`);

/** Files of a site that is not all in UTF-8, and the content type of each. */
const FILES: readonly (readonly [path: string, content: Buffer, type: string])[] = [
  [
    'index.html',
    inLatin1('<meta charset="Shift_JIS"><title>\x90\xdd\x92\xe8</title>'),
    'text/html; charset=Shift_JIS',
  ],
  [
    'cp1251.html',
    long('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'),
    'text/html; charset=windows-1251',
  ],
  ['utf8.html', Buffer.from('<title>Übersicht</title>'), 'text/html; charset=utf-8'],
  ['wrong.html', Buffer.from('<meta charset=latin1><title>Übersicht</title>'), 'text/html; charset=utf-8'],
  ['utf16.html', Buffer.from('\ufeff<p>x', 'utf16le'), 'text/html; charset=UTF-16'],
  ['stateful.html', inLatin1('<meta charset=iso-2022-jp>\x1b$B%e\x1b(B'), 'text/html; charset=utf-8'],
  ['own.css', inLatin1('@charset "windows-1251";/*\xcf*/'), 'text/css; charset=windows-1251'],
  ['of-page.css', long('/*'), 'text/css'],
  ['of-page.js', inLatin1('"\xcf"'), 'text/javascript'],
  ['utf8.js', Buffer.from('"Ü"'), 'text/javascript; charset=utf-8'],
  ['notes.txt', inLatin1('\xcf'), 'text/plain'],
  ['own.xml', inLatin1('<?xml version="1.0" encoding="koi8-r"?><x>\xcf</x>'), 'application/xml'],
  ['large.txt', Buffer.from(`${'x'.repeat(1_500_000)}\xcf`, 'latin1'), 'text/plain'],
  ['404.html', inLatin1('<head><meta charset="koi8-r"></head><p>\xce\xc5\xd4'), 'text/html; charset=KOI8-R'],
];

/** Rules for charsets (contract section 7), asked of a server however it is reached. */
export function describeCharsets(
  title: string,
  start: () => Promise<ReachedServer>,
  options: { readonly skip?: string } = {},
): void {
  describe(title, options, () => {
    let reached: ReachedServer;
    let server: TestServer;
    before(async () => {
      reached = await start();
      server = reached.server;
      const files = Object.fromEntries(FILES.map(([path, content]) => [path, content]));
      const answer = await server.upload('letters-1.0-docs.zip', files);
      assert.match(
        await warningsIn(answer),
        /^1 file declares a charset [^.]* 'stateful\.html' \('iso-2022-jp'\)\. Save them as UTF-8 and declare it\.$/m,
      );
    });
    after(() => reached.close());

    for (const [path, content, type] of FILES) {
      it(`sends ${path} byte for byte as ${type}`, async () => {
        for (const site of ['letters-1.0', 'letters-latest']) {
          // Once more from memory.
          for (const encoding of ['identity', 'gzip', 'identity', 'gzip']) {
            const answer = await server.get(`/${site}/${path}`, { 'Accept-Encoding': encoding });
            assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content);
            assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type]);
            assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
          }
        }
        const head = await fetch(`${server.url}/letters-1.0/${path}`, { method: 'HEAD' });
        assert.equal(head.headers.get('content-type'), type);
      });
    }

    it("sends the front page, a range, and the site's 404 page in their charsets", async () => {
      const front = await server.get('/letters-1.0/');
      assert.equal(front.headers.get('content-type'), 'text/html; charset=Shift_JIS');
      const part = await server.get('/letters-1.0/cp1251.html', { Range: 'bytes=0-9' });
      assert.deepEqual(
        [part.status, part.headers.get('content-type')],
        [206, 'text/html; charset=windows-1251'],
      );
      const missing = await server.get('/letters-1.0/gone.html');
      assert.deepEqual(
        [missing.status, missing.headers.get('content-type')],
        [404, 'text/html; charset=KOI8-R'],
      );
    });

    it('responds 304 to a reader with a current copy', async () => {
      for (const path of ['/letters-1.0/cp1251.html', '/letters-1.0/of-page.css']) {
        const headers = { 'Accept-Encoding': 'identity' };
        const etag = (await server.get(path, headers)).headers.get('etag') ?? '';
        assert.equal((await server.get(path, { ...headers, 'If-None-Match': etag })).status, 304);
      }
    });
  });
}
