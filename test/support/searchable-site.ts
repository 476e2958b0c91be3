import type { SearchableSite } from '../../src/application/index.js';
import { samplePaths } from '../../src/formats/html/index.js';

/** A site of the given HTML by path. The bytes of a page are gone when the next one is asked for. */
export function siteOf(files: Readonly<Record<string, string>>): SearchableSite {
  async function* of(paths: readonly string[]) {
    for (const path of paths) {
      const bytes = Buffer.from(files[path] ?? '');
      yield { path, bytes };
      bytes.fill('?');
    }
  }
  const paths = Object.keys(files);
  return { sample: () => of(samplePaths(paths)), pages: () => of(paths) };
}
