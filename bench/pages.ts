/** Pages without nginx in front: from memory and not, whole, compressed, unchanged, at clean URLs and redirected. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { corpus } from './corpus.js';
import { type Lectern, startLectern } from './support/lectern.js';
import { CORES, requirePrograms } from './support/machine.js';
import { alternating, median, ratios } from './support/numbers.js';
import { startNginx, startNodePeer } from './support/peers.js';
import { type Running, run, untilIdle } from './support/processes.js';
import { ask, assertServes } from './support/requests.js';
import { progress, ROUNDS, SECONDS, whenRunAlone } from './support/script.js';
import { htmlOf, ofSize, shuffled } from './support/site-files.js';
import { perSecond, type Row, type Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';
import { figuresOf, type Load, type LoadResult, load, microsOf, ratesOf } from './support/wrk.js';

/** Single seconds differ so much that many short values tell more than few long ones. */
const LOAD = { rounds: 2 * ROUNDS, seconds: Math.max(1, Math.round(SECONDS / 2)) };
const GZIP = { 'Accept-Encoding': 'gzip' };
/** Processor time of others for each request, divided by Lectern's: for pages that are read again and again. */
const WANTED: Readonly<Record<string, Row['target']>> = {
  sirv: { atLeast: 2.8 },
  'koa-static': { atLeast: 10 },
};
/** At most 1.2 times the processor time of a page. */
const LIKE_A_PAGE: Row['target'] = { atLeast: 1 / 1.2 };
const DOWNLOAD_BYTES = 20_000_000;
const SMALL = { what: '6 KB html', bytes: 6_000 };

interface Page {
  readonly what: string;
  readonly path: string;
  readonly content: Buffer;
}

/** Tree for all servers: the large corpus, its chosen page with a `.gz` sibling, and a large file. */
interface Tree {
  readonly root: string;
  readonly small: Page;
  readonly download: Page;
  /** Every page of the corpus, in an order that is independent of its place on disk. */
  readonly all: readonly string[];
  readonly archives: readonly { readonly name: string; readonly archive: string }[];
}

type Servers = Readonly<Record<string, Running>>;

export async function pages(): Promise<Section> {
  requirePrograms('wrk', 'nginx', 'taskset', 'zip');
  const tree = await makeTree();
  const lectern = await startLectern({ cores: CORES.server });
  await publishAll(lectern, tree.archives);
  const servers = {
    lectern: lectern as Running,
    nginx: await startNginx(tree.root, CORES.server),
    sirv: await startNodePeer('sirv', tree.root, CORES.server),
    'koa-static': await startNodePeer('koa-static', tree.root, CORES.server),
    'bare Koa': await startNodePeer('koa', tree.root, CORES.server),
  };
  // The system would write the trees to disk on the servers' time.
  await run('sync', []);
  const rows = [
    ...(await hot(servers, tree)),
    ...(await compressed(servers, tree.small)),
    ...(await unchanged(servers, tree.small)),
    ...(await otherAddresses(servers, tree.small)),
    ...(await cold(servers, tree)),
    ...(await download(servers, tree.download)),
    ...(await logged(lectern, tree)),
  ];
  for (const server of Object.values(servers)) await server.stop();
  return {
    title: 'Pages',
    note: `Processor time of the other server for each request, divided by Lectern's: above 1 ×, Lectern needs less. wrk with 32 connections, server and load on one core each, ${LOAD.rounds} alternating rounds of ${LOAD.seconds} s; no server writes a log unless it says so. "bare Koa" answers five bytes to everything.`,
    rows,
  };
}

async function hot(servers: Servers, { small, download }: Tree): Promise<Row[]> {
  const files = pick(servers, 'lectern', 'nginx', 'sirv', 'koa-static');
  const assertAllServe = async (...pages: readonly Page[]) => {
    for (const { origin } of Object.values(files)) {
      for (const page of pages) await assertServes(origin + page.path, page.content);
    }
  };
  await assertAllServe(small, download);
  // V8 compiles for some seconds, on the servers' only core.
  for (const { origin } of Object.values(servers)) await load({ origin, paths: [small.path] });
  const rows = await readAgain(servers, small);
  await assertAllServe(small);
  return rows;
}

