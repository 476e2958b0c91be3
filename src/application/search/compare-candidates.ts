import type { Candidate } from './found-page.js';

/** Reads where nobody counts them. */
export const NO_READS: ReadonlyMap<string, number> = new Map();

/** Pages with all words first, then by score. Equal ones by reads, then by path, so that the order is the same each time. */
export function compareCandidates(
  a: Candidate,
  scoreOfA: number,
  b: Candidate,
  scoreOfB: number,
  reads: ReadonlyMap<string, number>,
): number {
  const allFirst = Number(b.page.hasAll) - Number(a.page.hasAll);
  if (allFirst !== 0) return allFirst;
  if (scoreOfA !== scoreOfB) return scoreOfB - scoreOfA;
  const mostRead = (reads.get(b.revision) ?? 0) - (reads.get(a.revision) ?? 0);
  if (mostRead !== 0) return mostRead;
  const [left, right] = [`${a.page.path}\n${a.revision}`, `${b.page.path}\n${b.revision}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
