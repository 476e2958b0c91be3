import { join, relative } from 'node:path';
import type {
  FileList,
  HeldFile,
  HowToRead,
  PackSite,
  SiteEntry,
  StoredFile,
} from '../../application/index.js';
import { refuse, type SitePath, type Version } from '../../domain/index.js';
import { type BuiltArchives, openByHand } from './by-hand.js';
import type { CatalogueKeeper, Place } from './catalogue-keeper.js';
import { DeflatedContent } from './deflated-content.js';
import { listFiles } from './list-files.js';
import type { Pointers } from './pointers.js';
import { type EntryFacts, openEntry, readEntryNow } from './stored-file.js';

/** Opens what stands in published sites. */
export class SiteReader {
  private readonly deflated = new DeflatedContent();

  constructor(
    private readonly keeper: CatalogueKeeper,
    private readonly pointers: Pointers,
    private readonly built: BuiltArchives,
    /** The docs directory. */
    private readonly root: string,
  ) {}

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    return this.inCurrent(version, async (_, { site, generation }) => {
      if (generation === undefined) return openByHand(site, path);
      // Generations hold no links: nothing but files and directories is ever unpacked.
      const gzipped = () => this.deflated.open(generation, path.toString());
      return this.openGenerated(join(site, ...path.components), { gzipped });
    });
  }

  readNow(version: Version, path: SitePath, how: HowToRead): HeldFile | undefined {
    const place = this.keeper.placeOf(version);
    if (place?.generation === undefined) return undefined;
    const { generation, site } = place;
    const name = path.toString();
    try {
      return readEntryNow(`${site}/${name}`, how, (allocate) =>
        this.deflated.readNow(generation, name, allocate),
      );
    } catch {
      // `open` says what is the matter.
      return undefined;
    }
  }

  async listFiles(version: Version, max: number): Promise<FileList> {
    const files = await this.inCurrent(version, (_, { site }) => listFiles(site, max));
    return files ?? { paths: [], more: false };
  }

  async openArchive(version: Version, pack: PackSite): Promise<StoredFile> {
    const file = await this.inCurrent(version, async ({ archive }, { site, generation }) => {
      if (generation === undefined) return this.built.open(version, site, pack);
      const entry = await this.openGenerated(
        generation.archive,
        archive === undefined ? {} : { etag: archive.sha256 },
      );
      return entry?.kind === 'file' ? entry.file : undefined;
    });
    if (file === undefined) throw refuse.versionNotFound(version.project, version.label);
    return file;
  }

  /** Opens a part of a generation, which never changes. */
  private openGenerated(path: string, facts: EntryFacts): Promise<SiteEntry | undefined> {
    return openEntry(path, { ...facts, storedAt: relative(this.root, path) });
  }

  /**
   * Looks where the version was found; and where it is now, when nothing is there and it was replaced since. That
   * happens to a reader that was held up for longer than the old state stays.
   */
  private async inCurrent<T>(
    version: Version,
    look: (version: Version, place: Place) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const place = this.keeper.placeOf(version);
    const found = place && (await look(version, place));
    if (found !== undefined || place?.generation === undefined) return found;
    if (await this.isCurrent(version, place)) return undefined;
    const now = (await this.keeper.catalogue()).version(version.directoryName);
    const newPlace = now && this.keeper.placeOf(now);
    return newPlace && look(now, newPlace);
  }

  private async isCurrent({ directoryName }: Version, { generation }: Place): Promise<boolean> {
    const current = await this.pointers.currentGeneration(directoryName);
    return generation?.directory.endsWith(`/${current}`) ?? false;
  }
}
