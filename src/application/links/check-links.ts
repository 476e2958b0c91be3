import {
  bytesOfText,
  compareLabels,
  isPage,
  isPreview,
  MAX_REDIRECTS_BYTES,
  type Project,
  REDIRECTS_FILE,
  Refusal,
  type Version,
} from '../../domain/index.js';
import { BYTES_TO_READ } from '../../formats/html/reading-limits.js';
import { deadKey } from '../../formats/links/link-report.js';
import { pagesInBatches } from '../page-batches.js';
import { MadeOfSites } from '../pages/made-of-sites.js';
import type { FoundLinks } from '../ports/archives.js';
import {
  type CheckedLinks,
  LINK_BUDGET,
  type LinkChecking,
  type LinkedSite,
} from '../ports/link-checking.js';
import type { Sites } from '../ports/sites.js';
import type { Waiter } from '../ports/waiter.js';
import { bytesOf, fileAt, joined, startOf, textOf } from '../site-files.js';
import { KnownLinks } from './known-links.js';
import type { LinkReport } from './link-report.js';

/** Name of the derived file. The number changes whenever pages are read in another way. */
const FILE = 'links';
/** Max. bytes of reports in memory: some 20 with as many links as a report names. */
const MAX_KEPT_BYTES = 32_000_000;
/** Max. files of a version that is checked. */
const MAX_FILES = 1_000_000;
/** Dead links that an upload names. */
const MAX_FIRST = 5;

/** Dead links of an upload. */
export interface UploadedLinks {
  readonly dead: number;
  /** Dead links that the release before does not have: the same page with the same target. */
  readonly new: number;
  /** The first of those. */
  readonly first: readonly { readonly page: string; readonly link: string }[];
}

/** Use case: checks the links inside of a site. They are read once for each publication, and kept with it. */
export class CheckLinks {
  /** Without links for a site that is too large: it is not checked again. */
  private readonly checked = new MadeOfSites<{ readonly links?: CheckedLinks | undefined }>(
    MAX_KEPT_BYTES,
    ({ links }) => weightOf(links),
  );

  constructor(
    private readonly docs: Pick<Sites, 'open' | 'listFiles' | 'derived'>,
    private readonly checking: Pick<LinkChecking, 'read' | 'check'>,
    private readonly known: Pick<KnownLinks, 'note'> = new KnownLinks(docs),
  ) {}

  /**
   * Returns what is dead in a version; undefined for a site that is too large to be checked.
   * @throws Refusal `unavailable` when too much waits
   */
  async of(version: Version, waiter?: Waiter): Promise<LinkReport | undefined> {
    return (await this.checkedOf(version, waiter))?.report;
  }

  /** Keeps what an upload has found. A store that cannot be written to has it read again when it is needed. */
  async keep(version: Version, { file, report, keys }: FoundLinks): Promise<void> {
    this.checked.keep(version, '', { links: { report, keys } });
    await this.store(version, file);
    await this.known.note(version, report);
  }

  /**
   * Compares the links of an upload with those of the release before it.
   * @param project with its version in place of the one that it replaces
   * @throws Refusal `unavailable` when too much waits
   */
  async compare(
    { report, keys }: FoundLinks,
    version: Version,
    project: Project | undefined,
  ): Promise<UploadedLinks> {
    const before = report.dead === 0 ? undefined : project && releaseBefore(version, project);
    const known = new Set(before && (await this.checkedOf(before))?.keys);
    const isNew = (key: number) => !known.has(key);
    const first = report.byPage.flatMap(({ path: page, links }) =>
      links.filter(({ target }) => isNew(deadKey(page, target))).map(({ link }) => ({ page, link })),
    );
    return { dead: report.dead, new: keys.filter(isNew).length, first: first.slice(0, MAX_FIRST) };
  }

  private async checkedOf(version: Version, { address }: Waiter = {}): Promise<CheckedLinks | undefined> {
    // Others may wait for the same work, so nobody ends it.
    const { links } = await this.checked.get(version, '', async () => {
      const found = await this.withSite(version, (site) => this.checking.check(site, { address }), {
        address,
      });
      if (found !== undefined) await this.known.note(version, found.report);
      return { links: found };
    });
    return links;
  }

  /**
   * Calls a function with the files and links of a version; once more where it throws since the stored links are damaged.
   * @returns undefined for a site that is too large to be checked
   * @throws Refusal `unavailable` when too much waits; whatever the function throws
   */
  async withSite<Result>(
    version: Version,
    use: (site: LinkedSite) => Promise<Result>,
    waiter: Waiter = {},
  ): Promise<Result | undefined> {
    const { paths, more } = await this.docs.listFiles(version, MAX_FILES);
    if (more) return undefined;
    const site = { paths, redirects: await this.redirectsOf(version) };
    const stored = await this.stored(version);
    if (stored !== undefined) {
      try {
        return await use({ ...site, file: stored });
      } catch (error) {
        // Otherwise it is damaged, and made again.
        if (error instanceof Refusal) throw error;
      }
    }
    const file = await this.read(version, paths.filter(isPage), waiter);
    await this.store(version, file);
    return use({ ...site, file });
  }

  private async redirectsOf(version: Version): Promise<string> {
    const file = await fileAt(this.docs, version, REDIRECTS_FILE);
    if (file !== undefined && file.size <= MAX_REDIRECTS_BYTES) return textOf(file.stream());
    await file?.close();
    return '';
  }

  private async read(version: Version, pages: readonly string[], waiter: Waiter): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let budget = LINK_BUDGET;
    for await (const batch of pagesInBatches(this.docs, version, pages, readBeginning)) {
      const { file, left, isCut } = await this.checking.read(batch, budget, waiter);
      parts.push(file);
      budget = left;
      if (isCut) break;
    }
    // Without pages there is a file, too: an empty one counts as damaged.
    if (parts.length === 0) parts.push((await this.checking.read([], budget, waiter)).file);
    return joined(parts);
  }

  private async stored(version: Version): Promise<Uint8Array | undefined> {
    const file = isKept(version) ? await this.docs.derived.open(version.revision, FILE) : undefined;
    return file && bytesOf(file.stream());
  }

  private async store(version: Version, bytes: Uint8Array): Promise<void> {
    if (!isKept(version)) return;
    const content = async function* () {
      yield bytes;
    };
    await this.docs.derived.write(version.revision, FILE, content()).catch(() => {});
  }
}

/** Reads what counts of a page; undefined when it is not there. */
async function readBeginning(docs: Pick<Sites, 'open'>, version: Version, path: string) {
  const file = await fileAt(docs, version, path);
  return file && { path, bytes: await startOf(file, BYTES_TO_READ) };
}

/** Files of a copied-in directory may change at any time. */
function isKept({ origin }: Version): boolean {
  return origin === 'upload';
}

/** The release with which an upload is compared: for a preview, the latest one. */
function releaseBefore(version: Version, { listed, latest }: Project): Version | undefined {
  if (isPreview(version)) return latest;
  return listed.findLast(({ label }) => compareLabels(label, version.label) < 0);
}

function weightOf(checked: CheckedLinks | undefined): number {
  let bytes = 1_000 + (checked?.keys.byteLength ?? 0);
  for (const { path, links } of checked?.report.byPage ?? []) {
    bytes += 100 + bytesOfText(path);
    for (const { link, target, closest = '' } of links) {
      bytes += 100 + bytesOfText(link) + bytesOfText(target) + bytesOfText(closest);
    }
  }
  return bytes;
}
