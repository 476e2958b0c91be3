import type { Project } from './project.js';
import { fold } from './search/search-term.js';

/** Sort orders of a list of projects; `group`: by group, those without one last. */
export const PROJECT_ORDERS = ['group', 'name', 'newest'] as const;
export type ProjectOrder = (typeof PROJECT_ORDERS)[number];

/** Made on first use: it takes 6 ms, which a start need not wait for. */
let collator: Intl.Collator | undefined;

/** Compares names as people sort them: whatever the case, and numbers by their value. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b);
}

/** Sorts projects by group, by display name, or by the publication of the latest version, newest first. */
export function inOrder(projects: readonly Project[], order: ProjectOrder): readonly Project[] {
  return projects.toSorted(
    (a, b) =>
      (order === 'newest'
        ? b.latest.record.publishedAt.getTime() - a.latest.record.publishedAt.getTime()
        : 0) ||
      (order === 'group' ? compareGroups(a.docinfo.group, b.docinfo.group) : 0) ||
      compareNames(a.title, b.title) ||
      (a.directoryName < b.directoryName ? -1 : 1),
  );
}

function compareGroups(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compareNames(fold(a), fold(b));
}
