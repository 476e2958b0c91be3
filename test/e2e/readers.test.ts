import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { writeZip, zipOf } from '../support/zip-writer.js';

const REPLACEMENTS = 60;
const READERS = 4;
/** More than the buffers of two sockets hold, however generous the system is. */
const BIG = writeZip([{ name: 'big.bin', content: randomBytes(64_000_000), method: 0 }]);

/** A page of one generation: its number in every line, and a length of its own. Some take several reads to send. */
function page(name: string, generation: number): string {
  const lines = 1_000 + ((generation * 97) % 500) + (generation % 10 === 0 ? 14_000 : 0);
  return `${name} ${generation} ${'·'.repeat(generation % 11)}\n`.repeat(lines);
}

const archives = Array.from({ length: REPLACEMENTS + 1 }, (_, generation) =>
  zipOf({ 'index.html': page('index', generation), 'guide.html': page('guide', generation) }),
);

describe('A reader during changes', () => {
  let place: string;
  let args: readonly string[];
  let server: SpawnedServer & { url: string };
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-readers-'));
    const tokens = join(place, 'tokens.json');
    await writeFile(tokens, '{"tokens": {"ci": {"token": "secret", "allow_overwrite": true}}}');
    args = ['-d', join(place, 'docs'), '--tokens', tokens, '--search', 'off', '--log-level', 'warn'];
  });
  after(() => rm(place, { recursive: true, force: true }));
  // Each test has its own server: idle connections to an earlier one may be about to end.
  beforeEach(async () => {
    server = await SpawnedServer.start(args);
  });
  afterEach(async () => {
    await server.stop();
  });

  async function upload(fileName: string, archive: Buffer): Promise<number> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(archive)]), fileName);
    const headers = { 'X-Token': 'secret' };
    return (await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers })).status;
  }

  async function read(path: string, encoding: string): Promise<Buffer> {
    const answer = await fetch(server.url + path, { headers: { 'Accept-Encoding': encoding } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 200, `${path}: ${bytes.subarray(0, 200)}`);
    return bytes;
  }

  /** Returns the generation of a page, and fails if the page is not whole. */
  async function generationOfPage(path: string, name: string, encoding: string): Promise<number> {
    const text = String(await read(path, encoding));
    const generation = Number(/^\w+ (\d+) /.exec(text)?.[1]);
    assert.ok(text === page(name, generation), `${path}: no whole page of generation ${generation}`);
    return generation;
  }

  async function generationOfArchive(): Promise<number> {
    const bytes = await read('/a-1.0-docs.zip', 'identity');
    const generation = archives.findIndex((archive) => archive.equals(bytes));
    assert.notEqual(generation, -1, `${bytes.length} bytes that are no archive of any generation`);
    return generation;
  }

  it('never goes back: page, page of latest and archive are each complete, and no older than before', async () => {
    assert.equal(await upload('a-1.0-docs.zip', archives[0] as Buffer), 201);
    const seen = new Set<number>();
    let isOver = false;
    const reader = async () => {
      let before = 0;
      while (!isOver) {
        for (const next of [
          () => generationOfPage('/a-1.0/', 'index', 'identity'),
          () => generationOfPage('/a-latest/guide', 'guide', 'gzip'),
          generationOfArchive,
        ]) {
          const generation = await next();
          assert.ok(generation >= before, `generation ${generation} came after ${before}`);
          before = generation;
          seen.add(generation);
        }
      }
    };
    const replacing = async () => {
      try {
        for (const [generation, archive] of archives.entries()) {
          if (generation > 0) assert.equal(await upload('a-1.0-docs.zip', archive), 200);
          // However busy the machine is, the next one comes no sooner than somebody reads this one.
          await until(() => seen.has(generation));
        }
      } finally {
        isOver = true;
      }
    };
    await Promise.all([replacing(), ...Array.from({ length: READERS }, reader)]);
  });

  it('receives all of an unread download when the server is told to stop', async () => {
    assert.equal(await upload('big-1.0-docs.zip', BIG), 201);
    const { port } = new URL(server.url);
    const asking = request(`${server.url}/api/download/big/1.0`).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const stopped = server.stop('SIGINT');
    await until(() => isRefused(Number(port)));
    const hash = createHash('sha256');
    for await (const chunk of response) hash.update(chunk as Buffer);
    assert.equal(hash.digest('hex'), createHash('sha256').update(BIG).digest('hex'));
    const { code, signal } = await stopped;
    assert.deepEqual({ code, signal }, { code: 0, signal: null });
  });
});

async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}
