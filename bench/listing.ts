/** Many projects: starting with them, listing them, and serving a page among them. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type Lectern, startLectern } from './support/lectern.js';
import { PAGE, projectName, writeLibrary } from './support/library.js';
import { CORES, requirePrograms } from './support/machine.js';
import { alternating, milliseconds } from './support/numbers.js';
import { startNodePeer } from './support/peers.js';
import { memoryOf, run } from './support/processes.js';
import { ask, assertServes } from './support/requests.js';
import { progress, ROUNDS, SECONDS, SETTLING_MS, whenRunAlone } from './support/script.js';
import { type Row, ratioRow, type Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';
import { figuresOf, load, ratesOf } from './support/wrk.js';

const VERSIONS = 20;
const FEW = 100;
const MANY = 1_000;
const VERY_MANY = 10_000;
const SEARCHES = 50;
const GZIP = { 'Accept-Encoding': 'gzip' };
/** Making 1.6 million directory entries takes minutes on a disk and seconds in memory. */
const IN_MEMORY = existsSync('/dev/shm') ? '/dev/shm' : undefined;

export async function listing(): Promise<Section> {
  requirePrograms('wrk', 'taskset', 'zip');
  const rows = [...(await thousandProjects()), ...(await growth())];
  return {
    title: 'Listing',
    note: `${MANY.toLocaleString('en')} projects with ${VERSIONS} versions each, written in the form of published ones; wrk with 32 connections, server and load on one core each, ${ROUNDS} alternating rounds of ${SECONDS} s. Growth is measured on a file system in memory.`,
    rows,
  };
}

async function thousandProjects(): Promise<Row[]> {
  progress(`listing: writing ${MANY * VERSIONS} versions`);
  const docs = join(temporaryDirectory('listing'), 'docs');
  writeLibrary(docs, MANY, VERSIONS);
  const starts = await alternating(ROUNDS, { start: () => timeOfStart(docs) });
  const lectern = await startLectern({ docs, cores: CORES.server });
  const koa = await startNodePeer('koa', '.', CORES.server);
  const rows: Row[] = [
    {
      what: 'start to ready',
      against: '',
      unit: 'ms',
      values: starts.start,
      target: { atMost: 2_000 },
    },
    ...(await rates(lectern, koa.origin)),
    await afterChange(lectern),
    await searching(lectern),
  ];
  await koa.stop();
  await lectern.stop();
  return rows;
}

async function timeOfStart(docs: string): Promise<number> {
  const lectern = await startLectern({ docs });
  await assertListed(lectern, MANY);
  await lectern.stop();
  return lectern.readyMs;
}

async function rates({ origin, pid }: Lectern, bare: string): Promise<Row[]> {
  const url = `${origin}/api/projects`;
  const kinds = {
    '304': { target: { atLeast: 0.7 }, headers: { 'If-None-Match': (await ask(url)).headers.etag ?? '' } },
    gzipped: { target: { atLeast: 0.3 }, headers: GZIP },
  };
  const rows: Row[] = [];
  for (const [kind, { headers, target }] of Object.entries(kinds)) {
    progress(`listing: ${kind}`);
    const { status, body } = await ask(url, { headers });
    assert.equal(status, kind === '304' ? 304 : 200);
    if (status === 200) assertList(gunzipSync(body), MANY);
    const ours = (seconds: number) =>
      load({ origin, pid, paths: ['/api/projects'], headers, bodyBytes: body.length, seconds });
    const theirs = (seconds: number) => load({ origin: bare, paths: ['/'], bodyBytes: 5, seconds });
    await ours(1);
    await theirs(1);
    const measured = await alternating(ROUNDS, { ours: () => ours(SECONDS), theirs: () => theirs(SECONDS) });
    const what = `GET /api/projects, ${kind}, ${body.length.toLocaleString('en')} bytes`;
    const own = figuresOf(measured.ours);
    rows.push(
      ratioRow(
        { what, against: 'bare Koa', unit: '/s', target, own },
        ratesOf(measured.ours),
        ratesOf(measured.theirs),
      ),
    );
  }
  return rows;
}

