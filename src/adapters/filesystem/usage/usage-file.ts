import * as z from 'zod';
import type { PathCounts, ProjectUsage } from '../../../domain/index.js';

const count = z.int().min(0);
// Pairs, not members: a path may be `__proto__`.
const counts = z.object({ total: count, paths: z.array(z.tuple([z.string(), count])) });
const usageFile = z.object({
  format: z.literal(1),
  versions: z.array(z.object({ version: z.string(), reads: counts, agents: counts, misses: counts })),
});

/** Formats counts as the text of a file. */
export function usageText(usage: ProjectUsage): string {
  const pairs = ({ total, paths }: PathCounts) => ({ total, paths: [...paths] });
  const versions = Array.from(usage, ([version, { reads, agents, misses }]) => ({
    version,
    reads: pairs(reads),
    agents: pairs(agents),
    misses: pairs(misses),
  }));
  const file: z.infer<typeof usageFile> = { format: 1, versions };
  return JSON.stringify(file);
}

/** Reads the text of a file; undefined for one that is damaged, or of a newer format. */
export function parseUsage(text: string): ProjectUsage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const file = usageFile.safeParse(value).data;
  if (file === undefined) return undefined;
  return new Map(
    file.versions.map(({ version, reads, agents, misses }) => [
      version,
      { reads: countsOf(reads), agents: countsOf(agents), misses: countsOf(misses) },
    ]),
  );
}

function countsOf({ total, paths }: z.infer<typeof counts>): PathCounts {
  return { total, paths: new Map(paths) };
}
