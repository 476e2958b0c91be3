import { nameInProject, type VisibleCatalogue } from '../../domain/index.js';
import { cutBlock } from '../../formats/html/index.js';
import { charactersOf, locateVersion, noPage, shownPath, versionLine } from '../agents/tool-texts.js';
import type { Waiter } from '../ports/waiter.js';
import type { CompareVersions } from './compare-versions.js';

export interface ComparisonQuestion {
  readonly project: string;
  readonly from: string;
  readonly to?: string | undefined;
  /** Page whose text is compared. */
  readonly path?: string | undefined;
}

const MAX_TOKENS = 2_500;
const MAX_PATHS = 40;

/** Tells which pages of two versions differ, or what differs in one page. */
export async function compareDocs(
  compare: CompareVersions,
  seen: VisibleCatalogue,
  { project, from, to, path }: ComparisonQuestion,
  waiter: Waiter,
): Promise<string> {
  const before = locateVersion(seen, project, from, 'from');
  const after = locateVersion(seen, project, to, 'to');
  const labels = {
    project: before.version.project,
    before: nameInProject(before.version),
    after: nameInProject(after.version),
  };
  const head = `from: ${versionLine(before, from)}\nto: ${versionLine(after, to)}`;
  if (path !== undefined) {
    const difference = await compare.page(seen, labels, path.replace(/^\/+|#.*$/gs, ''), waiter);
    if (difference === undefined) throw noPage(path, []);
    const lines = difference.blocks.flatMap(({ parts }) => linesOf(parts));
    return fitting(`${head}\n\n${lines.join('\n') || 'No difference.'}`);
  }
  const { added, removed, changed, unchanged, moved, isCut } = await compare.execute(seen, labels, waiter);
  const gone = removed.map((page) => {
    const to = moved.get(page);
    return to === undefined ? shownPath(page) : `${shownPath(page)} -> ${shownPath(to)}`;
  });
  const others = changed.map((page) => shownPath(page.after));
  const lists = [listOf('added', added.map(shownPath)), listOf('removed', gone), listOf('changed', others)];
  const rest = isCut ? ['A version has more files than are compared.'] : [];
  return fitting([head, `unchanged: ${unchanged}`, ...rest, ...lists].join('\n\n'));
}

function fitting(text: string): string {
  return cutBlock({ kind: 'paragraph', text }, charactersOf(MAX_TOKENS));
}

function linesOf(parts: readonly { readonly kind: string; readonly text: string }[]): string[] {
  if (parts.every(({ kind }) => kind === 'same')) return [];
  const side = (kind: string) =>
    parts
      .filter((part) => part.kind === kind || part.kind === 'same')
      .map(({ text }) => text)
      .join('');
  const lines: string[] = [];
  if (parts.some(({ kind }) => kind !== 'added')) lines.push(`- ${side('removed')}`);
  if (parts.some(({ kind }) => kind !== 'removed')) lines.push(`+ ${side('added')}`);
  return lines;
}

function listOf(name: string, paths: readonly string[]): string {
  const more = paths.length > MAX_PATHS ? [`and ${paths.length - MAX_PATHS} more`] : [];
  return [`${name}: ${paths.length}`, ...paths.slice(0, MAX_PATHS), ...more].join('\n');
}
