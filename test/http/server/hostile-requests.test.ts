import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../support/server.js';

const VERSIONS = 12;

describe('A request that is made to be expensive', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (let number = 0; number < VERSIONS; number++) {
      await server.upload(`lib-1.${number}-docs.zip`, { 'index.html': 'front page'.repeat(200) });
    }
  });
  after(() => server.close());

  for (const [what, path, expected] of [
    ['a missing page', '/lib-1.1/', 404],
    ['a missing version', '/lib-9.9/', 404],
    ['the same page in another version', '/-/go/lib-1.1/', 302],
  ] as const) {
    it(`costs no more for ${what} after 15,000 slashes than after as many letters`, async () => {
      /** Microseconds of processor time. */
      const costOf = async (character: string) => {
        const before = process.cpuUsage();
        for (let times = 0; times < 20; times++) {
          const { status } = await server.rawGet(`${path}a${character.repeat(15_000)}b`);
          assert.equal(status, expected);
        }
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      // The least of several: other threads of this process work now and then.
      const leastOf = async (character: string) => {
        const costs: number[] = [];
        while (costs.length < 3) costs.push(await costOf(character));
        return Math.min(...costs);
      };
      const [letters, slashes] = [await leastOf('a'), await leastOf('/')];
      // The square of the slashes costs a tenth of a second: about a hundred times as much.
      assert.ok(slashes < 10 * letters, `${slashes} microseconds, and ${letters} for letters`);
    });
  }

  it('gets an uncompressed response with more than 1,000 characters in Accept-Encoding', async () => {
    const encodingFor = async (length: number) => {
      const header = `gzip${',br'.repeat(400)}`.slice(0, length);
      const answer = await server.get('/lib-1.1/', { 'Accept-Encoding': header });
      assert.equal(await answer.text(), 'front page'.repeat(200));
      return answer.headers.get('content-encoding');
    };
    assert.equal(await encodingFor(1_000), 'gzip');
    assert.equal(await encodingFor(1_001), null);
  });

  it('has no preference with more than 1,000 characters in Accept', async () => {
    const answerTo = (path: string, type: string, length: number) =>
      server.get(path, { Accept: `${type}${',a/b'.repeat(400)}`.slice(0, length) });
    const help = async (length: number) =>
      (await answerTo('/api/help', 'text/html', length)).headers.get('content-type');
    assert.equal(await help(1_000), 'text/html; charset=utf-8');
    assert.equal(await help(1_001), 'text/plain; charset=utf-8');
    const move = async (length: number) =>
      (await answerTo('/-/go/lib-1.1/', 'application/json', length)).status;
    assert.deepEqual([await move(1_000), await move(1_001)], [200, 302]);
  });

  it('gets a response with any lists in its headers', async () => {
    for (const [name, value] of [
      ['Accept', 'text/html;q=0,'],
      ['Accept-Encoding', 'a;q=0.1,'],
      ['If-None-Match', 'W/"a",'],
      ['If-None-Match', 'a,'],
      ['Range', 'bytes=0-1,'],
      ['Referer', 'http://a/'],
    ] as const) {
      for (const path of ['/lib-1.1/', '/api/help', '/versions.json']) {
        const answer = await server.get(path, { [name]: value.repeat(Math.floor(8_000 / value.length)) });
        assert.equal(answer.status, path === '/versions.json' ? 404 : 200, `${name} ${path}`);
        await answer.text();
      }
    }
  });
});
