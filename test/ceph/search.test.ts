import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { ObjectClient } from '../../src/adapters/object-store/client/object-client.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { type Ceph, needsCeph, sharedCeph } from '../support/ceph/ceph.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';
import { Node, placeIn } from './nodes.js';

const PAGES = 300;

/** Pages of which one has the word, and all have text that compresses badly. */
function siteAbout(word: string): Buffer {
  const textOf = (page: number) =>
    Array.from({ length: 100 }, (_, at) => ((at + 1) * (page + 7) * 2_654_435_761).toString(36)).join(' ');
  const pages = Array.from({ length: PAGES }, (_, page): [string, string] => [
    page === 0 ? 'index.html' : `${page}.html`,
    `<title>Page ${page}</title><main><p>${page === 77 ? word : 'other'} ${textOf(page)}</p></main>`,
  ]);
  return zipOf(Object.fromEntries(pages));
}

/** How many requests of a kind a node has sent to the store that succeeded. */
async function requestsOf(node: Node, operation: 'get' | 'put'): Promise<number> {
  const { body } = await node.get('/-/metrics');
  const name = `lectern_store_request_duration_seconds_count{operation="${operation}",result="ok"} `;
  const line = body
    .toString()
    .split('\n')
    .find((each) => each.startsWith(name));
  return Number(line?.slice(name.length) ?? 0);
}

async function isFound(node: Node, word: string): Promise<boolean> {
  const { body } = await node.get(`/api/search?q=${word}&project=tool`);
  return JSON.parse(body.toString()).total === 1;
}

describe('Nodes that search', needsCeph, () => {
  let ceph: Ceph;
  before(async () => {
    ceph = await sharedCeph();
  });

  it('index the pages of a version once: one node builds, all other nodes fetch', async (t) => {
    const { name, open } = await makeBucket(ceph);
    const bucket = await open();
    t.after(() => bucket.close());
    const [here, there] = ceph.endpoints;
    const start = (endpoint: string) =>
      Node.started(t, placeIn(ceph, name), endpoint, '--metrics', '--store-poll', '3');
    const [first, second] = await Promise.all([start(here), start(there)]);
    // Two nodes that begin in the same moment would both read them.
    second.signal('SIGSTOP');
    assert.equal((await first.upload('tool-1.0', siteAbout('marmalade'))).status, 201);
    await until(() => isClaimed(bucket));
    second.signal('SIGCONT');
    for (const node of [first, second]) await until(() => isFound(node, 'marmalade'));
    const late = await start(there);
    await until(() => isFound(late, 'marmalade'));
    assert.equal((await archivesOf(first)).length, 1);
    for (const node of [second, late]) {
      // The log, every three seconds, and the database: neither the archive nor any page of it.
      assert.ok((await requestsOf(node, 'get')) < PAGES / 2, String(await requestsOf(node, 'get')));
      assert.equal(await requestsOf(node, 'put'), 0);
      assert.deepEqual(await archivesOf(node), []);
    }
  });
});

async function isClaimed(bucket: ObjectClient): Promise<boolean> {
  for await (const { key } of bucket.list('')) if (key.endsWith('.claim')) return true;
  return false;
}

/** Archives in a node's cache: it has read files of these. */
async function archivesOf(node: Node): Promise<readonly string[]> {
  const names = await readdir(node.cacheDirectory, { recursive: true });
  return names.filter((name) => name.endsWith('.zip'));
}
