/** Sites in an object store against sites in a directory, on a Ceph cluster in memory on the same two processors. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CORPUS_SIZES, type Corpus, type CorpusSize, corpus } from './corpus.js';
import { type Lectern, type Store, startLectern } from './support/lectern.js';
import { CORES, requirePrograms } from './support/machine.js';
import { alternating, median, milliseconds } from './support/numbers.js';
import { archiveKeys, type Cluster, startCluster, writeVersions } from './support/object-store.js';
import { lowerPriority, processorTimeOf, run, untilIdle } from './support/processes.js';
import { ask, assertServes } from './support/requests.js';
import { progress, ROUNDS, SECONDS, SETTLING_MS, whenRunAlone } from './support/script.js';
import { filesOf, htmlOf, ofSize, shuffled } from './support/site-files.js';
import { megabytes, type Row, ratioRow, type Section } from './support/table.js';
import { figuresOf, type LoadResult, load, microsOf, p99Of } from './support/wrk.js';

const LOAD = { rounds: 2 * ROUNDS, seconds: Math.max(1, Math.round(SECONDS / 2)) };
const GZIP = { 'Accept-Encoding': 'gzip' };
/** Versions of which the first page is read, in each round. */
const COLD = 30;
const MANY = { snapshot: 20_000, commits: 199 };
const WATCHED_MS = 10_000;
const PARALLEL_PUTS = 16;
const WARM_SECONDS = 6;
/** Pause between two archives that a client puts: about the rate at which a server publishes. */
const PUT_PAUSE_MS = 1_500;

let cluster: Promise<Cluster> | undefined;

export async function objectStore(): Promise<Section> {
  requirePrograms('wrk', 'taskset', 'sync');
  // It ends with this process.
  cluster ??= startCluster();
  const shared = await cluster;
  const rows = [
    ...(await publishing(shared)),
    ...(await pages(shared)),
    ...(await coldPages(shared)),
    ...(await manyNodes(shared)),
    ...(await readers(shared)),
    ...(await start(shared)),
  ];
  return {
    title: 'Object store',
    note: `Lectern with its sites on a Ceph cluster (three OSDs in memory, two copies, two gateways) on the same two processors, against Lectern on a directory in the same run; above 1 ×, the object store takes more. ${ROUNDS} alternating rounds or more. Pages: processor time of the server for each request, wrk with 32 connections and the server on one core each, ${LOAD.rounds} rounds of ${LOAD.seconds} s; what Ceph itself needs is not counted. "Cold" is the first page of a version that this server has not read: an index and a range, one request after the other. The node that publishes while others are read has the lowest priority, since it stands for another machine; the cluster has not.`,
    rows,
  };
}

async function publishing(cluster: Cluster): Promise<Row[]> {
  const store = await cluster.makeStore();
  const objects = await startLectern({ store: store.through(0) });
  const directory = await startLectern();
  const client = await store.open();
  const rows: Row[] = [];
  for (const size of CORPUS_SIZES) {
    const site = await corpus(size);
    const publish = (lectern: Lectern) => async (round: number) => {
      await run('sync', []);
      const name = `${site.project}-1.${round}.0-docs.zip`;
      return (await lectern.publish({ name, archive: site.zip })).answeredMs;
    };
    await publish(objects)(99);
    await publish(directory)(99);
    const times = await alternating(size === 'large' ? ROUNDS : 3 * ROUNDS, {
      directory: async (round) => {
        progress(`object store: publish ${size}, round ${round + 1}`);
        return publish(directory)(round);
      },
      objects: publish(objects),
      files: async (round) =>
        size === 'medium' ? milliseconds(() => putFiles(client, site, `files/${round}/`)) : 0,
    });
    const what = `publish ${size}: ${site.files.toLocaleString('en')} files, ${megabytes(statSync(site.zip).size)}`;
    rows.push(row(what, 'a directory', times.objects, times.directory, MAX_PUBLISH[size]));
    if (size === 'medium') {
      rows.push(row(what, `an object per file, ${PARALLEL_PUTS} at a time`, times.objects, times.files));
    }
    await assertReadable(objects, site, '1.0.0');
  }
  await Promise.all([client.close(), objects.stop(), directory.stop()]);
  return rows;
}

