import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import { moduleOfBuild } from '../support/builds.js';
import { writeLibrary } from '../support/library.js';
import { progress } from '../support/script.js';

/** Projects that were published, and their indexes, without the pages that these were made of. */
export async function writeIndexedLibrary(docs: string, databases: readonly string[]): Promise<void> {
  progress(`search: a library of ${databases.length} projects`);
  const { DATABASE_NAME } = await moduleOfBuild('adapters/search/index.js');
  writeLibrary(docs, databases.length, 1);
  const archives = new ZipArchives();
  const store = await FilesystemDocStore.open(docs, { archives, readDocinfo: () => ({}) });
  const versions = store.catalogue().projects.flatMap((project) => project.versions);
  for (const [number, { revision }] of versions.entries()) {
    const file = store.derivedPath(revision, DATABASE_NAME);
    if (file === undefined) throw new Error(`${docs} cannot be written`);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(databases[number] ?? '', file);
  }
  await store.close();
  await archives.close();
}
