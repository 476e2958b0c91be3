import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import {
  archiveHash,
  archiveOf,
  get,
  hashOf,
  markOf,
  remove,
  siteOf,
  TOKENS_JSON,
  upload,
} from './client.js';
import { leftovers, openBelow } from './leftovers.js';

/** Seconds of mixed load in each test; `LECTERN_CONCURRENCY_SECONDS=120` for two minutes. */
const SECONDS = Number(process.env.LECTERN_CONCURRENCY_SECONDS ?? 1);
const AT_ONCE = 50;

describe('Two servers on one docs directory, under many changes at once,', () => {
  let place: string;
  let docs: string;
  let servers: (SpawnedServer & { url: string })[];
  let descriptors: readonly number[];

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    docs = join(place, 'docs');
    await writeFile(join(place, 'tokens.json'), TOKENS_JSON);
    const args = [
      '-d',
      docs,
      '--tokens',
      join(place, 'tokens.json'),
      '--max-uploads',
      // A token can have all of them but one.
      '51',
      '--log-level',
      'error',
      // Another test is about changes during indexing.
      '--search',
      'off',
    ];
    servers = [];
    while (servers.length < 2) servers.push(await SpawnedServer.start(args));
    // The threads and what they open once are there before the first count.
    await Promise.all(
      servers.flatMap(({ url }, number) => [
        upload(url, `w${number}-1.0`, archiveOf('w')),
        upload(url, `v${number}-1.0`, archiveOf('v')),
      ]),
    );
    descriptors = await Promise.all(servers.map(descriptorsOf));
  });
  after(async () => {
    for (const server of servers) await server.stop();
    await rm(place, { recursive: true });
  });

  const urlOf = (number: number) => servers[number % servers.length]?.url ?? '';

  it('let exactly one of fifty uploads of a new version win, complete', async () => {
    const marks = Array.from({ length: AT_ONCE }, (_, number) => `first ${number}`);
    const answers = await Promise.all(
      marks.map((mark, number) => upload(urlOf(number), 'a-1.0', archiveOf(mark), 'secret-new')),
    );
    const won = answers.flatMap(({ status }, number) => (status === 201 ? [number] : []));
    assert.equal(won.length, 1, answers.map(({ status }) => status).join(' '));
    for (const [number, { status, text }] of answers.entries()) {
      assert.ok(number === won[0] || status === 409 || status === 503, text);
    }
    for (const { url } of servers) await assertWhole(url, marks[won[0] ?? 0] ?? '');
  });

  it('accept fifty replacements of one version, and show one of them, complete', async () => {
    const marks = Array.from({ length: AT_ONCE }, (_, number) => `second ${number}`);
    const answers = await Promise.all(
      marks.map((mark, number) => upload(urlOf(number), 'a-1.0', archiveOf(mark))),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    const mark = markOf(await readFile(join(docs, 'a-1.0/index.html'), 'utf8')) ?? '';
    assert.ok(marks.includes(mark));
    for (const { url } of servers) await assertWhole(url, mark);
  });

  it('show each change at once to readers of the changed server, and soon to all others', async () => {
    for (let round = 0; round < 5; round++) {
      const mark = `round ${round}`;
      await upload(urlOf(round), 'a-1.0', archiveOf(mark));
      assert.equal(markOf((await get(urlOf(round), '/a-1.0/')).text), mark);
      for (const { url } of servers) await assertWhole(url, mark);
    }
  });

  it('respond to every read and download completely, or not at all, while versions are replaced and deleted', async (t) => {
    const figures = await mixedLoad(urlOf, SECONDS * 1_000);
    t.diagnostic(`${SECONDS} s: ${JSON.stringify(figures)}`);
    assert.ok(isEnough(figures));
    const allowed = /^(read (200|404)|download (200|404)|replace (200|201)|delete (200|404))$/;
    assert.deepEqual(
      Object.keys(figures).filter((name) => !allowed.test(name)),
      [],
    );
  });

  it('keep no leftovers of the changes', async () => {
    await until(async () => (await leftovers(docs)).length === 0);
    for (const [index, server] of servers.entries()) {
      await until(async () => (await openBelow(server.pid, docs)).length === 0);
      await until(async () => (await descriptorsOf(server)) <= (descriptors[index] ?? 0));
    }
  });
});

const isEnough = (figures: Readonly<Record<string, number>>) =>
  (figures['read 200'] ?? 0) > 10 && (figures['replace 200'] ?? 0) > 10;

/** Goes on for so long, and on a busy machine until it has seen enough. */
async function mixedLoad(urlOf: (number: number) => string, forMs: number): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const start = Date.now();
  const goesOn = () =>
    Date.now() < start + forMs || (!isEnough(figures) && Date.now() < start + forMs + 90_000);
  const always = async (work: () => Promise<string>) => {
    while (goesOn()) {
      const outcome = await work();
      figures[outcome] = (figures[outcome] ?? 0) + 1;
    }
  };
  let made = 0;
  /** Archives that have been sent, by mark and by hash; an answer must be one of them. */
  const marks = new Set(['round 4']);
  const sent = new Set([hashOf(archiveOf('round 4'))]);
  const work = Array.from({ length: 4 }, (_, number) => {
    const url = urlOf(number);
    return [
      always(async () => {
        made += 1;
        const mark = `third ${made}`;
        const archive = archiveOf(mark, made % 2 === 0 ? 3_000 : 200_000);
        marks.add(mark);
        sent.add(hashOf(archive));
        return `replace ${(await upload(url, 'a-1.0', archive)).status}`;
      }),
      always(async () => {
        await sleep(30);
        return `delete ${(await remove(urlOf(number + 1), 'a', '1.0')).status}`;
      }),
      always(async () => {
        const { status, text } = await get(url, '/a-1.0/');
        if (status === 200) assert.ok(marks.has(markOf(text) ?? ''), text.slice(0, 100));
        return `read ${status}`;
      }),
      always(async () => {
        const { status, text } = await get(urlOf(number + 1), '/a-1.0/a/c.css');
        const mark = /\/\* (.*) \*\//.exec(text)?.[1] ?? '';
        if (status === 200)
          assert.ok(marks.has(mark) && text === siteOf(mark)['a/c.css'], text.slice(0, 100));
        return `read ${status}`;
      }),
      always(async () => {
        const hash = await archiveHash(url, 'a-1.0');
        assert.ok(hash === undefined || sent.has(hash), 'an archive that nobody has sent');
        return `download ${hash === undefined ? 404 : 200}`;
      }),
    ];
  });
  await Promise.all(work.flat());
  return figures;
}

/** Waits until a server shows an upload, since another server may have made it; then asserts that all of it is there. */
async function assertWhole(url: string, mark: string): Promise<void> {
  await until(async () => markOf((await get(url, '/a-1.0/')).text) === mark);
  assert.equal((await get(url, '/a-1.0/a/c.css')).text, siteOf(mark)['a/c.css']);
  assert.equal(await archiveHash(url, 'a-1.0'), hashOf(archiveOf(mark)));
}

/** Files and directories that are open. Sockets come and go with clients, other descriptors with worker threads. */
async function descriptorsOf({ pid }: SpawnedServer): Promise<number> {
  const all = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(all.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith('/')).length;
}
