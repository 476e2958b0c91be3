/** What `--gzip-files` costs an upload and a disk, and what nginx gains by it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Corpus, corpus } from './corpus.js';
import { type Lectern, startLectern } from './support/lectern.js';
import { CORES, requirePrograms } from './support/machine.js';
import { alternating, median, ratios } from './support/numbers.js';
import { startNginxBefore } from './support/peers.js';
import { run } from './support/processes.js';
import { assertServes } from './support/requests.js';
import { progress, ROUNDS, SECONDS, whenRunAlone } from './support/script.js';
import { megabytes, perSecond, type Row, type Section } from './support/table.js';
import { load } from './support/wrk.js';

const GZIP = { 'Accept-Encoding': 'gzip' };
/** Of some size, so that there is something to compress. */
const PAGE = { least: 60_000, most: 80_000 };

interface FileOnDisk {
  /** Below the directory that was asked for. */
  readonly path: string;
  readonly bytes: number;
}

export async function gzipFiles(): Promise<Section> {
  requirePrograms('wrk', 'nginx', 'taskset', 'find');
  const site = await corpus('large');
  const keeping = await startLectern({ args: ['--gzip-files', '--trust-proxy'] });
  const plain = await startLectern({ args: ['--trust-proxy'] });
  const rows = [await publishing(keeping, plain, site)];
  rows.push(await onTheDisk(keeping, site), await sending(keeping, plain, site));
  for (const server of [keeping, plain]) await server.stop();
  return {
    title: 'Compressed files for nginx',
    note: `The large corpus with and without \`--gzip-files\`, ${ROUNDS} alternating rounds. Sending: nginx with deploy/nginx/lectern.conf on one core, the load on another; without the files it compresses each answer.`,
    rows,
  };
}

const nameOf = ({ project }: Corpus, round: number) => `${project}-1.${round}.0`;

async function publishing(keeping: Lectern, plain: Lectern, site: Corpus): Promise<Row> {
  const publish = (lectern: Lectern) => async (round: number) => {
    progress(`gzip files: publishing, round ${round + 1}`);
    const name = `${nameOf(site, round)}-docs.zip`;
    const { answeredMs, sentMs } = await lectern.publish({ name, archive: site.zip });
    return answeredMs - sentMs;
  };
  for (const lectern of [keeping, plain]) await publish(lectern)(99);
  const times = await alternating(ROUNDS, { keeping: publish(keeping), plain: publish(plain) });
  return {
    what: `${site.files.toLocaleString('en')} files: from the last byte sent to the answer`,
    against: 'without',
    unit: '×',
    values: ratios(times.keeping, times.plain),
    detail: `${Math.round(median(times.keeping))} / ${Math.round(median(times.plain))} ms`,
  };
}

async function onTheDisk({ docs }: Lectern, site: Corpus): Promise<Row> {
  const kept = await filesBelow(`${docs}/${nameOf(site, 99)}/../gzip`);
  const all = await filesBelow(site.directory);
  return {
    what: 'files on the disk',
    against: 'of the site',
    unit: '×',
    values: [kept.length / all.length],
    detail: `${summary(kept)} / ${summary(all)}`,
  };
}

async function sending(keeping: Lectern, plain: Lectern, site: Corpus): Promise<Row> {
  progress('gzip files: sending');
  const { path, bytes } = await aPage(site);
  const url = `/${nameOf(site, 99)}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const servers = {
    keeping: await startNginxBefore(keeping, CORES.server),
    plain: await startNginxBefore(plain, CORES.server),
  };
  const rate = (origin: string) => async () =>
    (await load({ origin, paths: [url], headers: GZIP, seconds: SECONDS })).perSecond;
  for (const { origin } of Object.values(servers)) {
    await assertServes(origin + url, readFileSync(join(site.directory, path)), GZIP);
  }
  const rates = await alternating(ROUNDS, {
    keeping: rate(servers.keeping.origin),
    plain: rate(servers.plain.origin),
  });
  for (const server of Object.values(servers)) await server.stop();
  return {
    what: `a page of ${Math.round(bytes / 1_000)} KB through nginx, per second`,
    against: 'without',
    unit: '×',
    values: ratios(rates.keeping, rates.plain),
    detail: `${perSecond(median(rates.keeping))} / ${perSecond(median(rates.plain))}`,
  };
}

async function aPage({ directory }: Corpus): Promise<FileOnDisk> {
  const page = (await filesBelow(directory)).find(
    ({ path, bytes }) => path.endsWith('.html') && bytes > PAGE.least && bytes < PAGE.most,
  );
  if (page === undefined) throw new Error('The large corpus has no page of a size to compress');
  return page;
}

async function filesBelow(directory: string): Promise<readonly FileOnDisk[]> {
  const found = await run('find', [`${directory}/`, '-type', 'f', '-printf', '%s %P\n']);
  return found
    .trim()
    .split('\n')
    .map((line) => ({ bytes: Number.parseInt(line, 10), path: line.slice(line.indexOf(' ') + 1) }));
}

function summary(files: readonly FileOnDisk[]): string {
  return `${files.length.toLocaleString('en')} of ${megabytes(files.reduce((sum, { bytes }) => sum + bytes, 0))}`;
}

await whenRunAlone(import.meta.url, gzipFiles);