/** Reads the same page repeatedly, from Lectern and from each of the others. */
async function readAgain(servers: Servers, page: Page): Promise<Row[]> {
  progress(`pages: ${page.what}`);
  const measured = await measure(servers, (name) => ({
    paths: [page.path],
    bodyBytes: name.startsWith('bare') ? 5 : page.content.length,
  }));
  const others = Object.keys(servers).filter((name) => name !== 'lectern');
  return others.map((name) => compare(page.what, measured, name, WANTED[name]));
}

async function compressed(servers: Servers, page: Page): Promise<Row[]> {
  progress(`pages: ${page.what}, gzip`);
  const sizes = new Map<string, number>();
  const asked = pick(servers, 'lectern', 'sirv');
  for (const [name, { origin }] of Object.entries(asked)) {
    const { headers, body } = await assertServes(origin + page.path, page.content, GZIP);
    assert.equal(headers['content-encoding'], 'gzip', name);
    sizes.set(name, body.length);
  }
  const measured = await measure(asked, (name) => ({
    paths: [page.path],
    headers: GZIP,
    bodyBytes: sizes.get(name) ?? 0,
  }));
  return [compare(`${page.what}, gzip`, measured, 'sirv')];
}

async function unchanged(servers: Servers, page: Page): Promise<Row[]> {
  progress('pages: 304');
  const etags = new Map<string, string>();
  const asked = pick(servers, 'lectern', 'sirv');
  for (const [name, { origin }] of Object.entries(asked)) {
    const etag = (await ask(origin + page.path)).headers.etag ?? '';
    const { status, body } = await ask(origin + page.path, { headers: { 'If-None-Match': etag } });
    assert.deepEqual([status, body.length], [304, 0], name);
    etags.set(name, etag);
  }
  const measured = await measure(asked, (name) => ({
    paths: [page.path],
    headers: { 'If-None-Match': etags.get(name) ?? '' },
    bodyBytes: 0,
  }));
  return [compare(`${page.what}, 304`, measured, 'sirv', { atLeast: 0.9 })];
}

/** Cost of a clean URL and of a redirect, compared with the page at its own path. */
async function otherAddresses({ lectern, sirv }: Servers, { path, content }: Page): Promise<Row[]> {
  progress('pages: clean URL and redirect');
  const [one, other] = [lectern, sirv] as [Running, Running];
  const page = { paths: [path], bodyBytes: content.length };
  const clean = path.replace(/\.html$/, '');
  for (const { origin } of [one, other]) await assertServes(origin + clean, content);
  const directory = dirname(path);
  assert.equal((await ask(one.origin + directory)).status, 308, directory);
  const atClean = await measure({ lectern: one, 'the page': one, sirv: other }, (name) =>
    name === 'the page' ? page : { ...page, paths: [clean] },
  );
  const redirected = await measure({ lectern: one, 'the page': one }, (name) =>
    name === 'the page' ? page : { paths: [directory], bodyBytes: 0 },
  );
  return [
    compare('clean URL of the page', atClean, 'the page', LIKE_A_PAGE),
    compare('clean URL of the page', atClean, 'sirv'),
    compare('redirect from its directory', redirected, 'the page', LIKE_A_PAGE),
  ];
}

/** Pages that are not in memory: there is room for none. Each value begins with the same page. */
async function cold(servers: Servers, { all, root, archives }: Tree): Promise<Row[]> {
  progress('pages: cold');
  const forgetful = await startLectern({ cores: CORES.server, args: ['--cache-size', '1'] });
  await publishAll(forgetful, archives.slice(0, 1));
  await run('sync', []);
  const asked = { lectern: forgetful, ...pick(servers, 'sirv', 'nginx') };
  for (const { origin } of Object.values(asked)) {
    for (const path of all.slice(0, 200)) await assertServes(origin + path, readFileSync(root + path));
  }
  // The server is cold, not the disk.
  for (const tree of [root, forgetful.docs]) {
    await run('sh', ['-c', 'find "$1" -type f -exec cat {} + > /dev/null', 'sh', tree]);
  }
  // The others have compiled their code by now.
  await load({ origin: forgetful.origin, paths: all, seconds: 4 });
  const measured = await measure(asked, () => ({ paths: all }));
  await forgetful.stop();
  const what = `${all.length.toLocaleString('en')} distinct pages, none in memory`;
  return [compare(what, measured, 'sirv', { atLeast: 0.9 }), compare(what, measured, 'nginx')];
}

