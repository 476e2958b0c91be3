import type { Context } from 'koa';
import type { ListedPage } from '../../../application/index.js';
import { type Located, nameInProject, SitePath } from '../../../domain/index.js';
import { cutOff } from '../../../formats/html/index.js';
import type { AppParts } from '../app-parts.js';
import type { PublicAddress } from '../public-address.js';
import { listAgeOf } from '../response/list-age.js';
import { sendText, Text } from '../response/send-text.js';
import { addressIn } from './address-in.js';

const PLAIN = 'text/plain; charset=utf-8';
/** Characters of a list above which it is divided. Agents cut what is longer. */
const MAX_CHARACTERS = 50_000;
/** Characters of a line beside its address: title and marks. */
const LINE = 60;
const MAX_TITLE = 100;

/** `llms.txt` of a version, or of a directory in it: its pages, or its directories where these are too many. */
export async function sendPageList(
  ctx: Context,
  { useCases, texts, turns, at }: AppParts,
  located: Located,
  directory: string,
): Promise<void> {
  const { project, version } = located;
  const asked = partIn(ctx);
  const make = async () => {
    const { listPages } = useCases;
    const below = await listPages.pathsBelow(version, directory);
    await turns.next();
    const length = (path: string) => lengthOf(path, version.directoryName, at);
    const { pages, directories } = divided(below, directory, length);
    const parts = partsOf(pages, length);
    const part = partAmong(parts, asked);
    const listed = await listPages.titled(version, parts[part - 1] ?? []);
    const list = {
      located,
      directory,
      pages: listed,
      directories: part === 1 ? directories : new Map(),
      part,
      parts,
    };
    return new Text(textOf(list, at), PLAIN);
  };
  const key = `llms/${version.revision}/${directory} ${asked} ${project?.revision}`;
  await sendText(ctx, await texts.get(key, make, listAgeOf(version)));
}

/** Number of the part that is asked for, from 1 on. */
export function partIn({ query }: Context): number {
  return typeof query.part === 'string' && /^[1-9]\d{0,3}$/.test(query.part) ? Number(query.part) : 1;
}

/** The part that is asked for, or the last one: a list may have become shorter since somebody was led there. */
export function partAmong(parts: readonly unknown[], asked: number): number {
  return Math.min(asked, parts.length);
}

/** Divides what is listed, so that no part is too long. There is one part at least. */
export function partsOf<Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
): readonly (readonly Item[])[] {
  const parts: Item[][] = [[]];
  let length = 0;
  for (const item of items) {
    length += lengthOf(item);
    if (length > MAX_CHARACTERS) {
      parts.push([]);
      length = lengthOf(item);
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}

/** Links to the other parts of a list. */
export function partLinks(address: string, part: number, parts: number): string {
  if (parts < 2) return '';
  const others = Array.from({ length: parts }, (_, index) => index + 1).filter((each) => each !== part);
  return `\n## More\n\n${others.map((each) => `- [Part ${each}](${address}${each === 1 ? '' : `?part=${each}`})\n`).join('')}`;
}

/** All pages, if they are not too many, else those of the directory itself, and the number of pages of each list below. */
function divided(paths: readonly string[], directory: string, lengthOf: (path: string) => number) {
  const directories = new Map<string, number>();
  const divide = (within: readonly string[], at: string): readonly string[] => {
    if (within.reduce((sum, path) => sum + lengthOf(path), 0) <= MAX_CHARACTERS) return within;
    const inside = new Map<string, string[]>();
    const pages: string[] = [];
    for (const path of within) {
      const [, name] = /^([^/]+\/)./.exec(path.slice(at.length)) ?? [];
      if (name === undefined) pages.push(path);
      else if (inside.get(name)?.push(path) === undefined) inside.set(name, [path]);
    }
    for (const [name, below] of inside) {
      const own = divide(below, at + name);
      if (own.length > 0) directories.set(at + name, own.length);
    }
    return pages;
  };
  const pages = divide(paths, directory);
  const length = Array.from(directories.keys()).reduce((sum, path) => sum + lengthOf(path), 0);
  return { pages, directories: length <= MAX_CHARACTERS ? directories : topmost(directories, directory) };
}

/** Only the directories that lie in this one itself: each has a list of those in it. */
function topmost(directories: ReadonlyMap<string, number>, directory: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [path, count] of directories) {
    const top = path.slice(0, path.indexOf('/', directory.length) + 1);
    counts.set(top, (counts.get(top) ?? 0) + count);
  }
  return counts;
}

function lengthOf(path: string, name: string, at: PublicAddress): number {
  return addressIn(at, name, path).length + LINE;
}

interface List {
  readonly located: Located;
  readonly directory: string;
  readonly pages: readonly ListedPage[];
  /** Pages in each directory. */
  readonly directories: ReadonlyMap<string, number>;
  readonly part: number;
  readonly parts: readonly unknown[];
}

function textOf({ located, directory, pages, directories, part, parts }: List, at: PublicAddress): string {
  const { project, version } = located;
  const { latest, title = version.project, description = '' } = project ?? {};
  const addressOf = (path: string) => addressIn(at, version.directoryName, SitePath.of(path)?.toUrl() ?? '');
  const older =
    latest === undefined || project?.isLatest(version)
      ? ''
      : ` The latest version is ${latest.label}: ${addressIn(at, latest.directoryName, 'llms.txt')}`;
  const name = nameInProject(version);
  const about = `${plain(description)} Version ${name}, in Markdown.${older}`.trim();
  const links = pages.map(({ path, title }) => `- [${plain(title)}](${addressOf(path)}.md)\n`);
  const nested = Array.from(
    directories,
    ([path, count]) => `- [${plain(path)}](${addressOf(path.slice(0, -1))}/llms.txt): ${count} pages\n`,
  );
  return [
    `# ${plain(title)} ${name}${directory === '' ? '' : `: ${plain(directory)}`}\n\n> ${about}\n`,
    links.length === 0 ? '' : `\n## Pages\n\n${links.join('')}`,
    nested.length === 0 ? '' : `\n## Directories\n\n${nested.join('')}`,
    partLinks(addressOf(`${directory}llms.txt`), part, parts.length),
  ].join('');
}

/** A text in one line, without what would end a link. */
export function plain(text: string): string {
  return cutOff(text.replace(/\s+/g, ' '), MAX_TITLE).replace(/[[\]\\]/g, '\\$&');
}
