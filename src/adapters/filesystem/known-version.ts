import type { Docinfo, Version, VersionId } from '../../domain/index.js';
import type { VersionRecord } from './version-record.js';

/** A version in a docs directory. As little as possible for each, and flat: there may be hundreds of thousands. */
export class KnownVersion implements Version {
  readonly project: string;
  readonly label: string;
  readonly directoryName: string;
  private readonly time: number;
  private readonly files: number | undefined;
  private readonly bytes: number | undefined;
  private readonly archiveSize: number | undefined;
  private readonly sha256: string | undefined;

  /** @param target where its link leads: into a generation; undefined for a version put there by hand */
  constructor(
    { project, label, directoryName }: VersionId,
    readonly target: string | undefined,
    publishedAt: Date,
    readonly docinfo?: Docinfo | undefined,
    facts?: Pick<VersionRecord, 'archive' | 'site'>,
  ) {
    this.project = project;
    this.label = label;
    this.directoryName = directoryName;
    this.time = publishedAt.getTime();
    this.files = facts?.site.files;
    this.bytes = facts?.site.bytes;
    this.archiveSize = facts?.archive.size;
    this.sha256 = facts?.archive.sha256;
  }

  get site(): Version['site'] {
    const { files, bytes } = this;
    return files === undefined || bytes === undefined ? undefined : { files, bytes };
  }

  get archive(): Version['archive'] {
    const { archiveSize: size, sha256 } = this;
    return size === undefined || sha256 === undefined ? undefined : { size, sha256 };
  }

  get publishedAt(): Date {
    return new Date(this.time);
  }

  get origin(): Version['origin'] {
    return this.target === undefined ? 'by-hand' : 'upload';
  }

  /** Whether its record could be read. One that couldn't may be there again. */
  get isWhole(): boolean {
    return this.target === undefined || this.sha256 !== undefined;
  }

  /** Whether two looks at a directory put there by hand found the same. */
  isLike(other: KnownVersion): boolean {
    return this.time === other.time && JSON.stringify(this.docinfo) === JSON.stringify(other.docinfo);
  }
}
