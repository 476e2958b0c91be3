import type { SearchableSite } from '../../src/application/index.js';
import { samplePaths } from '../../src/formats/html/index.js';

/** A site of the given HTML by path. */
export function siteOf(files: Readonly<Record<string, string>>): SearchableSite {
  async function* of(paths: readonly string[]) {
    for (const path of paths) yield { path, bytes: Buffer.from(files[path] ?? '') };
  }
  const paths = Object.keys(files);
  return { sample: () => of(samplePaths(paths)), pages: () => of(paths) };
}