const MAX_PUBLISH: Readonly<Partial<Record<CorpusSize, number>>> = { large: 1.5 };

/** Publishes a site as one object per file, without unpacking and without a server, for comparison. */
async function putFiles(
  client: { put(key: string, file: { path: string; size: number }): Promise<void> },
  { directory }: Corpus,
  prefix: string,
): Promise<void> {
  const left = filesOf(directory);
  const work = async () => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      await client.put(prefix + relative(directory, file.path), file);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_PUTS }, work));
}

/** Sources of a page, with the options and paths that exclude all other sources. */
const SOURCES = [
  { what: 'from memory', args: [], isOne: true, target: 1.1 },
  { what: 'from the disk cache', args: ['--cache-size', '1'], isOne: false, target: 2 },
  {
    what: 'by a range of the store',
    args: ['--cache-size', '1', '--cache-dir-size', '1'],
    isOne: false,
    target: undefined,
  },
] as const;

async function pages(cluster: Cluster): Promise<Row[]> {
  const site = await corpus('large');
  const name = `${site.project}-${site.version}`;
  const all = shuffled(
    htmlOf(site.directory).map(({ path }) => `/${name}/${relative(site.directory, path)}`),
  );
  const small = `/${name}/${relative(site.directory, ofSize(htmlOf(site.directory), 6_000))}`;
  const rows: Row[] = [];
  for (const { what, args, isOne, target } of SOURCES) {
    const store = await cluster.makeStore();
    const servers = {
      objects: await startLectern({ store: store.through(0), cores: CORES.server, args }),
      directory: await startLectern({
        cores: CORES.server,
        args: args.filter((_, index) => index < 2),
      }),
    };
    for (const lectern of Object.values(servers)) {
      await lectern.publish({ name: site.fileName, archive: site.zip });
      await untilIdle(lectern.pid);
      for (const path of all.slice(0, 50)) {
        await assertServes(
          lectern.origin + path,
          readFileSync(join(site.directory, path.slice(name.length + 2))),
        );
      }
    }
    await run('sync', []);
    for (const [encoding, headers] of [
      ['', {}],
      [', gzip', GZIP],
    ] as const) {
      progress(`object store: pages ${what}${encoding}`);
      const read = ({ origin, pid }: Lectern, seconds: number) =>
        load({ origin, pid, paths: isOne ? [small] : all, headers, seconds });
      // V8 has much of the SDK to compile, too.
      for (const lectern of Object.values(servers)) await read(lectern, WARM_SECONDS);
      const measured = await alternating(LOAD.rounds, {
        objects: () => read(servers.objects, LOAD.seconds),
        directory: () => read(servers.directory, LOAD.seconds),
      });
      rows.push(
        ratioRow(
          {
            ...{ what: `page ${what}${encoding}`, against: 'a directory', unit: 'µs' },
            ...{ target: target && { atMost: target }, own: figuresOf(measured.objects) },
          },
          microsOf(measured.objects),
          microsOf(measured.directory),
        ),
      );
    }
    for (const lectern of Object.values(servers)) await lectern.stop();
  }
  return rows;
}

async function coldPages(cluster: Cluster): Promise<Row[]> {
  const site = await corpus('medium');
  const store = await cluster.makeStore();
  const publisher = await startLectern({ store: store.through(0) });
  progress(`object store: publishing ${COLD} versions`);
  const labels = Array.from({ length: COLD }, (_, number) => `${number}.0.0`);
  for (const label of labels) {
    await publisher.publish({ name: `${site.project}-${label}-docs.zip`, archive: site.zip });
  }
  await publisher.stop();
  const client = await store.open();
  const archives = await archiveKeys(client);
  const file = ofSize(htmlOf(site.directory), 6_000);
  const page = readFileSync(file);
  const oneReader = async (round: number) => {
    progress(`object store: cold pages, round ${round + 1}`);
    // A new server: it has read nothing yet but the page for V8's compiler.
    const reader = await startLectern({ store: store.through(0), args: ['--cache-size', '1'] });
    const [first = '', ...others] = labels;
    const url = (label: string) =>
      `${reader.origin}/${site.project}-${label}/${relative(site.directory, file)}`;
    for (let warm = 0; warm < 200; warm += 1) await ask(url(first));
    const [cold, range]: [number[], number[]] = [[], []];
    for (const [index, label] of others.entries()) {
      cold.push(await milliseconds(() => assertServes(url(label), page)));
      const key = archives[index + 1] ?? '';
      range.push(await milliseconds(() => readRange(client, key, 500_000, 502_000)));
    }
    await reader.stop();
    return { cold: median(cold), range: median(range) };
  };
  const { readers } = await alternating(ROUNDS, { readers: oneReader });
  await client.close();
  const of = (what: 'cold' | 'range') => readers.map((each) => each[what]);
  return [row('cold page, p50', 'a bare range request', of('cold'), of('range'), 4)];
}

