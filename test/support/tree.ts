import { lstat, readdir, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * Every path below a docs directory with its size or link target; what a server notes of itself is left out.
 * Something that is just being removed, or waits for it in the trash, is as good as gone.
 */
export async function tree(root: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const walk = async (directory: string): Promise<void> => {
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      const path = join(directory, entry.name);
      const name = relative(root, path);
      const stats = await lstat(path).catch(() => undefined);
      if (stats === undefined || name === '.lectern/running' || name.startsWith('.lectern/trash/')) continue;
      if (stats.isSymbolicLink()) lines.push(`${name} -> ${await readlink(path)}`);
      else if (stats.isFile()) lines.push(`${name} ${stats.size}`);
      else lines.push(`${name}/`);
      if (stats.isDirectory()) await walk(path);
    }
  };
  await walk(root);
  return lines.sort();
}
