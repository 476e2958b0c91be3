import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Turns } from '../../../src/adapters/http/response/texts.js';
import { TestServer } from '../../support/server.js';

const ASKED_AT_ONCE = 60;

describe('A response that takes long to build', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (let index = 0; index < 20; index++) {
      const docinfo = 'group: all';
      const { status } = await server.upload(`project${index}-1.0-docs.zip`, {
        'index.html': 'x',
        'docinfo.yaml': docinfo,
      });
      assert.equal(status, 201);
    }
  });
  after(() => server.close());

  const agent = new Agent({ keepAlive: true, maxSockets: ASKED_AT_ONCE + 1 });
  after(() => agent.destroy());

  /** Asks over a connection that nobody else uses, and notes when the answer is there. */
  const ask = async (path: string, done: string[]) => {
    const [answer] = (await once(get(server.url + path, { agent }), 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    done.push(path);
    return answer.statusCode;
  };

  const SLOW = [
    ['/?search=project', 200],
    ['/?group=all', 200],
    ['/api/projects?search=project', 200],
    ['/project1-9.9/a.html', 404],
  ] as const;
  for (const [path, status] of SLOW) {
    it(`yields to other requests, however many ask for ${path} at once`, async () => {
      // Connections are open before, so that all requests arrive together.
      await Promise.all(Array.from({ length: ASKED_AT_ONCE + 1 }, () => ask('/robots.txt', [])));
      const done: string[] = [];
      const slow = Array.from({ length: ASKED_AT_ONCE }, () => ask(path, done));
      const quick = ask('/robots.txt', done);
      assert.equal(await quick, 200);
      const before = done.length - 1;
      for (const each of await Promise.all(slow)) assert.equal(each, status);
      assert.ok(before < ASKED_AT_ONCE, `${before} answers came before the one that is quick to make`);
    });
  }

  it('is built in order of request, one per turn', async () => {
    const turns = new Turns();
    const order: (number | string)[] = [];
    const all = [1, 2, 3].map((each) => turns.next().then(() => order.push(each)));
    const other = () => {
      order.push('other');
      if (order.length < 6) setImmediate(other);
    };
    setImmediate(other);
    await Promise.all(all);
    assert.deepEqual(
      order.filter((each) => each !== 'other'),
      [1, 2, 3],
    );
    assert.ok(order.indexOf('other') < order.indexOf(2) && order.lastIndexOf('other') > order.indexOf(1));
  });
});