async function manyNodes(cluster: Cluster): Promise<Row[]> {
  const site = await corpus('medium');
  const store = await cluster.makeStore();
  const name = `${site.project}-${site.version}`;
  const paths = shuffled(
    htmlOf(site.directory).map(({ path }) => `/${name}/${relative(site.directory, path)}`),
  );
  const nodes: Lectern[] = [];
  for (const gateway of [0, 1, 2]) {
    nodes.push(await startLectern({ store: store.through(gateway), args: ['--cache-size', '1'] }));
  }
  await nodes[0]?.publish({ name: site.fileName, archive: site.zip });
  await sleep(2_500);
  for (const { origin } of nodes) await load({ origin, paths, seconds: 3 });
  const readAll = (count: number) => async () => {
    const some = nodes
      .slice(0, count)
      .map(({ origin, pid }) => load({ origin, pid, paths, seconds: SECONDS }));
    const results = await Promise.all(some);
    const rate = results.reduce((sum, each) => sum + each.perSecond, 0);
    const micros = results.reduce((sum, each) => sum + each.perSecond * each.microsEach, 0);
    return { rate, microsEach: micros / rate };
  };
  progress('object store: several nodes');
  const measured = await alternating(ROUNDS, { one: readAll(1), two: readAll(2), three: readAll(3) });
  const rates = (results: readonly { readonly rate: number }[]) => results.map(({ rate }) => rate);
  progress('object store: an idle node');
  const idle = await idleCost(store.through(0));
  for (const node of nodes) await node.stop();
  return [
    ...[['2 nodes', measured.two] as const, ['3 nodes', measured.three] as const].map(([what, results]) =>
      ratioRow(
        {
          ...{ what: `pages from the disk cache of ${what}, together`, against: '1 node', unit: '/s' },
          own: [
            { what: 'rate', unit: '/s', values: rates(results) },
            { what: 'processor time', unit: 'µs', values: microsOf(results) },
          ],
        },
        rates(results),
        rates(measured.one),
      ),
    ),
    ...idle,
  ];
}

