import type { Docinfo, Version, VersionId } from '../../domain/index.js';
import type { VersionRecord } from './version-record.js';

type Facts = Pick<VersionRecord, 'archive' | 'site'>;

/** A version in a docs directory. Holds as little as possible: there may be hundreds of thousands. */
export class KnownVersion implements Version {
  readonly project: string;
  readonly label: string;
  readonly directoryName: string;
  readonly site: Facts['site'] | undefined;
  readonly archive: Facts['archive'] | undefined;
  private readonly time: number;

  /** @param target where its link leads: into a generation; undefined for a version put there by hand */
  constructor(
    { project, label, directoryName }: VersionId,
    readonly target: string | undefined,
    publishedAt: Date,
    readonly docinfo?: Docinfo | undefined,
    facts?: Facts,
  ) {
    this.project = project;
    this.label = label;
    this.directoryName = directoryName;
    this.time = publishedAt.getTime();
    this.site = facts?.site;
    this.archive = facts?.archive;
  }

  get publishedAt(): Date {
    return new Date(this.time);
  }

  get origin(): Version['origin'] {
    return this.target === undefined ? 'by-hand' : 'upload';
  }

  /** Whether its record could be read. One that couldn't may be there again. */
  get isWhole(): boolean {
    return this.target === undefined || this.archive !== undefined;
  }

  /** Whether two looks at a directory put there by hand found the same. */
  isLike(other: KnownVersion): boolean {
    return this.time === other.time && JSON.stringify(this.docinfo) === JSON.stringify(other.docinfo);
  }
}
