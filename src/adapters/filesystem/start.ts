import type { Archives, CatalogueChange } from '../../application/index.js';
import { type Catalogue, readerOnHostOf } from '../../domain/index.js';
import type { CatalogueWatcher } from './catalogue/catalogue-watcher.js';
import { assertKnownFormat, formatFor, PRIVATE_FORMAT, writeFormat } from './docs-directory.js';
import { NOT_IN_ORDER, Recovery } from './housekeeping/recovery.js';
import type { LocalDerivedFiles } from './local-derived-files.js';
import type { PublicLinks } from './publishing/public-links.js';
import type { Report } from './report.js';
import type { Tools } from './tools.js';

/** A reader without a right to any project. */
const NOTHING_SEEN = readerOnHostOf(undefined);

/** Delay before leases of unknown fate are checked again, in milliseconds: several heartbeats. */
const RECHECK_MS = 120_000;

/** Parts of a store that its start brings up to date. */
interface StartedParts {
  readonly tools: Tools;
  readonly watcher: CatalogueWatcher;
  readonly links: PublicLinks;
  readonly derived: LocalDerivedFiles;
}

/** Starts on a directory that cannot be written. @throws Error when its layout number is not that of its privacy */
export async function startReading({ layout, privacy }: Tools, watcher: CatalogueWatcher): Promise<void> {
  const found = await assertKnownFormat(layout, privacy);
  const isPrivate = found === PRIVATE_FORMAT;
  if (isPrivate !== (formatFor(privacy, found) === PRIVATE_FORMAT)) {
    const [number, which] = isPrivate ? [2, 'no longer has'] : [PRIVATE_FORMAT, 'has'];
    throw new Error(
      `it cannot be written, and .lectern/format must say that it ${which} private projects: write ${number} into it`,
    );
  }
  await watcher.start();
}

/**
 * Starts on a directory that can be written, and recovers from crashes.
 * @returns a function that ends recovery, which may run once more later
 */
export async function start(
  { tools, watcher, links, derived }: StartedParts,
  archives: Pick<Archives, 'unpack' | 'verify'>,
): Promise<() => Promise<void>> {
  const { layout, privacy } = tools;
  const found = await assertKnownFormat(layout, privacy);
  const number = formatFor(privacy, found);
  const endRecovery = await recover(tools, archives);
  // Before anything else: whoever does not know the rules is kept out from here on.
  if (number === PRIVATE_FORMAT && found !== number) await writeFormat(tools, number);
  const before = await derived.derived();
  watcher.subscribe((change) => reportShadows(change, watcher.catalogue(), tools.report));
  await watcher.start();
  watcher.subscribe((change) => {
    links.expect(change);
    derived.drop(change.gone.map(({ revision }) => revision));
  });
  if (typeof privacy === 'object') await links.showTo(privacy);
  else if (number === PRIVATE_FORMAT) {
    // Servers, which know the rules, make the links; a command removes those of what it changes.
    await links.showTo(NOTHING_SEEN, false);
  } else {
    await attempt(tools, () => links.expectAll());
    await links.update();
  }
  await attempt(tools, () => derived.sweep(before));
  if (number !== PRIVATE_FORMAT && found !== number) {
    await attempt(tools, () => writeFormat(tools, number));
  }
  return endRecovery;
}

async function recover(
  tools: Tools,
  archives: Pick<Archives, 'unpack' | 'verify'>,
): Promise<() => Promise<void>> {
  const recovery = new Recovery(tools, archives);
  if (!(await recovery.run())) return async () => {};
  let recovering: Promise<unknown> = Promise.resolve();
  const recheck = setTimeout(() => {
    recovering = recovery.run().catch((err: unknown) => tools.report('recovery failed', { err }));
  }, RECHECK_MS).unref();
  return async () => {
    clearTimeout(recheck);
    await recovering;
  };
}

/** Says which copied-in directories take the address of an alias. */
function reportShadows({ came, gone }: CatalogueChange, catalogue: Catalogue, report: Report): void {
  // Directories that only changed have been reported.
  const before = new Set(gone.map(({ directoryName }) => directoryName));
  for (const { origin, project, label, directoryName } of came) {
    if (origin !== 'copied' || before.has(directoryName) || !catalogue.settingsOf(project).aliases.has(label))
      continue;
    report('a copied-in directory has the address of an alias and is served instead of it', {
      version: directoryName,
    });
  }
}

async function attempt({ report }: Tools, work: () => Promise<void>): Promise<void> {
  await work().catch((err: unknown) => report(NOT_IN_ORDER, { err }));
}
