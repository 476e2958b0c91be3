import { buffer } from 'node:stream/consumers';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { readYamlDocinfo } from '../../src/adapters/yaml/index.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import { NO_ARCHIVE_LIMITS } from '../../src/application/index.js';
import { parseDirectoryName, type VersionId } from '../../src/domain/index.js';
import { zipOf } from './zip-writer.js';

/** Threads of all that is published by a process; idle ones don't keep it alive. */
const archives = new ZipArchives(readYamlDocinfo);

/** Opens a docs directory for a moment. */
async function withDocs<T>(docs: string, use: (store: FilesystemDocStore) => Promise<T>) {
  const store = await FilesystemDocStore.open(docs, { archives, readDocinfo: readYamlDocinfo });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Publishes versions in a docs directory, one a day in January 2026. Each is a site of the given files. */
export async function publishIn(
  docs: string,
  sites: Readonly<Record<string, Readonly<Record<string, string | Buffer>>>>,
): Promise<void> {
  await withDocs(docs, async (store) => {
    for (const [index, [name, site]] of Object.entries(sites).entries()) {
      const staging = await store.stage();
      const content = (async function* () {
        yield zipOf(site);
      })();
      const archive = await staging.receive(content, Number.POSITIVE_INFINITY);
      const { facts } = await staging.prepare(archives, NO_ARCHIVE_LIMITS);
      const publishedAt = new Date(Date.UTC(2026, 0, 1 + index));
      const id = parseDirectoryName(name) as VersionId;
      const record = { publishedAt, archive, ...facts, token: `token of ${name}` };
      await store.publish(staging, { id, record }, { replace: false });
    }
  });
}

/** All that is known of the versions of a docs directory but their revisions, with their archives. */
export async function versionsIn(docs: string) {
  return withDocs(docs, async (store) => {
    const versions = [];
    for (const { versions: each } of store.catalogue().projects) {
      for (const version of each) {
        const { revision: _, ...known } = version;
        const content = await buffer((await store.openArchive(version)).stream());
        versions.push({
          ...known,
          content: content.toString('base64'),
        });
      }
    }
    return versions;
  });
}
