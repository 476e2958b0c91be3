import { startError } from '../adapters/cli/index.js';
import { verifyDocs } from '../adapters/filesystem/index.js';
import { ZipArchives } from '../adapters/zip/index.js';

/** `lectern verify`: compares every version with its archive, and repairs it if `repair` is set. */
export async function* verify(docs: string, { repair }: { readonly repair: boolean }) {
  const archives = new ZipArchives();
  try {
    yield* verifyDocs(docs, { archives, repair });
  } catch (error) {
    throw startError(`the docs directory ${docs}`, error);
  } finally {
    await archives.close();
  }
}
