import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sourcesIn, type Tree } from '../import-graph.js';
import { ROOT } from '../root.js';

/** Folders with files that tests load. */
const FOLDERS = ['.ci', '.github', 'bench', 'deploy', 'docs', 'scripts', 'src', 'templates', 'test'];

/** The files of this project. */
export async function projectTree(): Promise<Tree> {
  const files = (await readdir(ROOT, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  for (const folder of FOLDERS) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      files.push(relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
    }
  }
  const sources = await Promise.all(['bench', 'src', 'test'].map(sourcesIn));
  return { files: files.sort(), sources: sources.flat() };
}
