import { decodedComponent, quote, type VisibleCatalogue } from '../../domain/index.js';
import { cutOff } from '../../formats/html/index.js';
import type { ListedPage, ListPages } from '../pages/list-pages.js';
import { cursorIn, cursorLine, locateVersion, shownPath, ToolFault, versionLine } from './tool-texts.js';

export interface PagesQuestion {
  readonly project: string;
  readonly version?: string | undefined;
  /** Directory in the site. */
  readonly under?: string | undefined;
  /** As the answer before said it. */
  readonly cursor?: string | undefined;
}

/** Max. characters of the paths and titles of one answer. */
const MAX_CHARACTERS = 8_000;
/** Pages whose titles are looked up at a time: the titles of fewer pages share too little to be shortened. */
const PAGES_AT_A_TIME = 150;
const MAX_TITLE = 100;

/** Lists the pages of a version with their titles, as `llms.txt` does: as the front page links them, then by path. */
export async function listDocs(
  pages: Pick<ListPages, 'pathsBelow' | 'titled'>,
  seen: VisibleCatalogue,
  { project, version, under = '', cursor }: PagesQuestion,
): Promise<string> {
  const chosen = locateVersion(seen, project, version);
  const folder = decodedComponent(under).replace(/^\/+|\/+$/g, '');
  const paths = await pages.pathsBelow(chosen.version, folder === '' ? '' : `${folder}/`);
  if (paths.length === 0)
    throw new ToolFault(`No pages under ${quote(under)}. Leave 'under' out to list all.`);
  const start = cursor === undefined ? 0 : startAt(paths, cursor);
  const titled = await pages.titled(chosen.version, paths.slice(start, start + PAGES_AT_A_TIME));
  const lines: string[] = [];
  let left = MAX_CHARACTERS;
  for (const line of titled.map(lineOf)) {
    left -= line.length + 1;
    if (left < 0 && lines.length > 0) break;
    lines.push(line);
  }
  const end = start + lines.length;
  const more = end < paths.length ? [cursorLine({ at: end, from: 0 })] : [];
  return [versionLine(chosen, version), ...lines, ...more].join('\n');
}

function lineOf({ path, title }: ListedPage): string {
  const shown = shownPath(path);
  return title === path ? shown : `${shown}: ${cutOff(title, MAX_TITLE)}`;
}

function startAt(paths: readonly string[], cursor: string): number {
  const { at, from } = cursorIn(cursor) ?? { at: paths.length, from: 0 };
  if (at >= paths.length || from > 0)
    throw new ToolFault(`No cursor ${quote(cursor)} in this list. Leave 'cursor' out to begin.`);
  return at;
}
