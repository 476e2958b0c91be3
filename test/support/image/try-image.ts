/**
 * Builds the container image, and takes a newcomer's first steps with it: see `BuiltImage` for what that needs. Fails with the first
 * thing that is not as promised.
 *
 *     node --import tsx test/support/image/try-image.ts
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Corpus, corpus } from '../../../bench/corpus.js';
import { freePort } from '../free-port.js';
import { untimed } from '../from-nothing.js';
import type { SpawnedServer } from '../spawned-server.js';
import { until } from '../until.js';
import { BuiltImage, makeBase } from './built-image.js';
import { byImage } from './first-site.js';

const MAX_BYTES_OVER_BASE = 62_000_000;

const inMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
const inSeconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

// Others may come into what is served, but not past this.
const work = mkdtempSync(join(tmpdir(), 'lectern-image-'));
chmodSync(work, 0o711);
try {
  const began = performance.now();
  const base = makeBase(join(work, 'base'));
  console.log(`base made in ${inSeconds(began)}`);
  const building = performance.now();
  const image = BuiltImage.build(join(work, 'buildah'), base);
  console.log(`image built in ${inSeconds(building)}`);
  const { bytesOverBase } = image;
  console.log(`size: base + ${inMegabytes(bytesOverBase)}, of at most ${inMegabytes(MAX_BYTES_OVER_BASE)}`);
  assert.ok(bytesOverBase <= MAX_BYTES_OVER_BASE, 'the image is too large');
  await publishAndRestart(image, await corpus('small'));
  await refuseForeignVolume(image);
  console.log('a site was published in the image, and is there after a restart');
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function publishAndRestart(image: BuiltImage, site: Corpus): Promise<void> {
  const volume = image.makeVolume(join(work, 'volume'));
  const port = await freePort();
  const first = image.serve(volume, port);
  const secret = await served(first, async (url) => {
    const secret = await byImage({ image, server: first, volume, cwd: work, site }, untimed);
    await assertServed(url, site);
    const [, ...check] = image.config.Healthcheck.Test;
    await image.execute(volume, check, { LECTERN_PORT: String(port) });
    return secret;
  });
  assert.ok(!(first.stdout + first.stderr).includes(secret), 'the secret is in the log');
  assert.equal(statSync(join(volume, 'first-token')).mode & 0o777, 0o600);
  const tokens = readFileSync(join(volume, 'tokens.json'), 'utf8');
  assert.ok(!tokens.includes(secret), 'the secret is in the tokens file');

  const again = image.serve(volume, port);
  await served(again, async (url) => {
    await assertServed(url, site);
    const own = await fetch(`${url}/api/token`, { headers: { 'X-Token': secret } });
    assert.equal(own.status, 200, 'the token is unknown after the restart');
  });
  assert.doesNotMatch(again.stderr, /first-token/, 'the token was told again');
  assert.equal(readFileSync(join(volume, 'tokens.json'), 'utf8'), tokens);
}

/** A volume that belongs to root: docker makes a missing directory of the host so. */
async function refuseForeignVolume(image: BuiltImage): Promise<void> {
  const volume = join(work, 'foreign');
  mkdirSync(volume, { mode: 0o755 });
  const { code, stdout, stderr } = await image.serve(volume, 0).ended;
  const refusal = 'lectern: the tokens file /data/tokens.json: permission denied\n';
  assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: refusal });
  assert.deepEqual(readdirSync(volume), []);
}

/** Ends the server after `work`, in order. */
async function served<T>(server: SpawnedServer, work: (url: string) => Promise<T>): Promise<T> {
  const url = (await server.address()).replace('0.0.0.0', '127.0.0.1');
  try {
    return await work(url);
  } finally {
    assert.equal((await server.stop()).code, 0, server.stderr);
  }
}

async function assertServed(url: string, { project, version }: Corpus): Promise<void> {
  // Never reuses a connection of the server before.
  const get = async (path: string) => fetch(url + path, { headers: { Connection: 'close' } });
  assert.match(await (await get(`/${project}-${version}/`)).text(), /<title>[\s\S]*Flask/);
  assert.equal((await get(`/${project}-latest/`)).status, 200);
  const { projects } = (await (await get('/api/projects')).json()) as { projects: { name: string }[] };
  assert.equal(projects.length, 1);
  await until(async () => {
    const found = (await (await get('/api/search?q=blueprint')).json()) as { results?: { url: string }[] };
    return found.results?.some((each) => each.url.includes(`/${project}-`)) === true;
  });
}
