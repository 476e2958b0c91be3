import {
  type Archives,
  NO_ARCHIVE_LIMITS,
  type Published,
  type RemovedVersion,
  type RestoreOptions,
} from '../../../application/index.js';
import { restoredRecord, type Version } from '../../../domain/index.js';
import { hasErrno } from '../../../node/system-errors.js';
import { parseRecord, textOf } from '../catalogue/read-generation.js';
import { recreateDirectories } from '../docs-directory.js';
import { restage } from '../housekeeping/repairs.js';
import type { Publications } from '../publishing/publications.js';
import type { Tools } from '../tools.js';

/**
 * Restores what is kept. An upload is unpacked from its archive and published, as a new generation; what is kept goes
 * after that, so that a crash loses nothing. A copied-in directory is moved back.
 */
export class Restoration {
  constructor(
    private readonly tools: Tools,
    private readonly publications: Pick<Publications, 'show' | 'putBack'>,
    private readonly archives: Pick<Archives, 'unpack'>,
  ) {}

  /** @throws Refusal `version_not_found` when it is no longer kept; `version_exists` */
  async restore({ version }: RemovedVersion, options: RestoreOptions): Promise<Published> {
    await recreateDirectories(this.tools);
    try {
      return await this.restoreNow(version, options);
    } catch (error) {
      // Another process may have purged it meanwhile.
      if (hasErrno(error, ['ENOENT'])) await this.tools.removed.partsOf(version);
      throw error;
    }
  }

  private async restoreNow(
    version: Version,
    { replace, roomBytes, expiresAt }: RestoreOptions,
  ): Promise<Published> {
    const parts = await this.tools.removed.partsOf(version);
    if (parts.site !== undefined) {
      await this.publications.putBack(version, parts.site);
      return { version, replaced: false };
    }
    const from = { archive: parts.zip ?? '', record: parts.json ?? '' };
    const limits = { ...NO_ARCHIVE_LIMITS, roomBytes };
    const staging = await restage(this.tools, this.archives, from, limits, (text) =>
      restoredText(text, version, expiresAt),
    );
    try {
      const record = restoredRecord(version.record, expiresAt);
      const restored: Version = { ...version, revision: staging.name, record };
      const replaced = await this.publications.show(staging, restored, { replace, restores: version });
      await this.forget(version);
      return { version: restored, replaced };
    } catch (error) {
      await staging.discard();
      throw error;
    }
  }

  /** A failure must not look as if the version were not restored: what is left is deleted in time. */
  private async forget({ directoryName, revision }: Version): Promise<void> {
    const { removed, report } = this.tools;
    await removed.purge(directoryName, revision).catch((err: unknown) => {
      report('a restored version is still among the removed ones', { version: directoryName, err });
    });
  }
}

/** The record of a publication, with its new end and the note that it was restored. A damaged one stays as it is. */
function restoredText(text: string, version: Version, expiresAt: Date | undefined): string {
  const record = parseRecord(text, version);
  return record === undefined ? text : textOf(version, restoredRecord(record, expiresAt));
}
