import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph } from '../support/ceph/ceph.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';
import { Node, placeIn } from './nodes.js';

const WRITERS = 50;

describe('Three nodes on a Ceph cluster', needsCeph, () => {
  it('let one of fifty writers create a new version, report it to all other writers, and leave nothing of theirs', async (t) => {
    const ceph = await sharedCeph();
    const bucket = await makeBucket(ceph);
    const place = placeIn(ceph, bucket.name);
    const nodes = await Promise.all(
      [0, 1, 2].map((index) =>
        Node.started(
          t,
          place,
          ceph.endpoints[index % 2] ?? '',
          ...['--max-uploads', String(WRITERS + 1), '--search', 'off', '--no-link-check'],
        ),
      ),
    );
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => {
        const archive = zipOf({ 'index.html': `writer ${writer}` });
        return nodes[writer % nodes.length]!.upload('tool-1.0', archive, { mayReplace: false });
      }),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted(),
      [201, ...Array.from({ length: WRITERS - 1 }, () => 409)],
      statuses.join(),
    );
    for (const node of nodes) {
      await until(async () => (await node.get('/tool-1.0/')).status === 200);
      assert.equal((await node.get('/tool-1.0/')).body.toString(), `writer ${statuses.indexOf(201)}`);
      assert.deepEqual(await readdir(join(node.cacheDirectory, 'incoming')), []);
    }
    const client = await bucket.open({ prefix: 'team/' });
    t.after(() => client.close());
    const kinds: string[] = [];
    for await (const { key } of client.list('')) kinds.push(key.split('/')[0] ?? '');
    assert.deepEqual(kinds, ['archive', 'head', 'index', 'log']);
  });
});
