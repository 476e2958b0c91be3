/**
 * Comparing two versions of openjdk (10,283 files each): the first time, when pages have to be read, and from then on.
 *
 *     node --import tsx bench/comparing.ts
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { ThreadedPageComparison } from '../src/adapters/comparison/index.js';
import { FilesystemDocStore } from '../src/adapters/filesystem/index.js';
import { ZipArchives } from '../src/adapters/zip/index.js';
import { Changes, CompareVersions, UploadVersion } from '../src/application/index.js';
import { ANYBODY, tokenActor } from '../src/domain/index.js';
import { corpus } from './corpus.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import type { Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';

const LABELS = { project: 'openjdk', before: '17', after: '18' };
/** One page in so many says something else in the second version. */
const CHANGED = 50;
const MAX_MS = 1_000;

export async function comparing(): Promise<Section> {
  const { directory, files, zip } = await corpus('large');
  const place = temporaryDirectory('comparing');
  progress('comparing: a second version, whose pages are all stamped');
  const second = join(place, 'second');
  await cp(directory, second, { recursive: true });
  stampPages(second);
  execFileSync('zip', ['-qr', join(place, 'second.zip'), '.'], { cwd: second });
  const archives = new ZipArchives();
  const comparison = new ThreadedPageComparison();
  const docs = await FilesystemDocStore.open(join(place, 'docs'), { archives, readDocinfo: () => ({}) });
  const upload = new UploadVersion(docs, new Changes(docs), archives);
  for (const [label, file] of [
    ['17', zip],
    ['18', join(place, 'second.zip')],
  ] as const) {
    await upload.execute({
      actor: tokenActor('bench'),
      fileName: `openjdk-${label}-docs.zip`,
      content: createReadStream(file),
    });
  }
  const seen = docs.catalogue().seenBy(ANYBODY, new Date());
  // A new one each time: nothing is in its memory.
  const seconds = () => timed(() => new CompareVersions(docs, comparison).execute(seen, LABELS));
  const first = await seconds();
  const stored: number[] = [];
  for (let round = 0; round < ROUNDS; round++) stored.push(await seconds());
  const warm = new CompareVersions(docs, comparison);
  const { changed, unchanged } = await warm.execute(seen, LABELS);
  const kept: number[] = [];
  for (let round = 0; round < ROUNDS; round++) kept.push(await timed(() => warm.execute(seen, LABELS)));
  await docs.close();
  await archives.close();
  await comparison.close();
  const detail = `${changed.length} pages changed, ${unchanged} unchanged`;
  return {
    title: 'Comparing',
    note: `Two versions of ${files.toLocaleString('en')} files. Each page of the second has another version in its footer, one in ${CHANGED} says something else.`,
    rows: [
      { what: 'the first time, with all pages to read', against: '', unit: 'ms', values: [first], detail },
      {
        what: 'after a start, from what is stored',
        against: '',
        unit: 'ms',
        values: stored,
        target: { atMost: MAX_MS },
      },
      { what: 'again', against: '', unit: 'ms', values: kept, target: { atMost: MAX_MS } },
    ],
  };
}

function stampPages(directory: string): void {
  const pages = readdirSync(directory, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.html'));
  for (const [index, path] of pages.entries()) {
    const file = join(directory, path);
    const html = readFileSync(file, 'utf8').replace(/<\/body>/i, '<footer>Version 18</footer></body>');
    const isChanged = index % CHANGED === 0;
    writeFileSync(file, isChanged ? html.replace(/<\/main>/i, '<p>New in 18.</p></main>') : html);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

await whenRunAlone(import.meta.url, comparing);
