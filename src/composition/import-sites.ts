import { existsSync } from 'node:fs';
import { importSites } from '../adapters/cli/client/index.js';
import { type ImportRequest, startError } from '../adapters/cli/index.js';
import { FilesystemDocStore } from '../adapters/filesystem/index.js';
import { MemoryTokenRegistry } from '../adapters/memory/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { NO_ARCHIVE_LIMITS, type UploadLimits, UploadVersion } from '../application/index.js';
import type { VersionId } from '../domain/index.js';

/** No limits: the owner of the machine imports, not a stranger. */
const NO_LIMITS: UploadLimits = {
  ...NO_ARCHIVE_LIMITS,
  maxUploadBytes: Number.POSITIVE_INFINITY,
  minFreeBytes: 0,
};

/** `lectern import`: publishes the sites of another server's directory, like uploads. */
export async function* importInto({ layout, path, docs, dryRun, withHidden }: ImportRequest) {
  // A dry run creates nothing, not even the directory.
  const isThere = !dryRun || existsSync(docs);
  const archives = new ZipArchives();
  const store = isThere
    ? await FilesystemDocStore.open(docs, {
        archives,
        readDocinfo: readYamlDocinfo,
        mayBeReadOnly: dryRun,
      }).catch((error: unknown) => {
        throw startError(`the docs directory ${docs}`, error);
      })
    : undefined;
  try {
    const target = store && {
      upload: new UploadVersion(store, new MemoryTokenRegistry(), archives, NO_LIMITS),
      has: async ({ directoryName }: VersionId) => store.catalogue().version(directoryName) !== undefined,
    };
    yield* importSites(layout, path, { dryRun, withHidden, target });
  } finally {
    await store?.close();
    await archives.close();
  }
}
