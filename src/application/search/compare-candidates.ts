import type { SearchOptions } from '../ports/search-index.js';
import type { Candidate } from './found-page.js';

/** A candidate with what its place among others is made from. */
export interface ScoredCandidate {
  readonly candidate: Candidate;
  readonly score: number;
  /** How often its revision is read; 0 where nobody counts. */
  readonly timesRead: number;
}

export function scoredCandidate(
  candidate: Candidate,
  score: number,
  reads: SearchOptions['reads'],
): ScoredCandidate {
  return { candidate, score, timesRead: reads?.get(candidate.revision) ?? 0 };
}

/** Pages with all words first, then by score. Equal ones by reads, then by path, so that the order is the same each time. */
export function compareCandidates(a: ScoredCandidate, b: ScoredCandidate): number {
  const { page, revision } = a.candidate;
  const { page: other, revision: otherRevision } = b.candidate;
  const allFirst = Number(other.hasAll) - Number(page.hasAll);
  if (allFirst !== 0) return allFirst;
  if (a.score !== b.score) return b.score - a.score;
  if (a.timesRead !== b.timesRead) return b.timesRead - a.timesRead;
  const [left, right] = [`${page.path}\n${revision}`, `${other.path}\n${otherRevision}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
