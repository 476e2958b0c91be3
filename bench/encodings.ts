/** What it saves to send a page as its archive holds it, against compressing it for each reader. */
import assert from 'node:assert/strict';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { corpus } from './corpus.js';
import { type Lectern, startLectern } from './support/lectern.js';
import { requirePrograms } from './support/machine.js';
import { alternating, median, ratios } from './support/numbers.js';
import { processorTimeOf, run } from './support/processes.js';
import { ask, assertServes } from './support/requests.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import { megabytes, type Row, type Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';

const AT_ONCE = 4;
const SAMPLE = 1_000;
const GZIP = { 'Accept-Encoding': 'gzip' };
const VERSIONS = { deflated: '1.0.0', stored: '2.0.0' } as const;
/** Larger than what is kept in memory. */
const LARGE = 'member-search-index.js';

export async function encodings(): Promise<Section> {
  requirePrograms('zip');
  const { project, zip, directory } = await corpus('large');
  const pages = (await run('find', ['.', '-name', '*.html', '-size', '+2', '-size', '-512k'], directory))
    .trim()
    .split('\n')
    .map((path) => path.slice(2))
    .filter((_, index, all) => index % Math.ceil(all.length / SAMPLE) === 0);
  const stored = join(temporaryDirectory('encodings'), 'stored.zip');
  await run('zip', ['-q', '-0', '-r', stored, '.'], directory);
  // Too small a memory for any page: each is made ready anew.
  const lectern = await startLectern({ args: ['--cache-size', '0'] });
  for (const [archive, version] of [
    [zip, VERSIONS.deflated],
    [stored, VERSIONS.stored],
  ] as const) {
    await lectern.publish({ name: `${project}-${version}-docs.zip`, archive });
  }
  const root = (form: keyof typeof VERSIONS) => `/${project}-${VERSIONS[form]}`;
  const rows = [
    await cost(lectern, `${pages.length.toLocaleString('en')} distinct pages`, (form) =>
      pages.map((page) => `${root(form)}/${page}`),
    ),
    await cost(lectern, `${LARGE}, ${megabytes(statSync(join(directory, LARGE)).size)}`, (form) =>
      Array.from({ length: 8 }, () => `${root(form)}/${LARGE}`),
    ),
    await onTheWire(lectern, directory, root('deflated'), pages),
    await onTheDisk(lectern, root('deflated'), stored, zip),
  ];
  await lectern.stop();
  return {
    title: 'Encodings',
    note: `The large corpus uploaded deflated, as zip makes it, and stored, so that the server has to compress; pages asked for with gzip, nothing kept in memory; processor time of the server for each answer, ${ROUNDS} alternating rounds.`,
    rows,
  };
}

/** Processor time, not requests per second: it hardly depends on what else the machine does. */
async function cost(
  { origin, pid }: Lectern,
  what: string,
  pathsOf: (form: keyof typeof VERSIONS) => readonly string[],
): Promise<Row> {
  progress(`encodings: ${what}`);
  const asking = async (form: keyof typeof VERSIONS) => {
    const before = processorTimeOf(pid);
    const paths = pathsOf(form);
    for (let done = 0; done < paths.length; done += AT_ONCE) {
      const answers = paths.slice(done, done + AT_ONCE).map((path) => ask(origin + path, { headers: GZIP }));
      for (const { headers } of await Promise.all(answers)) assert.equal(headers['content-encoding'], 'gzip');
    }
    return (processorTimeOf(pid) - before) / paths.length;
  };
  await asking('deflated');
  const times = await alternating(ROUNDS, {
    ready: () => asking('deflated'),
    compressing: () => asking('stored'),
  });
  return {
    what: `${what}, processor time`,
    against: 'compressing',
    unit: '×',
    values: ratios(times.ready, times.compressing),
    detail: `${median(times.ready).toFixed(2)} / ${median(times.compressing).toFixed(2)} ms`,
  };
}

/** Whether the archive's own compression costs readers anything. */
async function onTheWire(
  { origin }: Lectern,
  directory: string,
  root: string,
  pages: readonly string[],
): Promise<Row> {
  let sent = 0;
  let compressed = 0;
  for (const page of pages) {
    const content = readFileSync(join(directory, page));
    const { headers, body } = await assertServes(`${origin}${root}/${page}`, content, GZIP);
    assert.equal(headers['content-encoding'], 'gzip', page);
    sent += body.length;
    compressed += gzipSync(content).length;
  }
  return {
    what: 'bytes on the wire',
    against: 'gzip -6',
    unit: '×',
    values: [sent / compressed],
    detail: `${megabytes(sent)} / ${megabytes(compressed)}`,
  };
}

/** What is kept for it, against the `.gz` files that nginx would want beside the pages: as much as the archive. */
async function onTheDisk({ docs }: Lectern, root: string, stored: string, zip: string): Promise<Row> {
  const noted = statSync(join(realpathSync(join(docs, root)), '..', 'archive-index')).size;
  const siblings = statSync(zip).size;
  assert.ok(siblings < statSync(stored).size);
  return {
    what: 'bytes on the disk',
    against: '.gz files',
    unit: '×',
    values: [noted / siblings],
    detail: `${megabytes(noted)} / ${megabytes(siblings)}`,
  };
}

await whenRunAlone(import.meta.url, encodings);