async function afterChange(lectern: Lectern): Promise<Row> {
  progress('listing: after a change');
  const home = temporaryDirectory('change');
  writeFileSync(join(home, 'index.html'), PAGE);
  const archive = join(home, 'archive.zip');
  await run('zip', ['-q', archive, 'index.html'], home);
  const { values } = await alternating(2 * ROUNDS, {
    values: async (change) => {
      if (change % 2 === 0) await lectern.publish({ name: 'changing-1.0.0-docs.zip', archive });
      else await lectern.remove('changing', '1.0.0');
      let body = Buffer.alloc(0) as Buffer;
      const ms = await milliseconds(async () => {
        body = (await ask(`${lectern.origin}/api/projects`, { headers: GZIP })).body;
      });
      assertList(gunzipSync(body), MANY + ((change + 1) % 2));
      // Beyond the doubt about time stamps that are just as old as the change.
      await sleep(200);
      return ms;
    },
  });
  return {
    what: 'first list after a change, gzipped',
    against: '',
    unit: 'ms',
    values,
    target: { atMost: 120 },
  };
}

async function searching({ origin }: Lectern): Promise<Row> {
  progress('listing: search');
  const { values } = await alternating(SEARCHES, {
    values: async (number) => {
      const wanted = projectName(number * 7);
      const startedAt = performance.now();
      const { body } = await ask(`${origin}/api/projects?search=${wanted.toUpperCase()}`);
      const ms = performance.now() - startedAt;
      assertList(body, 1);
      return ms;
    },
  });
  return { what: 'search that finds one project', against: '', unit: 'ms', values, target: { atMost: 5 } };
}

async function growth(): Promise<Row[]> {
  const few = join(temporaryDirectory('few', IN_MEMORY), 'docs');
  const many = join(temporaryDirectory('many', IN_MEMORY), 'docs');
  progress(`listing: writing ${VERY_MANY * VERSIONS} versions`);
  writeLibrary(few, FEW, VERSIONS);
  writeLibrary(many, VERY_MANY, VERSIONS);
  progress('listing: growth');
  const starts = await alternating(ROUNDS, {
    few: () => startLectern({ docs: few, cores: CORES.server }),
    many: () => startLectern({ docs: many, cores: CORES.server }),
  });
  const [small, large] = [starts.few.pop(), starts.many.pop()] as [Lectern, Lectern];
  for (const other of [...starts.few, ...starts.many]) await other.stop();
  await sleep(SETTLING_MS);
  const memory = memoryOf(large.pid).now;

  const path = `/${projectName(7)}-2.3.0/index.html`;
  const read = ({ origin, pid }: Lectern, seconds: number) =>
    load({ origin, pid, paths: [path], bodyBytes: PAGE.length, seconds });
  for (const lectern of [small, large]) {
    await assertServes(lectern.origin + path, PAGE);
    await read(lectern, 1);
  }
  const pages = await alternating(ROUNDS, {
    few: () => read(small, SECONDS),
    many: () => read(large, SECONDS),
  });
  await assertListed(large, VERY_MANY);
  await small.stop();
  await large.stop();
  const fewMs = [...starts.few, small].map(({ readyMs }) => readyMs);
  const manyMs = [...starts.many, large].map(({ readyMs }) => readyMs);
  const [versions, against] = [VERY_MANY, FEW].map((projects) => {
    return `${(projects * VERSIONS).toLocaleString('en')} versions`;
  }) as [string, string];
  return [
    ratioRow(
      { what: `start with ${versions}`, against, unit: 'ms', target: { atMost: VERY_MANY / FEW } },
      manyMs,
      fewMs,
    ),
    ratioRow(
      {
        ...{ what: `page among ${versions}, requests per second`, against, unit: '/s' },
        ...{ target: { atLeast: 0.9 }, own: figuresOf(pages.many) },
      },
      ratesOf(pages.many),
      ratesOf(pages.few),
    ),
    {
      what: `idle memory with ${versions}`,
      against: '',
      unit: 'MB',
      values: [memory],
      target: { atMost: 400 },
    },
  ];
}

async function assertListed({ origin }: Lectern, count: number): Promise<void> {
  assertList((await ask(`${origin}/api/projects`)).body, count);
}

function assertList(body: Buffer, count: number): void {
  const list = JSON.parse(body.toString()) as { count: number; projects: { versions: unknown[] }[] };
  assert.equal(list.count, count);
  assert.equal(list.projects.length, count);
  assert.equal(list.projects.find(({ versions }) => versions.length > 1)?.versions.length, VERSIONS);
}

await whenRunAlone(import.meta.url, listing);
