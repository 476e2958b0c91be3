import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { TestServer } from '../support/server.js';

const LONG = '<p>some words, </p>'.repeat(500);

/** A server that the suite talks to, however its requests get there. */
export interface ReachedServer {
  readonly server: TestServer;
  /** Brings it into the state in which it is to be asked, once the sites are there. */
  warmUp?(paths: readonly string[]): Promise<void>;
  close(): Promise<unknown>;
}

/** Answers of a deployment that differ from the contract, each with the reason. */
export type Differences = Readonly<Record<string, { readonly answer: unknown; readonly because: string }>>;

/** Contract suite for reading sites and archives from a server, however it is reached. */
export function describeSites(
  title: string,
  start: () => Promise<ReachedServer>,
  differences: Differences = {},
  options: { readonly skip?: string } = {},
): void {
  describe(title, options, () => {
    let reached: ReachedServer;
    let server: TestServer;
    const differing = new Set<string>();
    /** Returns the expected answer: the contract's, unless this deployment is known to differ. */
    const expected = <T>(asked: string, answer: T): T => {
      const difference = differences[asked];
      if (difference === undefined) return answer;
      assert.notDeepEqual(difference.answer, answer, `${asked} does not differ`);
      differing.add(asked);
      return difference.answer as T;
    };
    before(async () => {
      reached = await start();
      server = reached.server;
      await server.upload('my-project-1.0.0-docs.zip', {
        'index.html': 'home',
        'long.html': LONG,
        'guide.html': 'guide',
        'both.html': 'a file',
        'both/index.html': 'a directory',
        'dir/index.html': 'dir',
        'dir/page.html': 'page',
        'd3.js/index.html': 'a directory',
        'beside.html': 'beside a directory',
        'beside/step.html': 'a step',
        'node.js.html': 'beside a directory',
        'node.js/events.html': 'events',
        'fu\u0308r.html': 'decomposed',
        'odd/index.html/page.html': 'deep',
        'empty/deep/file.txt': 'x',
        'empty.txt': '',
        'style.css': 'p{}',
        'app.js': '1',
        'data.json': '{}',
        'image.svg': '<svg/>',
        'image.png': Buffer.from([1, 2, 3]),
        noextension: 'x',
        'ünï cödé/päge.html': 'unicode',
        'a+b & c.html': 'odd',
        '100%.html': 'percent',
        '.hidden': 'secret',
        '.git/config': 'secret',
        '.well-known/security.txt': 'contact',
      });
      await server.upload('my-project-0.9.0-docs.zip', { 'index.html': 'old', '404.html': 'the own 404' });
      await server.upload('my-project-2.0.0-rc.1-docs.zip', { 'index.html': 'pre' });
      await server.upload('api-1.0-docs.zip', { 'index.html': 'api docs' });
      await server.upload('a-1.0+b5-docs.zip', { 'index.html': 'plus', 'd/index.html': 'd' });
      await reached.warmUp?.([...PAGES.map(([path]) => path), '/my-project-1.0.0/long.html']);
    });
    after(() => reached.close());

    const PAGES: readonly [path: string, body: string][] = [
      ['/my-project-1.0.0/', 'home'],
      ['/my-project-1.0.0/index.html', 'home'],
      ['/my-project-1.0.0/guide', 'guide'],
      ['/my-project-1.0.0/guide.html', 'guide'],
      ['/my-project-1.0.0/dir/', 'dir'],
      ['/my-project-1.0.0/dir/page', 'page'],
      ['/my-project-1.0.0/both/', 'a directory'],
      ['/my-project-1.0.0/d3.js/', 'a directory'],
      ['/my-project-1.0.0/beside', 'beside a directory'],
      ['/my-project-latest/beside', 'beside a directory'],
      ['/my-project-1.0.0/beside/step', 'a step'],
      ['/my-project-1.0.0/node.js', 'beside a directory'],
      ['/my-project-1.0.0/fu%CC%88r.html', 'decomposed'],
      ['/my-project-1.0.0/odd/index.html/page.html', 'deep'],
      ['/my-project-1.0.0/both.html', 'a file'],
      ['/my-project-1.0.0/%C3%BCn%C3%AF%20c%C3%B6d%C3%A9/p%C3%A4ge.html', 'unicode'],
      ['/my-project-1.0.0/a+b%20&%20c.html', 'odd'],
      ['/my-project-1.0.0/a%2Bb%20%26%20c', 'odd'],
      ['/my-project-1.0.0/100%25.html', 'percent'],
      ['/my-project-1.0.0/?query=1', 'home'],
      ['/my-project-1.0.0/.well-known/security.txt', 'contact'],
      ['/my-project-latest/', 'home'],
      ['/my-project-latest/dir/page.html', 'page'],
      ['/my-project-0.9.0/', 'old'],
      ['/api-1.0/', 'api docs'],
      ['/api-latest/', 'api docs'],
      ['/a-1.0+b5/', 'plus'],
      ['/a-1.0%2Bb5/', 'plus'],
    ];
    for (const [path, body] of PAGES) {
      it(`serves ${path}`, async () => {
        const response = await server.rawGet(path);
        assert.deepEqual([response.status, Buffer.from(response.body, 'latin1').toString()], [200, body]);
      });
    }

    const REDIRECTS: readonly [path: string, status: number, location: string][] = [
      ['/my-project-1.0.0', 308, '/my-project-1.0.0/'],
      ['/my-project-1.0.0?a=b', 308, '/my-project-1.0.0/?a=b'],
      ['/my-project-1.0.0/dir', 308, '/my-project-1.0.0/dir/'],
      // The other spelling of a page.
      ['/my-project-1.0.0/guide/', 302, '/my-project-1.0.0/guide.html'],
      ['/my-project-1.0.0/guide.html/', 302, '/my-project-1.0.0/guide.html'],
      ['/my-project-latest/dir.html', 302, '/my-project-latest/dir/'],
      ['/my-project-1.0.0/beside/', 302, '/my-project-1.0.0/beside.html'],
      ['/my-project-1.0.0/node.js/', 302, '/my-project-1.0.0/node.js.html'],
      ['/my-project-1.0.0/f%C3%BCr.html?a=b', 302, '/my-project-1.0.0/fu%CC%88r.html?a=b'],
      ['/my-project-latest/f%C3%BCr', 302, '/my-project-latest/fu%CC%88r.html'],
      ['/my-project-1.0.0/dir?x=//evil.org', 308, '/my-project-1.0.0/dir/?x=//evil.org'],
      ['/my-project-1.0.0/d3.js', 308, '/my-project-1.0.0/d3.js/'],
      ['/my-project-1.0.0/d3.js?a=b', 308, '/my-project-1.0.0/d3.js/?a=b'],
      ['/my-project-1.0.0/odd/index.html', 308, '/my-project-1.0.0/odd/index.html/'],
      ['/my-project-latest/d3.js', 308, '/my-project-latest/d3.js/'],
      ['/my-project-1.0.0/both', 308, '/my-project-1.0.0/both/'],
      ['/my-project-1.0.0/empty/deep', 308, '/my-project-1.0.0/empty/deep/'],
      [
        '/my-project-1.0.0/%C3%BCn%C3%AF%20c%C3%B6d%C3%A9',
        308,
        '/my-project-1.0.0/%C3%BCn%C3%AF%20c%C3%B6d%C3%A9/',
      ],
      ['/my-project-latest', 308, '/my-project-latest/'],
      ['/my-project-latest/dir', 308, '/my-project-latest/dir/'],
      ['/my-project', 302, '/my-project-latest/'],
      ['/my-project/', 302, '/my-project-latest/'],
      ['/my-project?q=1', 302, '/my-project-latest/?q=1'],
      ['/my-project/data.json?q=1', 302, '/my-project-latest/data.json?q=1'],
      ['/my-project/dir/page.html', 302, '/my-project-latest/dir/page.html'],
      ['/a-1.0+b5/d', 308, '/a-1.0+b5/d/'],
    ];
    for (const [path, status, location] of REDIRECTS) {
      it(`redirects ${path} to ${location}`, async () => {
        const response = await server.rawGet(path);
        assert.equal(response.status, status);
        assert.equal(/^Location: (.*)$/im.exec(response.head)?.[1], location);
      });
    }

    const NOTHING = [
      '/nothing',
      '/nothing/',
      '/nothing-1.0/',
      '/my-project-3.0.0/',
      '/my-project-1.0.0/nothing',
      '/my-project-1.0.0/index.html/more',
      '/my-project-1.0.0/empty/',
      '/my-project-1.0.0/odd/',
      '/my-project-1.0.0/odd/index.html/',
      '/my-project-1.0.0/.hidden',
      '/my-project-1.0.0/%2ehidden',
      '/my-project-1.0.0/.git/config',
      '/my-project-1.0.0/.git/',
      '/my-project-1.0.0/../my-project-0.9.0/',
      '/my-project-1.0.0/%2e%2e/my-project-0.9.0/',
      '/my-project-1.0.0/..%2f..%2fversion.json',
      '/my-project-1.0.0/../version.json',
      '/my-project-1.0.0/dir%2fpage.html',
      '/my-project-1.0.0/dir%5cpage.html',
      '/my-project-1.0.0/dir\\page.html',
      '/my-project-1.0.0//',
      '/my-project-1.0.0//dir/',
      '/my-project-1.0.0/dir//',
      '/my-project-1.0.0/./dir/',
      '/my-project-1.0.0/%00',
      '/my-project-1.0.0/%E0%A4%A',
      `/my-project-1.0.0/${'a'.repeat(300)}`,
      `/my-project-1.0.0/${'a/'.repeat(600)}`,
      '/.lectern/',
      '/.lectern/sites/my-project-1.0.0/',
      '/%2electern/running/',
      '//evil.org/',
      '//my-project-1.0.0/',
      '/%2fevil.org/',
      '/\\evil.org',
      '/MY-PROJECT-1.0.0/',
      '/my-project-LATEST/',
      '/api-',
      '/-/assets/nothing.css',
      '/-/assets/../../package.json',
      '/-/assets/%2e%2e/%2e%2e/index.ts',
      '/-/',
      '/favicon.ico',
      '/my-project-1.0.0-docs.zip/',
      '/nothing-latest-docs.zip',
      '/__proto__/',
      '/constructor-latest/',
    ];
    for (const path of NOTHING) {
      it(`has nothing at ${path.slice(0, 60)}`, async () => {
        const response = await server.rawGet(path);
        const status = expected(path, 404);
        assert.equal(response.status, status);
        assert.doesNotMatch(response.head, /^Location:/im);
        // A malformed request has only the headers of the parser that refused it.
        if (status === 404) assert.match(response.head, /^X-Content-Type-Options: nosniff/im);
      });
    }

    it('has nothing below /api/ but the API, even with a project called api', async () => {
      for (const path of ['/api', '/api/', '/api/nothing']) {
        const response = await server.get(path);
        assert.equal(response.status, 404, path);
        assert.equal(((await response.json()) as { error: string }).error, 'not_found');
      }
    });

    it('responds to a missing page with its own 404.html, and status 404', async () => {
      const response = await server.get('/my-project-0.9.0/nothing/here');
      assert.deepEqual([response.status, await response.text()], [404, 'the own 404']);
    });

    it('names the missing part, and links to existing ones', async () => {
      const page = await (await server.get('/my-project-1.0.0/nothing')).text();
      assert.match(page, /href="\/my-project-1\.0\.0\/"/);
      const version = await (await server.get('/my-project-3.0.0/')).text();
      assert.match(version, /href="\/my-project-latest\/"/);
      assert.match(version, /href="\/my-project-0\.9\.0\/"/);
      const project = await (await server.get('/nothing-1.0/')).text();
      assert.match(project, /href="\/"/);
    });

    const TYPES: readonly [path: string, type: string][] = [
      ['index.html', 'text/html; charset=utf-8'],
      ['style.css', 'text/css; charset=utf-8'],
      ['app.js', 'text/javascript; charset=utf-8'],
      ['data.json', 'application/json; charset=utf-8'],
      ['empty.txt', 'text/plain; charset=utf-8'],
      ['image.svg', 'image/svg+xml'],
      ['image.png', 'image/png'],
      ['noextension', 'application/octet-stream'],
    ];
    for (const [path, type] of TYPES) {
      it(`gives ${path} the type ${type}`, async () => {
        const response = await server.get(`/my-project-1.0.0/${path}`);
        assert.equal(response.headers.get('content-type'), type);
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
        assert.equal(response.headers.get('cache-control'), 'no-cache');
        assert.equal(response.headers.get('set-cookie'), null);
        await response.arrayBuffer();
      });
    }

    it('responds to HEAD with the headers of GET and no body', async () => {
      for (const path of [
        '/',
        '/help',
        '/my-project-1.0.0/',
        '/my-project-1.0.0/long.html',
        '/my-project-1.0.0/nothing',
        '/my-project-1.0.0-docs.zip',
      ]) {
        const [get, head] = await Promise.all(
          ['GET', 'HEAD'].map((method) =>
            fetch(server.url + path, {
              method,
              redirect: 'manual',
              headers: { 'Accept-Encoding': 'identity' },
            }),
          ),
        );
        assert.ok(get !== undefined && head !== undefined);
        const drop = ['date', 'x-request-id', 'connection', 'keep-alive'];
        const headersOf = (response: Response) =>
          [...response.headers].filter(([name]) => !drop.includes(name));
        assert.equal(head.status, get.status);
        assert.deepEqual(headersOf(head), headersOf(get), path);
        assert.equal(Number(get.headers.get('content-length')), (await get.arrayBuffer()).byteLength);
        assert.equal((await head.arrayBuffer()).byteLength, 0);
      }
    });

    it('refuses other methods, and lists the allowed ones', async () => {
      for (const [method, path] of [
        ['POST', '/my-project-1.0.0/'],
        ['POST', '/my-project-1.0.0/index.html'],
        ['PUT', '/my-project-1.0.0/style.css'],
        ['DELETE', '/my-project-1.0.0-docs.zip'],
        ['PUT', '/'],
        ['DELETE', '/my-project-1.0.0/'],
        ['OPTIONS', '/help'],
      ] as const) {
        const response = await fetch(server.url + path, { method });
        assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD']);
      }
    });

    describe('Conditional requests', () => {
      const path = '/my-project-1.0.0/long.html';
      const conditions = async () => {
        const { headers } = await server.get(path, { 'Accept-Encoding': 'identity' });
        return { etag: headers.get('etag') ?? '', date: headers.get('last-modified') ?? '' };
      };
      const status = async (headers: Record<string, string>) => {
        const response = await server.get(path, { 'Accept-Encoding': 'identity', ...headers });
        await response.arrayBuffer();
        return response.status;
      };

      it('compare ETags: alone, weak, in a list, and as a star', async () => {
        const { etag } = await conditions();
        assert.match(etag, /^"[\x21\x23-\x7e]+"$/);
        for (const value of [etag, `W/${etag}`, `"x", ${etag}, "y"`, '*']) {
          assert.equal(await status({ 'If-None-Match': value }), 304, value);
        }
        for (const value of ['"x"', etag.replaceAll('"', ''), '""']) {
          assert.equal(await status({ 'If-None-Match': value }), 200, value);
        }
      });

      it('compare dates, unless there is an ETag', async () => {
        const { etag, date } = await conditions();
        const earlier = new Date(Date.parse(date) - 1_000).toUTCString();
        assert.equal(await status({ 'If-Modified-Since': date }), 304);
        assert.equal(await status({ 'If-Modified-Since': earlier }), 200);
        assert.equal(await status({ 'If-Modified-Since': 'nonsense' }), 200);
        assert.equal(await status({ 'If-Modified-Since': date, 'If-None-Match': '"x"' }), 200);
        assert.equal(
          await status({ 'If-Modified-Since': earlier, 'If-None-Match': etag }),
          expected('an earlier date and the ETag', 304),
        );
      });
    });

    describe('Range requests', () => {
      const path = '/my-project-1.0.0/long.html';
      const size = LONG.length;
      const RANGES: readonly [range: string, start: number, end: number][] = [
        ['bytes=0-0', 0, 0],
        ['bytes=0-99', 0, 99],
        ['bytes=100-', 100, size - 1],
        ['bytes=-100', size - 100, size - 1],
        [`bytes=-${size + 5}`, 0, size - 1],
        [`bytes=10-${size + 5}`, 10, size - 1],
        [`bytes=${size - 1}-`, size - 1, size - 1],
      ];
      for (const [range, start, end] of RANGES) {
        it(`get the bytes of ${range}, even with gzip accepted`, async () => {
          const response = await server.get(path, { Range: range });
          assert.equal(response.status, 206);
          assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/${size}`);
          assert.equal(response.headers.get('content-encoding'), null);
          assert.equal(response.headers.get('content-length'), String(end - start + 1));
          assert.equal(await response.text(), LONG.slice(start, end + 1));
        });
      }

      it('get 416 outside of the file', async () => {
        for (const range of [`bytes=${size}-`, `bytes=${size}-${size + 5}`, 'bytes=-0']) {
          const response = await server.get(path, { Range: range });
          assert.deepEqual(
            [response.status, response.headers.get('content-range')],
            [416, `bytes */${size}`],
            range,
          );
          await response.arrayBuffer();
        }
        const empty = await server.get('/my-project-1.0.0/empty.txt', { Range: 'bytes=0-' });
        assert.equal(empty.status, expected('a range of an empty file', 416));
      });

      it('get the whole file for other units', async () => {
        for (const range of [
          'bytes=0-1,5-6',
          'lines=1-2',
          'bytes=5-1',
          'bytes=a-b',
          'bytes',
          `bytes=${'0-1,'.repeat(1_000)}`,
        ]) {
          const response = await server.get(path, { Range: range });
          const status = expected(range, 200);
          assert.equal(response.status, status, range.slice(0, 20));
          const { length } = await response.text();
          if (status === 200) assert.equal(length, size);
        }
      });

      it('apply only when the copy to complete is current', async () => {
        const { headers } = await server.get(path, { 'Accept-Encoding': 'identity' });
        const etag = headers.get('etag') ?? '';
        const date = headers.get('last-modified') ?? '';
        for (const [condition, status] of [
          [etag, 206],
          [date, 206],
          ['"x"', 200],
          [`W/${etag}`, 200],
          [new Date(0).toUTCString(), 200],
          ['nonsense', 200],
        ] as const) {
          const response = await server.get(path, { Range: 'bytes=0-9', 'If-Range': condition });
          assert.equal(response.status, status, condition);
          await response.arrayBuffer();
        }
      });
    });

    describe('Compression', () => {
      const path = '/my-project-1.0.0/long.html';
      const ENCODINGS: readonly [accepted: string, sent: string | null][] = [
        ['gzip', 'gzip'],
        ['gzip, deflate, br', 'gzip'],
        ['*', 'gzip'],
        ['gzip;q=0.5, identity;q=0.1', 'gzip'],
        ['gzip;q=0', null],
        ['identity', null],
        ['br', null],
        ['gzip;q=0.1, identity;q=0.5', null],
        ['*;q=0', null],
        ['', null],
      ];
      for (const [accepted, sent] of ENCODINGS) {
        it(`sends ${sent ?? 'no encoding'} to a client with ${JSON.stringify(accepted)}`, async () => {
          const response = await server.get(path, { 'Accept-Encoding': accepted });
          assert.equal(
            response.headers.get('content-encoding'),
            expected(`Accept-Encoding: ${accepted}`, sent),
          );
          assert.match(response.headers.get('vary') ?? '', /Accept-Encoding/);
          assert.equal(await response.text(), LONG);
        });
      }

      it('has its own ETag, with its own 304', async () => {
        const headers = { 'Accept-Encoding': 'gzip' };
        const identity = (await server.get(path, { 'Accept-Encoding': 'identity' })).headers.get('etag');
        const etag = (await server.get(path, headers)).headers.get('etag') ?? '';
        assert.notEqual(etag, identity);
        assert.equal((await server.get(path, { ...headers, 'If-None-Match': etag })).status, 304);
      });

      it('applies only to bodies that become smaller', async () => {
        for (const file of ['image.png', 'index.html']) {
          const response = await server.get(`/my-project-1.0.0/${file}`, { 'Accept-Encoding': 'gzip' });
          assert.equal(response.headers.get('content-encoding'), null, file);
          await response.arrayBuffer();
        }
      });
    });

    it('can be downloaded by name, by range, and under its latest name', async () => {
      const whole = await server.get('/api/download/my-project/1.0.0');
      const bytes = Buffer.from(await whole.arrayBuffer());
      assert.equal(whole.headers.get('content-type'), 'application/zip');
      assert.equal(whole.headers.get('content-length'), String(bytes.length));
      assert.equal(whole.headers.get('accept-ranges'), 'bytes');
      assert.equal(
        whole.headers.get('content-disposition'),
        'attachment; filename="my-project-1.0.0-docs.zip"',
      );
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      assert.equal(whole.headers.get('etag'), `"${sha256}"`);
      for (const path of [
        '/api/download/my-project/latest',
        '/my-project-latest-docs.zip',
        '/my-project-1.0.0-docs.zip',
      ]) {
        const part = await server.get(path, { Range: 'bytes=10-19' });
        assert.equal(part.status, 206, path);
        assert.equal(
          part.headers.get('content-disposition'),
          'attachment; filename="my-project-1.0.0-docs.zip"',
        );
        assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20));
        const own = (await server.get(path)).headers.get('etag') ?? '';
        assert.equal(own === `"${sha256}"`, expected(`the ETag of ${path} is the sha256`, true));
        assert.equal((await server.get(path, { 'If-None-Match': own })).status, 304);
      }
    });

    const NO_ARCHIVE: readonly [path: string, error: string][] = [
      ['nothing/1.0', 'project_not_found'],
      ['my-project/3.0', 'version_not_found'],
      ['my/project-1.0.0', 'project_not_found'],
      ['nothing/latest', 'project_not_found'],
      ['my-project/LATEST', 'version_not_found'],
      ['my-project/%2e%2e', 'version_not_found'],
      ['my-project/1.0.0%2f', 'version_not_found'],
      ['%2e%2e/1.0.0', 'project_not_found'],
      ['my-project/', 'not_found'],
      ['my-project/1.0.0/', 'not_found'],
    ];
    for (const [path, error] of NO_ARCHIVE) {
      it(`has no archive at /api/download/${path}`, async () => {
        const { status, body } = await server.rawGet(`/api/download/${path}`);
        assert.deepEqual([status, JSON.parse(body).error], [404, error]);
      });
    }

    it('never serves a stale state', async () => {
      for (let round = 0; round < 10; round++) {
        for (const name of ['fresh-1.0', 'fresh-2.0']) {
          assert.ok(
            (await server.upload(`${name}-docs.zip`, { 'index.html': `${name} ${round}` })).status < 300,
          );
          for (const path of [`/${name}/`, '/fresh-latest/', '/fresh-latest/']) {
            const expected =
              path === '/fresh-latest/' ? `${round === 0 ? name : 'fresh-2.0'} ` : `${name} ${round}`;
            assert.ok((await (await server.get(path)).text()).startsWith(expected), path);
          }
        }
      }
      assert.equal((await server.delete('fresh/2.0')).status, 200);
      assert.equal(await (await server.get('/fresh-latest/')).text(), 'fresh-1.0 9');
      assert.equal((await server.get('/fresh-2.0/')).status, 404);
    });

    it('differs from the contract in every listed difference', () => {
      assert.deepEqual([...differing].sort(), Object.keys(differences).sort());
    });
  });
}
