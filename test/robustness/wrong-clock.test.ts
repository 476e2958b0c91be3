import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { Changes, DeleteVersion, UploadVersion } from '../../src/application/index.js';
import { archiveNameOf, tokenActor } from '../../src/domain/index.js';
import { archives, openStore } from '../filesystem/crash-world.js';
import { FAKE_CREDENTIALS, startFakeS3 } from '../support/fake-s3.js';
import { needsFaketime, wrongClock } from '../support/faketime.js';
import { run, SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { archiveOf, remove, upload } from './client.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A minute in each second: the first ten minutes take ten seconds, and the hour after which a clock is believed sixty. */
const PACE = 60;
const FAST = `x${PACE}`;
const RULES = { pre_release_days: 30, max_age_days: 730 };
const CI = tokenActor('ci', { allowOverwrite: true, allowDelete: true });
const TOKEN = { 'X-Token': 'secret' };

type Server = Awaited<ReturnType<typeof SpawnedServer.start>>;

/** Asks on a new connection: persistent ones end after some milliseconds where a clock runs fast. */
function request(url: string, path: string, method = 'GET') {
  return new Promise<{ status: number; date: number; text: string }>((resolve, reject) => {
    const sent = httpRequest(url + path, { method, agent: false, headers: TOKEN }, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then(
        (bytes) => resolve({ status, date: Date.parse(headers.date ?? ''), text: String(bytes) }),
        reject,
      );
    });
    sent.on('error', reject).end();
  });
}

