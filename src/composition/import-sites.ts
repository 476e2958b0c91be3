import { existsSync } from 'node:fs';
import { importSites } from '../adapters/cli/client/index.js';
import type { ImportRequest } from '../adapters/cli/index.js';
import { MemoryDocStore } from '../adapters/memory/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { type Audit, Changes, NO_ARCHIVE_LIMITS, UploadVersion } from '../application/index.js';
import { recording } from './audit-log.js';
import { storagePlace, warn } from './storage.js';

/** `lectern import`: publishes the sites of another server's directory, like uploads, with their aliases. */
export function importInto(request: ImportRequest) {
  return recording(request.dryRun ? undefined : request.auditLog, (audit) => importing(request, audit));
}

async function* importing({ layout, path, docs, dryRun }: ImportRequest, audit: Audit) {
  // A dry run creates nothing, not even the directory.
  const isThere = !dryRun || existsSync(docs);
  const archives = new ZipArchives(readYamlDocinfo);
  const parts = { archives, isReadOnly: dryRun, privacy: 'unserved', report: warn } as const;
  const store = isThere
    ? (await storagePlace({ scheme: 'file', at: docs }).open(parts)).docs
    : new MemoryDocStore();
  try {
    const changes = new Changes(store, audit);
    // No limits: the owner of the machine imports, not a stranger.
    const limits = { ...NO_ARCHIVE_LIMITS, maxUploadBytes: Number.POSITIVE_INFINITY, minFreeBytes: 0 };
    const upload = new UploadVersion(store, changes, archives, limits);
    yield* importSites(layout, path, { dryRun, target: { upload, docs: store, changes } });
  } finally {
    await store.close();
    await archives.close();
  }
}