async function download(servers: Servers, file: Page): Promise<Row[]> {
  progress('pages: 20 MB');
  const measured = await measure(pick(servers, 'lectern', 'nginx'), () => ({
    paths: [file.path],
    connections: 4,
    bodyBytes: file.content.length,
  }));
  const [lectern, nginx] = [measured.lectern ?? [], measured.nginx ?? []].map((results) =>
    results.map(({ megabytesPerSecond }) => megabytesPerSecond),
  ) as [number[], number[]];
  return [
    {
      what: `${file.what}, bytes per second`,
      against: 'nginx',
      unit: '×',
      values: ratios(lectern, nginx),
      target: { atLeast: 0.7 },
      detail: `${Math.round(median(lectern))} / ${Math.round(median(nginx))} MB/s`,
      own: figuresOf(measured.lectern ?? []),
    },
  ];
}

/** Cost of the log of requests, which is on by default: a line for each. */
async function logged(lectern: Lectern, { small, archives }: Tree): Promise<Row[]> {
  progress('pages: with the log of requests');
  const talking = await startLectern({ cores: CORES.server, logLevel: 'info' });
  await publishAll(talking, archives.slice(0, 1));
  const measured = await measure({ lectern: talking, 'log-level warn': lectern }, () => ({
    paths: [small.path],
    bodyBytes: small.content.length,
  }));
  await talking.stop();
  return [compare(`${small.what}, each request logged`, measured, 'log-level warn')];
}

/** Publishes archives, and waits until they are indexed: what a page costs must not include that. */
async function publishAll(lectern: Lectern, archives: Tree['archives']): Promise<void> {
  for (const archive of archives) await lectern.publish(archive);
  await untilIdle(lectern.pid);
}

type Measured = Readonly<Record<string, readonly LoadResult[]>>;

async function measure(
  servers: Servers,
  loadOf: (name: string) => Pick<Load, 'paths' | 'headers' | 'bodyBytes' | 'connections'>,
): Promise<Measured> {
  const contenders = Object.entries(servers).map(([name, { origin, pid }]) => {
    const once = () => load({ origin, pid, seconds: LOAD.seconds, ...loadOf(name) });
    return [name, once] as const;
  });
  for (const [, once] of contenders) await once();
  return alternating(LOAD.rounds, Object.fromEntries(contenders));
}

/** Another server's processor time for a request, divided by Lectern's; the rates are in the detail. */
function compare(what: string, measured: Measured, against: string, target?: Row['target']): Row {
  const [lectern, other] = [measured.lectern ?? [], measured[against] ?? []];
  const rate = (results: readonly LoadResult[]) => perSecond(median(ratesOf(results)));
  const [ours, theirs] = [microsOf(lectern), microsOf(other)];
  return {
    what,
    against,
    unit: '×',
    values: ratios(theirs, ours),
    ...(target === undefined ? {} : { target }),
    detail: `${median(ours).toFixed(1)} / ${median(theirs).toFixed(1)} µs; ${rate(lectern)} / ${rate(other)}`,
    own: figuresOf(lectern),
  };
}

function pick(servers: Servers, ...names: readonly string[]): Servers {
  return Object.fromEntries(names.map((name) => [name, servers[name] as Running]));
}

async function makeTree(): Promise<Tree> {
  progress('pages: preparing');
  const { fileName, directory, zip } = await corpus('large');
  const home = temporaryDirectory('pages');
  const root = join(home, 'root');
  const site = fileName.replace(/-docs\.zip$/, '');
  cpSync(directory, join(root, site), { recursive: true });
  const all = htmlOf(directory);
  const addressOf = (path: string) => `/${site}/${relative(directory, path)}`;
  const path = addressOf(ofSize(all, SMALL.bytes));
  const page = readFileSync(root + path);
  writeFileSync(`${root + path}.gz`, gzipSync(page));
  const content = randomBytes(DOWNLOAD_BYTES);
  const media = join(root, 'media-1.0.0');
  cpSync(join(directory, 'index.html'), join(media, 'index.html'));
  writeFileSync(join(media, 'film.bin'), content);
  const mediaArchive = join(home, 'media-1.0.0-docs.zip');
  await run('zip', ['-q', '-1', '-r', mediaArchive, '.'], media);
  return {
    root,
    small: { what: SMALL.what, path, content: page },
    download: { what: '20 MB file', path: '/media-1.0.0/film.bin', content },
    all: shuffled(all.map((file) => addressOf(file.path))),
    archives: [
      { name: fileName, archive: zip },
      { name: 'media-1.0.0-docs.zip', archive: mediaArchive },
    ],
  };
}

await whenRunAlone(import.meta.url, pages);
