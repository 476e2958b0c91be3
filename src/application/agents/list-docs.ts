import { isPage, quote, type VisibleCatalogue } from '../../domain/index.js';
import type { Sites } from '../ports/doc-store.js';
import { locateVersion, versionLine } from './locate-version.js';
import { ToolFault } from './tool-fault.js';

export interface PagesQuestion {
  readonly project: string;
  readonly version?: string | undefined;
  /** Directory in the site. */
  readonly under?: string | undefined;
  /** As the answer before said it. */
  readonly cursor?: string | undefined;
}

/** Max. files of a version that are listed. */
const MAX_FILES = 10_000;
/** Max. characters of the paths of one answer. */
const MAX_CHARACTERS = 8_000;

/** Lists the pages of a version by path. */
export async function listDocs(
  docs: Pick<Sites, 'listFiles'>,
  seen: VisibleCatalogue,
  { project, version, under = '', cursor = '' }: PagesQuestion,
): Promise<string> {
  const chosen = locateVersion(seen, project, version);
  const folder = under.replace(/^\/+|\/+$/g, '');
  const { paths } = await docs.listFiles(chosen.version, MAX_FILES);
  const pages = paths.filter((path) => isPage(path) && (folder === '' || path.startsWith(`${folder}/`)));
  if (pages.length === 0)
    throw new ToolFault(`No pages under ${quote(under)}. Leave 'under' out to list all.`);
  const listed: string[] = [];
  let left = MAX_CHARACTERS;
  const after = cursor.replace(/^cursor=/, '');
  for (const path of pages.filter((each) => each > after)) {
    left -= path.length + 1;
    if (left < 0 && listed.length > 0) break;
    listed.push(path);
  }
  const last = listed.at(-1);
  const more = last !== undefined && last !== pages.at(-1) ? [`more: cursor=${last}`] : [];
  return [versionLine(chosen, version), ...listed, ...more].join('\n');
}
