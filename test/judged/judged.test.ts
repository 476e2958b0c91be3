/**
 * The ranking, judged by queries over 32 sites of Debian's packages. They are downloaded the first time (400 MB unpacked
 * for flask, postgres and openjdk; 1.5 GB for all) and kept in .corpus/packages.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { JUDGED, judge, THREE, type Verdict } from './judge.js';
import { JUDGED_SITES, type JudgedSite } from './sites.js';
import { unpacked } from './unpack.js';

/** Shares of queries whose page comes first, and is among the first three. */
const TARGETS = { judged: [0.85, 0.92], holdOut: [0.75, 0.87] } as const;

/** Sites that are built at the same time. They take 100 s of processor time together. */
const AT_ONCE = 4;
const BUILD_SITE = fileURLToPath(import.meta.url.replace('judged.test', 'build-site'));
const run = promisify(execFile);

/** The largest sites, which are built first: the last one keeps all waiting. */
const LARGEST = ['rust', 'openjdk', 'cppreference'];
const isLarge = ({ project }: JudgedSite) => Number(LARGEST.includes(project));

describe('the judged queries', { timeout: 280_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-judged-'));
  const fileOf = (revision: string) => join(directory, `${revision}.db`);
  const index = new SqliteSearchIndex({ fileOf });
  const live = JUDGED_SITES.map(({ project }) => ({ revision: project, project }));
  let unavailable: string | undefined;

  before(async () => {
    const waiting = [...JUDGED_SITES].sort((a, b) => isLarge(b) - isLarge(a));
    const build = async () => {
      for (let site = waiting.shift(); site !== undefined; site = waiting.shift()) {
        const name = site.package;
        await unpacked(site).catch((error: unknown) => {
          unavailable ??= `apt-get cannot download ${name} here: ${String(error)}`;
        });
        if (unavailable !== undefined) return;
        await run(process.execPath, [...process.execArgv, BUILD_SITE, site.project, fileOf(site.project)]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, build));
  });
  after(async () => {
    await index.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const reach = (verdict: Verdict, [first, inThree]: readonly [number, number]) => {
    const told = `${verdict.first} first, ${verdict.inThree} in three of ${verdict.queries}: ${verdict.others.join(', ')}`;
    assert.ok(verdict.first >= first * verdict.queries, told);
    assert.ok(verdict.inThree >= inThree * verdict.queries, told);
  };

  it('over flask, postgres and openjdk find the page', async (test) => {
    if (unavailable !== undefined) return test.skip(unavailable);
    const three = live.filter(({ project }) => THREE.includes(project));
    reach(await judge(index, JUDGED.three, three), TARGETS.judged);
  });

  it('over all sites find the page', async (test) => {
    if (unavailable !== undefined) return test.skip(unavailable);
    reach(await judge(index, JUDGED.all, live), TARGETS.judged);
  });

  it('that the ranking was not made for find the page', async (test) => {
    if (unavailable !== undefined) return test.skip(unavailable);
    reach(await judge(index, JUDGED.holdOut, live), TARGETS.holdOut);
  });
});
