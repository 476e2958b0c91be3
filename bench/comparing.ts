/**
 * Comparing two versions of openjdk (10,283 files each): the first time, when pages have to be read, and from then on.
 *
 *     npm run build && node --import tsx bench/comparing.ts
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Corpus, corpus } from './corpus.js';
import { moduleOfBuild } from './support/builds.js';
import { alternating, milliseconds } from './support/numbers.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import type { Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';

const LABELS = { project: 'openjdk', before: '17', after: '18' };
/** Step between pages with another text in the second version. */
const CHANGED = 50;
const MAX_MS = 1_000;

export async function comparing(): Promise<Section> {
  const site = await corpus('large');
  second ??= secondVersion(site);
  const { ThreadedPageComparison } = await moduleOfBuild('adapters/comparison/index.js');
  const { FilesystemDocStore } = await moduleOfBuild('adapters/filesystem/index.js');
  const { ZipArchives } = await moduleOfBuild('adapters/zip/index.js');
  const { Changes, CompareVersions, UploadVersion } = await moduleOfBuild('application/index.js');
  const { ANYBODY, tokenActor } = await moduleOfBuild('domain/index.js');
  const place = temporaryDirectory('comparing');
  const archives = new ZipArchives();
  const comparison = new ThreadedPageComparison();
  const docs = await FilesystemDocStore.open(join(place, 'docs'), { archives, readDocinfo: () => ({}) });
  const upload = new UploadVersion(docs, new Changes(docs), archives);
  for (const [label, file] of [
    ['17', site.zip],
    ['18', await second],
  ] as const) {
    await upload.execute({
      actor: tokenActor('bench'),
      fileName: `openjdk-${label}-docs.zip`,
      content: createReadStream(file),
    });
  }
  const seen = docs.catalogue().seenBy(ANYBODY, new Date());
  // A new one each time: nothing is in its memory.
  const anew = () => milliseconds(() => new CompareVersions(docs, comparison).execute(seen, LABELS));
  const { first } = await alternating(1, { first: anew });
  const warm = new CompareVersions(docs, comparison);
  const { changed, unchanged } = await warm.execute(seen, LABELS);
  const { stored, kept } = await alternating(ROUNDS, {
    stored: anew,
    kept: () => milliseconds(() => warm.execute(seen, LABELS)),
  });
  await docs.close();
  await archives.close();
  await comparison.close();
  const detail = `${changed.length} pages changed, ${unchanged} unchanged`;
  return {
    title: 'Comparing',
    note: `Two versions of ${site.files.toLocaleString('en')} files. Each page of the second has another version in its footer, one in ${CHANGED} says something else.`,
    rows: [
      { what: 'the first time, with all pages to read', against: '', unit: 'ms', values: first, detail },
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

/** The archive of a version whose pages are all stamped. */
let second: Promise<string> | undefined;

async function secondVersion({ directory }: Corpus): Promise<string> {
  progress('comparing: a second version');
  const place = temporaryDirectory('second');
  const site = join(place, 'site');
  await cp(directory, site, { recursive: true });
  stampPages(site);
  execFileSync('zip', ['-qr', join(place, 'second.zip'), '.'], { cwd: site });
  return join(place, 'second.zip');
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

await whenRunAlone(import.meta.url, comparing);
