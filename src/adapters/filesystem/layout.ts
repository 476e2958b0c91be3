import { join, sep } from 'node:path';
import { archiveNameOf, type Version } from '../../domain/index.js';

/** Suffix of the revision of a version without a readable record: the revision changes once it can be read. */
export const WITHOUT_RECORD = '.unrecorded';

/** The docs directory. A class of its own, so that it is known when the fields of `Layout` are made of it. */
class Root {
  constructor(readonly root: string) {}
}

/** Maps names to paths in the docs directory. See docs/internals/storage.md. */
export class Layout extends Root {
  readonly own = join(this.root, '.lectern');
  readonly sites = join(this.own, 'sites');
  /** Uploads being received, and links about to be renamed into place. */
  readonly incoming = join(this.own, 'incoming');
  /** Links, one per running server; see lease.ts. */
  readonly running = join(this.own, 'running');
  /** Copied-in directories that are being replaced. */
  readonly displaced = join(this.own, 'displaced');
  readonly trash = join(this.own, 'trash');
  /** Archives packed from copied-in directories. */
  readonly built = join(this.own, 'built');
  /** Directories, one per version that is being changed; see version-locks.ts. */
  readonly locks = join(this.own, 'locks');
  /** The tree that web servers may send: a link for each uploaded version, and for `<project>-latest`. */
  readonly public = join(this.own, 'public');
  /** The settings of projects, a file each. */
  readonly projects = join(this.own, 'projects');
  /** Descriptions of projects in place of their docinfo, a file each. Made with the first one. */
  readonly about = join(this.own, 'about');
  /** Files made from publications, by revision. */
  readonly derived = join(this.own, 'derived');
  /** Removed and replaced versions that can be restored; see removed-versions.ts. */
  readonly removed = join(this.own, 'removed');
  /** Counts of reads; see filesystem-usage-store.ts. Made with the first ones. */
  readonly usage = join(this.own, 'usage');
  /** Time of the last round of housekeeping; see last-round.ts. Made with the first one. */
  readonly lastRound = join(this.own, 'last-housekeeping');
  /** The tokens that others have made; see made-tokens.ts. Made with the first one. */
  readonly madeTokens = join(this.own, 'tokens.json');
  /** Number of the layout; see docs-directory.ts. */
  readonly format = join(this.own, 'format');

  /** Lectern's own directories, parents first. */
  get directories(): readonly string[] {
    return [
      this.own,
      ...[this.sites, this.incoming, this.running, this.displaced, this.trash, this.built],
      ...[this.locks, this.public, this.projects, this.derived, this.removed],
    ];
  }

  /** The entry that readers see: a link to the current generation, or a copied-in directory. */
  pointer(directoryName: string): string {
    return join(this.root, directoryName);
  }

  archiveLink(directoryName: string): string {
    return join(this.root, archiveNameOf(directoryName));
  }

  /** Goes through the pointer, so it never has to change. */
  archiveLinkTarget(directoryName: string): string {
    return `${directoryName}/../archive.zip`;
  }

  generations(directoryName: string): string {
    return join(this.sites, directoryName);
  }

  generation(directoryName: string, generation: string): Generation {
    return new Generation(join(this.sites, directoryName, generation));
  }

  /** Relative, so that the docs directory can be moved and copied. */
  pointerTarget(directoryName: string, generation: string): string {
    return `.lectern/sites/${directoryName}/${generation}/site`;
  }

  /** @param name a version's directory name, or an alias */
  publicLink(name: string): string {
    return join(this.public, name);
  }

  /** Links directly to the generation, so that a web server needs no other link. */
  publicLinkTarget(directoryName: string, generation: string): string {
    return `../sites/${directoryName}/${generation}/site`;
  }

  /** The generation in a pointer's target; undefined when the link is not Lectern's. */
  generationOf(directoryName: string, target: string): string | undefined {
    const generation = target.split(sep)[3];
    return generation !== undefined && target === this.pointerTarget(directoryName, generation)
      ? generation
      : undefined;
  }

  /**
   * The pointer to a generation that is about to be published. While it exists the generation counts as in use; the
   * rename that publishes also removes it.
   */
  comingPointer(generation: string): string {
    return join(this.incoming, `${generation}.pointer`);
  }

  /** @param name a name from a lease */
  displacedAs(name: string, directoryName: string): string {
    return join(this.displaced, `${name}.${directoryName}`);
  }

  /** @param name a name from a lease */
  trashed(name: string): string {
    return join(this.trash, name);
  }

  /** The version whose directory was displaced under this name. */
  versionOfDisplaced(displaced: string): string {
    return displaced.split('.').slice(2).join('.');
  }
}

/** The name of an uploaded version's generation, from its revision. */
export function generationNameOf({ revision }: Pick<Version, 'revision'>): string {
  return revision.endsWith(WITHOUT_RECORD) ? revision.slice(0, -WITHOUT_RECORD.length) : revision;
}

/** An immutable published state of a version. A staging has the same files. */
export class Generation {
  constructor(readonly directory: string) {}

  get site(): string {
    return `${this.directory}/site`;
  }

  get archive(): string {
    return `${this.directory}/archive.zip`;
  }

  get record(): string {
    return `${this.directory}/version.json`;
  }

  /** Position of each file in the archive: the text of an `ArchiveIndex`. */
  get index(): string {
    return `${this.directory}/archive-index`;
  }
}
