import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph } from '../support/ceph/ceph.js';
import { needsNginx, startNginxOfThree } from '../support/nginx.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

type Node = SpawnedServer & { readonly url: string };

interface LogLine {
  readonly path?: string;
  readonly status?: number;
  readonly client?: string;
}

/** Lines of the log that are complete. */
function linesOf(node: Node): readonly LogLine[] {
  const lines = node.stderr.split('\n').slice(0, -1);
  return lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

describe('Three nodes behind nginx', { ...needsCeph, ...needsNginx }, () => {
  let place: string;
  let nodes: [Node, Node, Node];
  let nginx: Awaited<ReturnType<typeof startNginxOfThree>>;
  before(async () => {
    const ceph = await sharedCeph();
    const { name } = await makeBucket(ceph);
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    const tokens = join(place, 'tokens.json');
    await writeFile(
      tokens,
      '{"tokens": {"ci": {"token": "s3cret", "allow_overwrite": true, "allow_delete": true}}}',
    );
    const start = (number: number) =>
      SpawnedServer.start(
        [
          ...['--store', `s3://${name}/team`, '--store-endpoint', ceph.endpoints[number % 2] ?? ''],
          ...['--cache-dir', join(place, `cache-${number}`), '--tokens', tokens, '--trust-proxy'],
          ...['--search', 'off'],
        ],
        { AWS_ACCESS_KEY_ID: ceph.accessKey, AWS_SECRET_ACCESS_KEY: ceph.secretKey },
      );
    nodes = await Promise.all([start(1), start(2), start(3)]);
    nginx = await startNginxOfThree([nodes[0].url, nodes[1].url, nodes[2].url]);
  });
  after(async () => {
    await nginx?.close();
    await Promise.all((nodes ?? []).map((node) => node.stop()));
    await rm(place, { recursive: true, force: true });
  });

  const headers = { 'X-Token': 's3cret' };
  async function upload(url: string, name: string, files: Parameters<typeof zipOf>[0]): Promise<number> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(zipOf(files))]), `${name}-docs.zip`);
    const answer = await fetch(`${url}/api/upload`, { method: 'POST', headers, body: form });
    await answer.arrayBuffer();
    return answer.status;
  }
  const textOf = async (url: string) => (await fetch(url)).text();
  /** Waits until all nodes answer alike. */
  const onAllNodes = (isTrue: (url: string) => Promise<boolean>) =>
    Promise.all(nodes.map(({ url }) => until(() => isTrue(url))));

  it('show an upload through nginx, whichever node received it', async () => {
    assert.equal(await upload(nginx.url, 'tool-1.0', { 'index.html': 'one' }), 201);
    await onAllNodes(async (url) => (await textOf(`${url}/tool-1.0/`)) === 'one');
    for (let count = 0; count < 4; count++) assert.equal(await textOf(`${nginx.url}/tool-1.0/`), 'one');
    assert.equal(await upload(nginx.url, 'tool-1.0', { 'index.html': 'two' }), 200);
    await onAllNodes(async (url) => (await textOf(`${url}/tool-1.0/`)) === 'two');
    // The copy of the page before is there, and is not sent.
    for (let count = 0; count < 4; count++) assert.equal(await textOf(`${nginx.url}/tool-1.0/`), 'two');
  });

  it('are asked for each page, and send its body once', async () => {
    const page = 'a page '.repeat(1_000);
    assert.equal(await upload(nginx.url, 'kept-1.0', { 'index.html': page }), 201);
    await onAllNodes(async (url) => (await fetch(`${url}/kept-1.0/`)).ok);
    const path = '/kept-1.0/index.html';
    for (let count = 0; count < 6; count++) {
      const answer = await fetch(nginx.url + path);
      assert.equal(await answer.text(), page);
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      assert.equal(answer.headers.get('content-encoding'), 'gzip');
      assert.equal(answer.headers.get('x-accel-expires'), null);
      assert.equal(answer.headers.has('x-request-id'), count === 0);
    }
    const statuses = () => nodes.flatMap(linesOf).flatMap((line) => (line.path === path ? line.status : []));
    await until(() => statuses().length === 6);
    assert.deepEqual(statuses().sort(), [200, 304, 304, 304, 304, 304]);
  });

  it('send archives and ranges, which nginx does not cache', async () => {
    assert.equal(await upload(nginx.url, 'big-1.0', { 'index.html': 'front', 'a.txt': '0123456789' }), 201);
    await onAllNodes(async (url) => (await fetch(`${url}/big-1.0/`)).ok);
    assert.equal((await fetch(`${nginx.url}/big-1.0-docs.zip`)).status, 200);
    const part = await fetch(`${nginx.url}/big-1.0/a.txt`, { headers: { Range: 'bytes=2-4' } });
    assert.deepEqual([part.status, await part.text()], [206, '234']);
    const found = await readdir(join(nginx.home, 'cache'), { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
    const copies = await Promise.all(files.map((file) => readFile(file, 'latin1')));
    const kept = copies.map((copy) => /^KEY: [\w.:]+(\/\S*)/m.exec(copy)?.[1]);
    assert.ok(kept.includes('/tool-1.0/'));
    assert.deepEqual([kept.includes('/big-1.0-docs.zip'), kept.includes('/big-1.0/a.txt')], [false, false]);
  });

  it('show nothing of a removed version once they know the removal, although nginx has a copy', async () => {
    assert.equal(await upload(nginx.url, 'gone-1.0', { 'index.html': 'there' }), 201);
    await onAllNodes(async (url) => (await fetch(`${url}/gone-1.0/`)).ok);
    for (let count = 0; count < 4; count++) assert.equal(await textOf(`${nginx.url}/gone-1.0/`), 'there');
    const removed = await fetch(`${nginx.url}/api/delete/gone/1.0`, { method: 'DELETE', headers });
    assert.equal(removed.status, 200);
    await onAllNodes(async (url) => (await fetch(`${url}/gone-1.0/`)).status === 404);
    for (let count = 0; count < 4; count++) {
      assert.equal((await fetch(`${nginx.url}/gone-1.0/`)).status, 404);
    }
  });

  it("show an upload to its sender at once with the commented line of nginx's configuration", async (t) => {
    const [one, two, three] = nodes;
    const hashing = await startNginxOfThree([one.url, two.url, three.url], { '# hash ': 'hash ' });
    t.after(() => hashing.close());
    for (const name of ['own-1.0', 'own-2.0', 'own-3.0', 'own-4.0']) {
      assert.equal(await upload(hashing.url, name, { 'index.html': name }), 201);
      assert.equal(await textOf(`${hashing.url}/${name}/`), name);
    }
    // Clients ask for pages and for the API, which nginx routes differently.
    const clients = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7'];
    for (const localAddress of clients) {
      for (const path of ['/own-1.0/', '/api/version']) {
        const [answer] = await once(get(hashing.url + path, { localAddress }), 'response');
        answer.resume();
        await once(answer, 'end');
      }
    }
    const seen = () => nodes.map((node) => linesOf(node).flatMap(({ client }) => client ?? []));
    await until(() =>
      clients.every(
        (client) =>
          seen()
            .flat()
            .filter((each) => each === client).length === 2,
      ),
    );
    for (const client of clients) {
      assert.equal(seen().filter((found) => found.includes(client)).length, 1, client);
    }
  });

  it('keep their metrics private', async () => {
    assert.equal((await fetch(`${nginx.url}/-/metrics`)).status, 403);
  });

  it("lose no reader's request when one node is killed, and accept uploads", async () => {
    let reads = 0;
    let isOver = false;
    const wrong: unknown[] = [];
    const reader = async () => {
      for (; !isOver; reads++) {
        const answer = await fetch(`${nginx.url}/tool-latest/?reader`).catch((error: unknown) => error);
        if (!(answer instanceof Response) || (await answer.text()) !== 'two') wrong.push(answer);
      }
    };
    const reading = Promise.all(Array.from({ length: 4 }, reader));
    await until(() => reads > 20);
    await nodes[1].stop('SIGKILL');
    const before = reads;
    await until(() => reads > before + 200);
    for (const name of ['next-1.0', 'next-2.0', 'next-3.0']) {
      assert.equal(await upload(nginx.url, name, { 'index.html': 'next' }), 201);
    }
    isOver = true;
    await reading;
    assert.deepEqual(wrong, []);
  });
});
