import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { FAKE_CREDENTIALS, type FakeS3, startFakeS3 } from '../support/fake-s3.js';
import { until } from '../support/until.js';
import { ARCHIVE, GZIP, LARGE, SMALL } from './damaged-site.js';
import { Node } from './nodes.js';

/** A position in the data of each file. */
const IN_EACH_FILE = [100, ARCHIVE.indexOf('large.txt') + 700_000, ARCHIVE.indexOf('stored.txt') + 700_000];
/** Files and how they are asked for, what they hold, and whether an answer is checked before any of it is sent. */
const REQUESTS = [
  ['index.html', {}, SMALL, true],
  ['index.html', GZIP, SMALL, true],
  ['large.txt', {}, LARGE, false],
  ['large.txt', GZIP, LARGE, false],
  ['stored.txt', {}, LARGE, false],
] as const;
const NO_CACHE_ON_DISK = ['--cache-dir-size', '1'];

/** A node with a store of its own. */
async function startNode(t: TestContext, ...options: string[]) {
  const fake = await startFakeS3();
  t.after(fake.close);
  const place = {
    store: 's3://bucket/team',
    accessKey: FAKE_CREDENTIALS.accessKeyId,
    secretKey: FAKE_CREDENTIALS.secretAccessKey,
  };
  const node = await Node.started(t, place, fake.endpoint, '--search', 'off', ...options);
  return { fake, node };
}

/** Publishes the archive. @returns the address of the site */
async function publish(node: Node, name: string): Promise<string> {
  assert.equal((await node.upload(name, ARCHIVE)).status, 201);
  return `/${name}/`;
}

/** The text that an answer means; undefined when the answer is broken off. */
async function textOf(node: Node, path: string, headers: Record<string, string>) {
  const answer = await node.get(path, headers).catch(() => undefined);
  if (answer === undefined) return undefined;
  assert.equal(answer.status, 200);
  const { body } = answer;
  return (body[0] === 0x1f ? gunzipSync(body) : body).toString();
}

/** Flips a bit in the middle. */
function flip(bytes: Buffer): void {
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
}

/** Answers the next range of an archive with a wrong byte. @returns whether that has happened */
function flipOneAnswer(fake: FakeS3): () => boolean {
  let isDone = false;
  fake.intercept = (request, response) => {
    const [, key = ''] = /^\/bucket\/(team\/archive\/[^?]*)/.exec(request.url ?? '') ?? [];
    const [, start = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const object = fake.objects.get(key);
    if (isDone || object === undefined || start === '') return false;
    isDone = true;
    const part = Buffer.from(object.subarray(Number(start), Number(last) + 1));
    flip(part);
    response.writeHead(206, {
      'content-length': part.length,
      'content-range': `bytes ${start}-${last}/${object.length}`,
    });
    response.end(part);
    return true;
  };
  return () => isDone;
}

describe('A node whose store gives one wrong byte', () => {
  it('never sends the wrong byte in a file as whole, nor caches it, uncompressed and as gzip', async (t) => {
    const { fake, node } = await startNode(t, ...NO_CACHE_ON_DISK);
    for (const [number, [path, headers, content, isCheckedBefore]] of REQUESTS.entries()) {
      const url = (await publish(node, `tool-1.${number}`)) + path;
      const isDone = flipOneAnswer(fake);
      const first = await textOf(node, url, headers);
      assert.ok(isDone(), url);
      assert.ok(first === (isCheckedBefore ? content : undefined), `${url}: ${first?.length} bytes`);
      for (const _ of ['second', 'third']) assert.ok((await textOf(node, url, headers)) === content, url);
    }
  });
});

describe('A node whose store holds an archive with wrong bytes', () => {
  it('answers no page of the archive with 200 as whole, names the pages in the log, and recovers with the store', async (t) => {
    const { fake, node } = await startNode(t, ...NO_CACHE_ON_DISK);
    const site = await publish(node, 'tool-1.0');
    const [key = '', right = Buffer.of()] =
      [...fake.objects].find(([each]) => each.includes('/archive/')) ?? [];
    const wrong = Buffer.from(right);
    for (const at of IN_EACH_FILE) wrong[at] = (wrong[at] ?? 0) ^ 0x10;
    fake.objects.set(key, wrong);
    for (const [path, headers, , isCheckedBefore] of REQUESTS) {
      const answer = await node.get(site + path, headers).catch(() => undefined);
      assert.equal(answer?.status, isCheckedBefore ? 500 : undefined, path);
    }
    for (const name of ['index.html', 'large.txt', 'stored.txt']) {
      await until(async () => node.log.includes(`'${name}' in the archive `));
    }
    fake.objects.set(key, right);
    for (const [path, headers, content] of REQUESTS) {
      assert.ok((await textOf(node, site + path, headers)) === content, path);
    }
  });
});

describe('A node whose cached archive has a wrong byte, with its old time of change,', () => {
  it('never sends the wrong byte in a file as whole, nor keeps it, uncompressed and as gzip', async (t) => {
    const { node } = await startNode(t);
    const directory = join(node.cacheDirectory, 'archives');
    const reference = join(node.home, 'reference');
    for (const [number, [path, headers, content, isCheckedBefore]] of REQUESTS.entries()) {
      const before = await readdir(directory).catch((): string[] => []);
      const url = (await publish(node, `tool-1.${number}`)) + path;
      const [name = ''] = (await readdir(directory)).filter((each) => !before.includes(each));
      const file = join(directory, name);
      await promisify(execFile)('touch', ['-r', file, reference]);
      const bytes = await readFile(file);
      for (const at of IN_EACH_FILE) bytes[at] = (bytes[at] ?? 0) ^ 0x10;
      await writeFile(file, bytes);
      // To the nanosecond, as Node cannot.
      await promisify(execFile)('touch', ['-r', reference, file]);
      const first = await textOf(node, url, headers);
      // A node that has noticed a change of the file reads from the store at once.
      if (isCheckedBefore || first !== undefined)
        assert.ok(first === content, `${url}: ${first?.length} bytes`);
      await until(async () => (await textOf(node, url, headers)) === content);
      assert.ok((await textOf(node, url, headers)) === content, url);
    }
  });
});