async function json(url: string, path: string, method = 'GET') {
  const { status, text } = await request(url, path, method);
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

/** Returns the time of a server's clock, in milliseconds since 1970. */
const clockOf = async ({ url }: Server) => (await request(url, '/-/health')).date;

async function removedFrom(url: string): Promise<Record<string, string>> {
  const { body } = await json(url, '/api/removed');
  const removed = body.removed as { directory: string; reason: string }[];
  return Object.fromEntries(removed.map(({ directory, reason }) => [directory, reason]));
}

async function warningsOf({ url }: Server): Promise<unknown> {
  return (await json(url, '/-/ready')).body.warnings ?? [];
}

/** The versions and previews that are served. */
async function servedBy({ url }: Server, names: readonly string[]): Promise<readonly string[]> {
  const statuses = await Promise.all(names.map(async (name) => (await request(url, `/${name}/`)).status));
  return names.filter((_, index) => statuses[index] === 200);
}

/** Lets so many minutes pass on the clock of a server that is FAST. */
async function pass(server: Server, minutes: number): Promise<void> {
  let left = minutes * 60_000;
  const end = (await clockOf(server)) + left;
  for (; left > 0; left = end - (await clockOf(server))) await sleep(left / PACE);
}

const doubts = ({ stderr }: Server) => stderr.split('the clock of this machine is in doubt').length - 1;

/** Does something in a docs directory that no server has open. The clock is right, and nothing is removed by it. */
async function inStore<Result>(
  docs: string,
  work: (store: FilesystemDocStore) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(docs, undefined, undefined, 7 * DAY);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function publishAt(docs: string, name: string, publishedAt = new Date()): Promise<void> {
  const content = Readable.from([archiveOf(name)]);
  const upload = { actor: CI, fileName: archiveNameOf(name), content, publishedAt };
  await inStore(docs, (store) => new UploadVersion(store, new Changes(store), archives).execute(upload));
}

const all = ['w-1.0', 'w-1.1', 'w-2.0-rc1', 'w-2.0', 'w~pr-1'];

describe('A server whose clock is wrong', needsFaketime, () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-clock-'));
    const token = { allow_overwrite: true, allow_delete: true, allow_manage: true, token: 'secret' };
    await writeFile(join(place, 'tokens.json'), JSON.stringify({ tokens: { ci: token } }));
    await writeFile(join(place, 'rules.json'), JSON.stringify(RULES));
  });
  after(async () => {
    await rm(place, { recursive: true, force: true });
    await archives.close();
  });
  let template: string;
  before(async () => {
    template = join(place, 'template');
    await mkdir(template);
    for (const name of ['w-0.9', ...all]) await publishAt(template, name);
    await inStore(template, (store) => new DeleteVersion(store, new Changes(store)).remove(CI, 'w', '0.9'));
  });

  const start = async (t: TestContext, args: readonly string[], clock?: string) => {
    const options = ['--tokens', join(place, 'tokens.json'), '--retention', join(place, 'rules.json')];
    const env = clock === undefined ? {} : wrongClock(clock);
    const server = await SpawnedServer.start([...args, ...options, '--search', 'off'], env);
    t.after(() => server.stop('SIGKILL'));
    return server;
  };
  const publish = async ({ url }: Server, ...names: readonly string[]) => {
    for (const name of names) {
      const { status, text } = await upload(url, name, archiveOf(name));
      assert.ok(status === 201 || status === 200, text);
    }
  };

  /** A docs directory with versions, a preview and something that can be restored. */
  const filled = async (name: string, lastMs: number | undefined = Date.now()) => {
    const docs = join(place, name);
    await cp(template, docs, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    // The file is as a server leaves it after more than an hour.
    const text = lastMs === undefined ? '' : `${new Date(lastMs).toISOString()}\n`;
    await mkdir(join(docs, '.lectern'), { recursive: true });
    await writeFile(join(docs, '.lectern/last-housekeeping'), text);
    return docs;
  };

  it('removes nothing while it is three years ahead, and logs it', async (t) => {
    const docs = await filled('ahead');
    const wrong = await start(t, ['-d', docs], `+3y ${FAST}`);
    await pass(wrong, 11);
    await until(() => doubts(wrong) > 0);
    assert.deepEqual(await warningsOf(wrong), ['clock_doubtful']);
    assert.equal(doubts(wrong), 1, wrong.stderr);
    await wrong.stop();
    const right = await start(t, ['-d', docs]);
    assert.deepEqual(await servedBy(right, all), all);
    assert.deepEqual(await warningsOf(right), []);
    assert.deepEqual(await removedFrom(right.url), { 'w-0.9': 'deleted' });
    assert.equal((await json(right.url, '/api/restore/w/0.9', 'POST')).status, 201);
  });

  it('removes nothing in the first minutes while its clock is unconfirmed', async (t) => {
    const docs = await filled('unknown', undefined);
    const wrong = await start(t, ['-d', docs], `+3y ${FAST}`);
    await pass(wrong, 11);
    await wrong.stop();
    await inStore(docs, async (store) => {
      const kept = [...store.catalogue().all()].map(({ directoryName }) => directoryName);
      assert.deepEqual(kept.sort(), all.toSorted());
      assert.deepEqual(
        (await store.removed()).map(({ version }) => version.directoryName),
        ['w-0.9'],
      );
    });
  });

  it('keeps versions published and deleted with a clock behind, for a restoration with a correct one', async (t) => {
    const docs = await filled('behind');
    const wrong = await start(t, ['-d', docs, '--metrics'], '-3y');
    await until(async () => doubts(wrong) === 1);
    assert.deepEqual(await warningsOf(wrong), ['clock_doubtful']);
    assert.match((await request(wrong.url, '/-/metrics')).text, /^lectern_clock_doubtful 1$/m);
    await publish(wrong, 'w-1.5', 'w~pr-2');
    assert.equal((await remove(wrong.url, 'w', '1.0')).status, 200);
    await wrong.stop();
    const right = await start(t, ['-d', docs], `+0 ${FAST}`);
    // The removals are three years old by the clock of that time.
    await until(async () => Object.keys(await removedFrom(right.url)).length === 4);
    assert.deepEqual(await removedFrom(right.url), {
      'w-0.9': 'deleted',
      'w-1.0': 'deleted',
      'w-1.5': 'deleted',
      'w~pr-2': 'expired',
    });
    for (const name of ['0.9', '1.0', '1.5', '~pr-2']) {
      const { status, body } = await json(right.url, `/api/restore/w/${name}`, 'POST');
      assert.equal(status, 201, JSON.stringify(body));
    }
    const back = ['w-0.9', 'w-1.0', 'w-1.5', 'w~pr-2'];
    assert.deepEqual(await servedBy(right, back), back);
  });

  it('removes an expired preview ten minutes after the start with a correct clock, not before', async (t) => {
    const docs = await filled('right', Date.now() - DAY);
    await publishAt(docs, 'w~old', new Date(Date.now() - 31 * DAY));
    const began = Date.now();
    const right = await start(t, ['-d', docs], `+0 ${FAST}`);
    assert.equal((await request(right.url, '/w~old/')).status, 404);
    await until(async () => !(await readdir(docs)).includes('w~old'));
    const { removed } = (await json(right.url, '/api/removed')).body as { removed: Record<string, string>[] };
    const { reason, removed_at: at = '' } = removed.find(({ version }) => version === '~old') ?? {};
    assert.equal(reason, 'expired');
    assert.ok(Date.parse(at) >= began + 10 * 60_000, `${at}, started at ${new Date(began).toISOString()}`);
    assert.deepEqual(await servedBy(right, all), all);
  });

  it('makes `lectern prune` remove nothing, and print the remedy for a correct clock', async (t) => {
    const docs = await filled('pruned');
    const args = ['prune', '-d', docs, '--retention', join(place, 'rules.json'), '--keep-removed', '7'];
    const refused = await run(args, wrongClock('+3y'));
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(
      refused.stderr,
      /clock .* in doubt: .*\. If the clock is right, remove .*\/last-housekeeping\. Nothing was removed\n$/,
    );
    const dry = await run([...args, '--dry-run'], wrongClock('+3y'));
    assert.equal(dry.code, 0);
    assert.match(dry.stdout, /^w~pr-1: .*expired/);
    assert.match(dry.stderr, /in doubt/);
    const server = await start(t, ['-d', docs]);
    assert.deepEqual(await servedBy(server, all), all);
    assert.deepEqual(await removedFrom(server.url), { 'w-0.9': 'deleted' });
    await rm(join(docs, '.lectern/last-housekeeping'));
    const kept = async () => (await readdir(join(docs, '.lectern/removed'))).join();
    const careful = await run(args.slice(0, -2), wrongClock('+3y'));
    assert.deepEqual([careful.code, (await kept()).includes('w-0.9')], [0, true], careful.stderr);
    assert.match(careful.stdout, /^w~pr-1: .*\n(?:w-.*\n){3}3 versions and 1 preview, .* removed\n$/);
    const clearing = await run(args, wrongClock('+3y'));
    assert.deepEqual([clearing.code, (await kept()).includes('w-0.9')], [0, false], clearing.stderr);
    await until(async () => (await servedBy(server, all)).join() === 'w-2.0');
    const { removed } = (await json(server.url, '/api/removed')).body as { removed: unknown[] };
    assert.ok(removed.length >= 4, JSON.stringify(removed));
    assert.ok(!JSON.stringify(removed).includes('w-0.9'));
  });

  for (const clock of ['+31d', '-3y']) {
    it(`harms no other node of an object store while it is ${clock}`, async (t) => {
      const store = await startFakeS3();
      t.after(store.close);
      const { accessKeyId, secretAccessKey } = FAKE_CREDENTIALS;
      Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
      const node = (name: string, at?: string) =>
        start(
          t,
          [
            '--store',
            's3://bucket/docs',
            '--store-endpoint',
            store.endpoint,
            '--cache-dir',
            join(place, clock + name),
          ],
          at,
        );
      const right = await node('right');
      await publish(right, 'w-0.9', 'w-1.0', 'w-1.1', 'w-2.0', 'w~pr-1');
      assert.equal((await remove(right.url, 'w', '0.9')).status, 200);
      const archives = () => [...store.objects.keys()].filter((key) => key.includes('archive/')).length;
      assert.equal(archives(), 5);
      const wrong = await node('wrong', clock);
      await until(async () => doubts(wrong) === 1);
      assert.deepEqual(await warningsOf(wrong), ['clock_doubtful']);
      assert.equal((await remove(wrong.url, 'w', '1.0')).status, 200);
      await until(async () => (await request(right.url, '/w-1.0/')).status === 404);
      assert.deepEqual(await removedFrom(right.url), { 'w-0.9': 'deleted', 'w-1.0': 'deleted' });
      const { body } = await json(right.url, '/api/removed');
      const [{ removed_at: removedAt = '' } = {}] = body.removed as { removed_at: string }[];
      assert.ok(Math.abs(Date.parse(removedAt) - Date.now()) < HOUR, removedAt);
      assert.deepEqual(await servedBy(right, ['w-1.1', 'w-2.0', 'w~pr-1']), ['w-1.1', 'w-2.0', 'w~pr-1']);
      assert.equal(archives(), 5);
      for (const label of ['0.9', '1.0']) {
        assert.equal((await json(right.url, `/api/restore/w/${label}`, 'POST')).status, 201);
      }
      assert.deepEqual(await warningsOf(right), []);
    });
  }
});
