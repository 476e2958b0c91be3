import type { Context } from 'koa';
import type { ListedPage } from '../../../application/index.js';
import { type Located, SitePath } from '../../../domain/index.js';
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
  const part = partIn(ctx);
  const make = async () => {
    const { listPages } = useCases;
    const below = await listPages.pathsBelow(version, directory);
    await turns.next();
    const { pages, directories } = divided(below, directory, version.directoryName, at);
    const parts = partsOf(pages, (path) => lengthOf(path, version.directoryName, at));
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
  const key = `llms/${version.revision}/${directory} ${part} ${project?.revision}`;
  await sendText(ctx, await texts.get(key, make, listAgeOf(version)));
}

/** Number of the part that is asked for, from 1 on. */
export function partIn({ query }: Context): number {
  return typeof query.part === 'string' && /^[1-9]\d{0,3}$/.test(query.part) ? Number(query.part) : 1;
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

/** All pages, if they are not too many, else those of the directory itself, and the number of pages of each one in it. */
function divided(paths: readonly string[], directory: string, name: string, at: PublicAddress) {
  const directories = new Map<string, number>();
  const length = paths.reduce((sum, path) => sum + lengthOf(path, name, at), 0);
  const pages = paths.filter((path) => {
    const [, within] = /^([^/]+\/)./.exec(path.slice(directory.length)) ?? [];
    if (length <= MAX_CHARACTERS || within === undefined) return true;
    directories.set(directory + within, (directories.get(directory + within) ?? 0) + 1);
    return false;
  });
  return { pages, directories };
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
  const { latest, name = version.project, description = '' } = project ?? {};
  const addressOf = (path: string) => addressIn(at, version.directoryName, SitePath.of(path)?.toUrl() ?? '');
  const older =
    latest === undefined || latest.label === version.label
      ? ''
      : ` The latest version is ${latest.label}: ${addressIn(at, latest.directoryName, 'llms.txt')}`;
  const about = `${plain(description)} Version ${version.label}, in Markdown.${older}`.trim();
  const links = pages.map(({ path, title }) => `- [${plain(title)}](${addressOf(path)}.md)\n`);
  const nested = Array.from(
    directories,
    ([path, count]) => `- [${plain(path)}](${addressOf(path.slice(0, -1))}/llms.txt): ${count} pages\n`,
  );
  return [
    `# ${plain(name)} ${version.label}${directory === '' ? '' : `: ${plain(directory)}`}\n\n> ${about}\n`,
    links.length === 0 ? '' : `\n## Pages\n\n${links.join('')}`,
    nested.length === 0 ? '' : `\n## Directories\n\n${nested.join('')}`,
    partLinks(addressOf(`${directory}llms.txt`), part, parts.length),
  ].join('');
}

/** A text in one line, without what would end a link. */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[[\]\\]/g, '\\$&')
    .slice(0, MAX_TITLE);
}
