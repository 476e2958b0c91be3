import type { FileList, SiteEntry, StoredFile } from '../../../application/index.js';
import { refuse, SitePath, type Version } from '../../../domain/index.js';
import type { ArchiveIndex } from '../../../formats/index.js';
import type { Replica } from '../log/replica.js';
import type { ArchiveFiles } from './archive-files.js';
import { ArchivedFile, rangedFile } from './archived-file.js';

/** Reads the sites of published versions, each in its archive. */
export class ArchivedSites {
  constructor(
    private readonly archives: ArchiveFiles,
    private readonly replica: Pick<Replica, 'current' | 'catalogue'>,
  ) {}

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    const found = await this.contentOf(version);
    if (found === undefined) return undefined;
    const file = found.index.find(path.toString());
    if (file === undefined) {
      return found.index.hasDirectory(path.toString()) ? { kind: 'directory' } : undefined;
    }
    return { kind: 'file', file: new ArchivedFile(this.archives.archiveOf(found.version), file) };
  }

  async listFiles(version: Version, max: number, withSizes = false): Promise<FileList> {
    const { index } = (await this.contentOf(version)) ?? {};
    const paths: string[] = [];
    let more = false;
    for (const path of index?.paths ?? []) {
      if (SitePath.of(path)?.isHidden !== false) continue;
      more = paths.length === max;
      if (more) break;
      paths.push(path);
    }
    return withSizes
      ? { paths, sizes: paths.map((path) => index?.find(path)?.size ?? 0), more }
      : { paths, more };
  }

  async checksums(version: Version): Promise<ReadonlyMap<string, string> | undefined> {
    return (await this.contentOf(version))?.index.checksums;
  }

  async openArchive(version: Version): Promise<StoredFile> {
    const { project, label, revision, record } = version;
    const { archive, publishedAt: modifiedAt } = record;
    if (archive === undefined || !this.replica.current.isKnown(revision)) {
      throw refuse.versionNotFound(project, label);
    }
    const { read } = this.archives.archiveOf(version);
    return rangedFile({ size: archive.size, etag: archive.sha256, modifiedAt }, read);
  }

  /** The content of this publication, or of the one that replaced it if that was long ago. */
  private async contentOf(
    version: Version,
  ): Promise<{ readonly version: Version; readonly index: ArchiveIndex } | undefined> {
    const index = await this.archives.indexOf(version);
    if (index !== undefined) return { version, index };
    const now = this.replica.catalogue.version(version.directoryName);
    return now === undefined || now.revision === version.revision ? undefined : this.contentOf(now);
  }
}