/** Cost of following the log, for an idle server. */
async function idleCost(store: Store): Promise<Row[]> {
  const objects = await startLectern({ store, args: ['--metrics'] });
  const directory = await startLectern();
  await sleep(SETTLING_MS);
  const requests = async () => {
    const { body } = await ask(`${objects.origin}/-/metrics`);
    const counts = body.toString().matchAll(/^lectern_store_request_duration_seconds_count\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const before = {
    requests: await requests(),
    objects: processorTimeOf(objects.pid),
    directory: processorTimeOf(directory.pid),
  };
  await sleep(WATCHED_MS);
  const seconds = WATCHED_MS / 1_000;
  const each = (lectern: Lectern, from: number) => (processorTimeOf(lectern.pid) - from) / seconds;
  const rows: Row[] = [
    {
      what: 'idle node, processor time in a second',
      against: '',
      unit: 'ms',
      values: [each(objects, before.objects)],
      detail: `a directory: ${each(directory, before.directory).toFixed(1)} ms`,
    },
    {
      what: 'idle node, requests to the store',
      against: '',
      unit: '/s',
      values: [((await requests()) - before.requests) / seconds],
    },
  ];
  await Promise.all([objects.stop(), directory.stop()]);
  return rows;
}

async function readers(cluster: Cluster): Promise<Row[]> {
  const [site, large] = [await corpus('medium'), await corpus('large')];
  const store = await cluster.makeStore();
  const publisher = await startLectern({ store: store.through(0) });
  // It plays another machine: its load on the cluster must not slow down the readers.
  await lowerPriority(publisher.pid);
  const node = await startLectern({ store: store.through(1), cores: CORES.server });
  await publisher.publish({ name: site.fileName, archive: site.zip });
  await sleep(2_500);
  const path = `/${site.project}-${site.version}/index.html`;
  const page = readFileSync(join(site.directory, 'index.html'));
  await assertServes(node.origin + path, page);
  const read = () =>
    load({
      ...{ origin: node.origin, pid: node.pid, paths: [path] },
      ...{ bodyBytes: page.length, seconds: Math.max(5, SECONDS) },
    });
  await read();
  const client = await store.open();
  const archive = { path: large.zip, size: statSync(large.zip).size };
  let [uploads, puts] = [0, 0];
  const readDuring = (write: () => Promise<unknown>) => async () => {
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await write();
    })();
    const result = await read();
    isOver = true;
    await writing;
    return result;
  };
  const { idle, publishing, putting } = await alternating(ROUNDS, {
    idle: async (round) => {
      progress(`object store: readers, round ${round + 1}`);
      return read();
    },
    publishing: readDuring(async () => {
      await publisher.publish({ name: large.fileName, archive: large.zip });
      uploads += 1;
    }),
    putting: readDuring(async () => {
      await client.put(`put/${puts}`, archive);
      puts += 1;
      await sleep(PUT_PAUSE_MS);
    }),
  });
  await assertServes(node.origin + path, page);
  await Promise.all([client.close(), node.stop(), publisher.stop()]);
  const during = (what: string, results: readonly LoadResult[], writes: string, atMost?: number): Row => {
    const measured = row(`p99 of readers while ${what}`, 'idle', p99Of(results), p99Of(idle), atMost);
    return {
      ...measured,
      detail: `${measured.detail}, ${writes} of ${megabytes(archive.size)}`,
      own: [...(measured.own ?? []), ...figuresOf(results)],
    };
  };
  return [
    during('another node publishes', publishing, `${uploads} uploads`, 3),
    during('a client puts the same archive, without Lectern', putting, `${puts} puts`),
  ];
}

async function start(cluster: Cluster): Promise<Row[]> {
  progress(`object store: writing ${MANY.snapshot + MANY.commits} versions`);
  const store = await cluster.makeStore();
  const client = await store.open();
  await writeVersions(client, MANY);
  await client.close();
  const ready = async (round: number) => {
    const lectern = await startLectern({ store: store.through(round) });
    const { body } = await ask(`${lectern.origin}/api/projects`);
    const { projects } = JSON.parse(body.toString()) as { projects: { versions: unknown[] }[] };
    const versions = projects.reduce((sum, project) => sum + project.versions.length, 0);
    assert.equal(versions, MANY.snapshot + MANY.commits);
    await lectern.stop();
    return lectern.readyMs;
  };
  const { values } = await alternating(Math.max(5, ROUNDS), { values: ready });
  return [
    {
      what: `start with ${MANY.snapshot.toLocaleString('en')} versions in a snapshot and ${MANY.commits} commits after it`,
      against: '',
      unit: 'ms',
      values,
      target: { atMost: 3_000 },
    },
  ];
}

function row(
  what: string,
  against: string,
  ours: readonly number[],
  theirs: readonly number[],
  atMost?: number,
): Row {
  const target = atMost === undefined ? undefined : { atMost };
  return ratioRow({ what, against, unit: 'ms', target }, ours, theirs);
}

/** Checks up to 100 pages: the server must return them as they were published. */
async function assertReadable({ origin }: Lectern, site: Corpus, version: string): Promise<void> {
  for (const { path } of htmlOf(site.directory).slice(0, 100)) {
    const page = `${site.project}-${version}/${relative(site.directory, path)}`;
    await assertServes(`${origin}/${page}`, readFileSync(path));
  }
}

async function readRange(
  client: {
    get(
      key: string,
      range: { start: number; end: number },
    ): Promise<{ body: AsyncIterable<Uint8Array> } | undefined>;
  },
  key: string,
  start: number,
  end: number,
): Promise<void> {
  let bytes = 0;
  for await (const chunk of (await client.get(key, { start, end }))?.body ?? []) bytes += chunk.length;
  assert.equal(bytes, end + 1 - start);
}

await whenRunAlone(import.meta.url, objectStore);
