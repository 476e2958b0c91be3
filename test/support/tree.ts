import { lstat, readdir, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Every path below a docs directory with its size or link target; what a server notes of itself is left out. */
export async function tree(directory: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path);
    if (name.startsWith('.lectern/running')) continue;
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) lines.push(`${name} -> ${await readlink(path)}`);
    else if (stats.isDirectory()) lines.push(`${name}/`);
    else lines.push(`${name} ${stats.size}`);
  }
  return lines.sort();
}
