/**
 * The way of a request through the code: files and functions that the server's main thread runs for it, by V8's precise coverage.
 * A server with tokens and `--search latest`, without `--usage`. Prints a table; BENCH_BEFORE has its counts beside.
 *
 *     node --import tsx bench/ways.ts
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { zipOf } from '../test/support/zip-writer.js';
import { BEFORE, inTurns, mainOfBuild } from './support/builds.js';
import { type Lectern, startLectern } from './support/lectern.js';
import { endAfter } from './support/machine.js';
import { type Answer, ask, untilIndexed } from './support/requests.js';
import { progress } from './support/script.js';
import { temporaryDirectory } from './support/temporary.js';

/** Number of tries, the shortest of which counts: in the others a timer of the server may have run as well. */
const TRIES = 4;
const TOKEN = { 'X-Token': 'measured' };
const ACCESS = { default: 'public', projects: { private: { groups: ['team'] } } };

/** Runs in the server: SIGUSR2 writes what has run since the last one, one line of JSON each time. */
const RECORDER = `
import { appendFileSync } from 'node:fs';
import { Session } from 'node:inspector';
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('SIGUSR2', () => {
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    const scripts = (coverage?.result ?? [])
      .map(({ url, functions }) => [url, functions.filter(({ ranges }) => ranges[0].count > 0).length])
      .filter(([, count]) => count > 0);
    appendFileSync(process.env.WAYS_FILE, JSON.stringify(scripts) + '\\n');
  });
});
`;

interface Way {
  readonly files: readonly string[];
  readonly functions: number;
}

interface Watched extends Lectern {
  /** Runs work against the server, and returns what ran in it meanwhile. */
  watch(work: () => Promise<unknown>): Promise<Way>;
}

async function watchedLectern(args: readonly string[]): Promise<Watched> {
  const home = temporaryDirectory('ways');
  const recorder = join(home, 'recorder.mjs');
  const file = join(home, 'ways.jsonl');
  writeFileSync(recorder, RECORDER);
  const lectern = await startLectern({
    args,
    nodeArgs: ['--import', pathToFileURL(recorder).href],
    env: { WAYS_FILE: file },
  });
  const built = pathToFileURL(dirname(mainOfBuild())).href;
  let taken = 0;
  const take = async (): Promise<Way> => {
    process.kill(lectern.pid, 'SIGUSR2');
    for (;;) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
      const line = lines[taken];
      if (line === undefined) {
        await sleep(5);
        continue;
      }
      taken += 1;
      const own = (JSON.parse(line) as [string, number][]).filter(([url]) => url.startsWith(built));
      return {
        files: own.map(([url]) => url.slice(built.length + 1)),
        functions: own.reduce((sum, [, count]) => sum + count, 0),
      };
    }
  };
  const watch = async (work: () => Promise<unknown>) => {
    await take();
    await work();
    return take();
  };
  return { ...lectern, watch };
}

/** Watches the same kind of request several times, each with its own number, after one that counts for nothing. */
async function shortest(server: Watched, request: (index: number) => Promise<unknown>): Promise<Way> {
  await request(0);
  const ways: Way[] = [];
  for (let index = 1; index <= TRIES; index += 1) ways.push(await server.watch(() => request(index)));
  return ways.reduce((least, way) => (way.functions < least.functions ? way : least));
}

async function expectStatus(status: number, asking: Promise<Answer>): Promise<Answer> {
  const answer = await asking;
  assert.equal(answer.status, status, answer.body.toString());
  return answer;
}

async function ways(): Promise<ReadonlyMap<string, Way>> {
  const archive = join(temporaryDirectory('site'), 'site.zip');
  const page = (index: number) =>
    `<!doctype html><title>Page ${index}</title><h1>Page ${index}</h1><p>How to install part ${index}.</p>`;
  const names = Array.from({ length: TRIES + 2 }, (_, index) => `page-${index}.html`);
  writeFileSync(archive, zipOf(Object.fromEntries(names.map((name, index) => [name, page(index)]))));

  progress('ways: pages, searches, agents, uploads');
  const server = await watchedLectern([]);
  await server.publish({ name: 'docs-1.0-docs.zip', archive });
  await untilIndexed(server.origin);
  const get = (path: string, status = 200, headers = {}) =>
    expectStatus(status, ask(server.origin + path, { headers }));
  const read = (index: number) => () =>
    expectStatus(200, call(server.origin, 'read_page', { project: 'docs', path: `page-${index}.html` }));
  const found = new Map<string, Way>();
  found.set('page from disk', await shortest(server, (index) => get(`/docs-1.0/page-${index}.html`)));
  found.set('page from memory', await shortest(server, () => get('/docs-1.0/page-1.html')));
  await get('/api/search?q=install');
  found.set('search', await shortest(server, (index) => get(`/api/search?q=part+${index % 2}`)));
  found.set('read_page, first', await shortest(server, (index) => read(index)()));
  found.set('read_page, again', await shortest(server, read(1)));
  found.set(
    'upload',
    await shortest(server, (index) => server.publish({ name: `up-1.${index}-docs.zip`, archive })),
  );
  await server.stop();

  progress('ways: deletes');
  const searchless = await watchedLectern(['--search', 'off']);
  for (let index = 0; index <= TRIES; index += 1) {
    await searchless.publish({ name: `docs-1.${index}-docs.zip`, archive });
  }
  found.set('delete', await shortest(searchless, (index) => searchless.remove('docs', `1.${index}`)));
  await searchless.stop();

  progress('ways: private pages');
  const rules = join(temporaryDirectory('access'), 'access.json');
  writeFileSync(rules, JSON.stringify(ACCESS));
  const guarded = await watchedLectern(['--access', rules]);
  await guarded.publish({ name: 'private-1.0-docs.zip', archive });
  const getPrivate = (index: number, headers: Readonly<Record<string, string>>, status: number) =>
    expectStatus(status, ask(`${guarded.origin}/private-1.0/page-${index}.html`, { headers }));
  found.set('private page', await shortest(guarded, (index) => getPrivate(index, TOKEN, 200)));
  found.set('private page, refused', await shortest(guarded, (index) => getPrivate(index, {}, 404)));
  await guarded.stop();
  return found;
}

/** Calls a tool of `/-/mcp`. */
async function call(origin: string, name: string, args: object): Promise<Answer> {
  const response = await fetch(`${origin}/-/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'MCP-Protocol-Version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: {}, body };
}

/** `51 / 142 (adapters/http 30, domain 11)`: files, functions, and the rooms with most files. */
function written({ files, functions }: Way): string {
  const rooms = new Map<string, number>();
  for (const file of files) {
    const [first = '', second = ''] = file.split('/');
    const room = first === 'adapters' ? `${first}/${second}` : first;
    rooms.set(room, (rooms.get(room) ?? 0) + 1);
  }
  const most = [...rooms].toSorted(([, a], [, b]) => b - a).slice(0, 4);
  return `${files.length} / ${functions} (${most.map(([room, count]) => `${room.replaceAll(sep, '/')} ${count}`).join(', ')})`;
}

endAfter(5);
const { own, before } = await inTurns(ways);
if (before instanceof Error) throw before;
const rows = [...own].map(([name, way]) => {
  const earlier = before?.get(name);
  return `| ${name} | ${earlier === undefined ? '' : `${written(earlier)} | `}${written(way)} |`;
});
const head =
  BEFORE === undefined ? ['Way', 'files / functions'] : ['Way', 'before: files / functions', 'now'];
console.log(`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}\n${rows.join('\n')}`);
process.exit(0);
