import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Every path below a docs directory with its size or link target; what a server notes of itself is left out.
 * Something that is just being removed, or waits for it in the trash, is as good as gone.
 */
export async function tree(root: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const walk = (directory: string): void => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      const name = relative(root, path);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined || name === '.lectern/running' || name.startsWith('.lectern/trash/')) continue;
      if (stats.isSymbolicLink()) lines.push(`${name} -> ${readlinkSync(path)}`);
      else if (stats.isFile()) lines.push(`${name} ${stats.size}`);
      else lines.push(`${name}/`);
      if (stats.isDirectory()) walk(path);
    }
  };
  walk(root);
  return lines.sort();
}

/** Every path below a directory with all that it holds and the time of its last change, nothing left out. */
export function contents(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(root, name);
      const stats = lstatSync(path);
      const held = stats.isFile()
        ? readFileSync(path, 'base64')
        : stats.isSymbolicLink()
          ? readlinkSync(path)
          : '';
      return `${name} ${stats.mode} ${stats.mtimeMs} ${held}`;
    });
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
