import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpawnedServer } from '../support/spawned-server.js';
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
import { assertListed, leaseholders, leftovers } from './leftovers.js';

/** A version and its allowed states after a kill: the last one answered, or the one under way. */
interface Tracked {
  readonly name: string;
  mark: string | undefined;
  /** Undefined when nothing is under way. */
  coming: { readonly mark: string | undefined } | undefined;
}

export interface KillFigures {
  rounds: number;
  changes: number;
  /** Rounds that hit a change under way, and how those changes turned out. */
  hits: number;
  done: number;
  undone: number;
}

/**
 * Kills a server (SIGKILL) at random instants of continuous publishing, replacing and deleting, starts it again, and
 * checks that every version is wholly the old one or wholly the new one.
 * @param main the built program, by default this checkout's
 */
export async function killRounds(
  goOn: (figures: KillFigures) => boolean,
  main?: string,
): Promise<KillFigures> {
  const place = await mkdtemp(join(tmpdir(), 'lectern-kill-'));
  const docs = join(place, 'docs');
  await writeFile(join(place, 'tokens.json'), TOKENS_JSON);
  // A kill while an index is built is tested by search.test.ts.
  const options = ['--search', 'off', '--log-level', 'error'];
  const start = () =>
    SpawnedServer.start(['-d', docs, '--tokens', join(place, 'tokens.json'), ...options], {}, main);
  const tracked = ['a', 'b', 'c'].map(
    (project): Tracked => ({ name: project, mark: undefined, coming: undefined }),
  );
  const figures: KillFigures = { rounds: 0, changes: 0, hits: 0, done: 0, undone: 0 };
  let server = await start();
  try {
    while (goOn(figures)) {
      const running = tracked.map((version) => changeUntilKilled(server.url, docs, version, figures));
      await sleep(20 + Math.random() * 400);
      await server.stop('SIGKILL');
      await Promise.all(running);
      server = await start();
      for (const version of tracked) await settle(server.url, version, figures);
      assert.deepEqual(await leftovers(docs), []);
      assert.deepEqual(await leaseholders(docs), [server.pid]);
      await assertListed(docs, server.url);
      figures.rounds += 1;
    }
  } finally {
    await server.stop('SIGKILL');
    await rm(place, { recursive: true, force: true });
  }
  return figures;
}

const SIZES = [3_000, 300_000];
let made = 0;

async function changeUntilKilled(
  url: string,
  docs: string,
  version: Tracked,
  figures: KillFigures,
): Promise<void> {
  try {
    for (;;) {
      const chance = Math.random();
      if (version.mark !== undefined && chance < 0.25)
        await change(version, undefined, () => remove(url, version.name, '1.0'));
      else if (version.mark === undefined && chance < 0.3) await putByHand(docs, version);
      else {
        made += 1;
        const mark = `${version.name} ${made}`;
        const archive = archiveOf(mark, SIZES[made % SIZES.length]);
        await change(version, mark, () => upload(url, `${version.name}-1.0`, archive));
      }
      figures.changes += 1;
    }
  } catch (error) {
    // The connection ends with the server.
    if (!(error instanceof TypeError)) throw error;
  }
}

async function change(
  version: Tracked,
  mark: string | undefined,
  send: () => Promise<{ status: number; text: string }>,
) {
  version.coming = { mark };
  const { status, text } = await send();
  assert.ok(status === 200 || status === 201, `${status} ${text}`);
  version.coming = undefined;
  version.mark = mark;
}

/** Copied in by somebody else, not by the server: it is there, whoever is killed. */
async function putByHand(docs: string, version: Tracked): Promise<void> {
  made += 1;
  const mark = `hand ${version.name} ${made}`;
  for (const [path, text] of Object.entries(siteOf(mark))) {
    const file = join(docs, `${version.name}-1.0`, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  version.mark = mark;
}

/** Finds out the state of a version after a kill, which must be one of its two allowed states. */
async function settle(url: string, version: Tracked, figures: KillFigures): Promise<void> {
  const { name, mark, coming } = version;
  const page = await get(url, `/${name}-1.0/`);
  const found = page.status === 404 ? undefined : markOf(page.text);
  const may = [mark, ...(coming === undefined ? [] : [coming.mark])];
  assert.ok(may.includes(found), `${name} is ${page.status} ${found}, and not one of ${may.join(', ')}`);
  if (found !== undefined) {
    assert.equal(markOf((await get(url, `/${name}-1.0/a/b.html`)).text), found);
    assert.equal((await get(url, `/${name}-1.0/a/c.css`)).text, siteOf(found)['a/c.css']);
    const hash = await archiveHash(url, `${name}-1.0`);
    const whole = SIZES.map((size) => hashOf(archiveOf(found, size)));
    // An archive that is built of a directory has bytes of its own.
    assert.ok(
      found.startsWith('hand') ? hash !== undefined : whole.includes(hash ?? ''),
      `archive of ${found}`,
    );
  }
  if (coming !== undefined) {
    figures.hits += 1;
    if (found === coming.mark) figures.done += 1;
    else figures.undone += 1;
  }
  version.mark = found;
  version.coming = undefined;
}
