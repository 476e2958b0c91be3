import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface SiteFile {
  readonly path: string;
  readonly size: number;
}

export function filesOf(directory: string): SiteFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, size: statSync(path).size }));
}

export const htmlOf = (directory: string) => filesOf(directory).filter(({ path }) => path.endsWith('.html'));

/** The path of the file whose size is nearest. */
export function ofSize(files: readonly SiteFile[], bytes: number): string {
  const [nearest] = files.toSorted((a, b) => Math.abs(a.size - bytes) - Math.abs(b.size - bytes));
  if (nearest === undefined) throw new Error('the corpus has no page');
  return nearest.path;
}

/** Always the same order. */
export function shuffled<T>(items: readonly T[]): T[] {
  const result = [...items];
  let state = 1;
  for (let last = result.length - 1; last > 0; last -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (last + 1);
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}
