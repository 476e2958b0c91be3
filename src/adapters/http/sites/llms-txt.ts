import type { ListedPage } from '../../../application/index.js';
import {
  addressOfPage,
  isDrawn,
  isListed,
  type Located,
  nameInProject,
  SitePath,
  type Version,
} from '../../../domain/index.js';
import { cutOff } from '../../../formats/html/index.js';
import type { AppParts } from '../app-parts.js';
import type { PublicAddress } from '../public-address.js';
import { type Answer, type Asked, type Handle, textAnswer } from '../response/answer.js';
import { listAgeOf, stateNumber, Text, type Turns } from '../response/texts.js';
import { MAX_CHARACTERS, partAmong, partIn, partLinks, partsOf } from './list-parts.js';

const PLAIN = 'text/plain; charset=utf-8';
const MAX_TITLE = 100;
/** Characters of a title where a part would be too long otherwise: titles are read of the pages of one part only. */
const SHORT_TITLE = 50;
/** Paths that are looked at, in some milliseconds, before others have their turn. */
const PATHS_PER_TURN = 2_000;
const PAGES = '\n## Pages\n\n';
const DIRECTORIES = '\n## Directories\n\n';

/** `llms.txt` of a version, or of a directory in it: its pages, or its directories where these are too many. */
export async function pageList(
  { directory, ...located }: Located & { readonly directory: string },
  { query }: Asked,
  { useCases, texts, turns, at }: AppParts,
): Promise<Answer> {
  const { project, version } = located;
  const asked = partIn(query);
  const make = async () => {
    const { listPages } = useCases;
    const below = await listPages.pathsBelow(version, directory);
    const markdown = await listPages.markdownOf(version);
    const addressOf = (path: string) => addressOfText(version, path, markdown, at);
    const list = await PageList.of(located, directory, below, at, turns, addressOf);
    const part = partAmong(list.parts, asked);
    const pages = (list.parts[part - 1] ?? []).filter((item) => typeof item === 'string');
    return new Text(list.textOf(part, await listPages.titled(version, pages)), PLAIN);
  };
  const key = `llms/${version.revision}/${directory} ${asked} ${project?.revision}`;
  return textAnswer(await texts.get(key, make, listAgeOf(version)));
}

/** Line of a directory that has a list of its own. */
interface DirectoryLine {
  readonly line: string;
}

/** The list of the pages in a directory of a version, `''` for all, in parts. */
class PageList {
  /** Paths of pages, then directories. */
  readonly parts: readonly (readonly (string | DirectoryLine)[])[];
  private readonly address: string;

  private constructor(
    private readonly located: Located,
    private readonly directory: string,
    private readonly at: PublicAddress,
    { pages, directories }: Divided,
    private readonly addressOf: (path: string) => string,
    lengthOf: (path: string) => number,
    around: (directory: string) => number,
  ) {
    const listAt = (path: string) => addressOfFile(located.version, `${path}llms.txt`, at);
    this.address = listAt(directory);
    const linesOf = (counts: ReadonlyMap<string, number>) =>
      Array.from(counts, ([path, count]) => `- [${plain(path)}](${listAt(path)}): ${count} pages\n`);
    const all = linesOf(directories);
    const isLong = all.reduce((sum, line) => sum + line.length, 0) > MAX_CHARACTERS;
    const lines = (isLong ? linesOf(topmost(directories, directory)) : all).map((line) => ({ line }));
    this.parts = partsOf<string | DirectoryLine>(
      [...pages, ...lines],
      (item) => (typeof item === 'string' ? lengthOf(item) : item.line.length),
      this.address,
      around(directory),
    );
  }

  /**
   * @param below paths of all pages in the directory: others have their turn while there are many
   * @param addressOf a page's text
   */
  static async of(
    located: Located,
    directory: string,
    below: readonly string[],
    at: PublicAddress,
    turns: Turns,
    addressOf: (path: string) => string,
  ): Promise<PageList> {
    const lengths = new Map<string, number>();
    for (const [index, path] of below.entries()) {
      if (index % PATHS_PER_TURN === 0) await turns.next();
      lengths.set(path, pageLine('', addressOf(path)).length + SHORT_TITLE);
    }
    const lengthOf = (path: string) => lengths.get(path) ?? 0;
    const around = (each: string) => headOf(located, each, at).length + PAGES.length + DIRECTORIES.length;
    return new PageList(
      located,
      directory,
      at,
      await divided(below, directory, lengthOf, around, turns),
      addressOf,
      lengthOf,
      around,
    );
  }

  /** @param pages of the part, with their titles, which are cut if there is no room for them */
  textOf(part: number, pages: readonly ListedPage[]): string {
    const { at, located, directory, address, parts } = this;
    const textWith = (titleOf: (page: ListedPage) => string) => {
      const links = pages.map((page) => pageLine(titleOf(page), this.addressOf(page.path)));
      const lines = (parts[part - 1] ?? []).flatMap((item) => (typeof item === 'string' ? [] : [item.line]));
      return [
        headOf(located, directory, at),
        links.length === 0 ? '' : PAGES + links.join(''),
        lines.length === 0 ? '' : DIRECTORIES + lines.join(''),
        partLinks(address, part, parts.length),
      ].join('');
    };
    const text = textWith(({ title }) => plain(title));
    return text.length <= MAX_CHARACTERS ? text : textWith(({ title }) => shortTitle(title));
  }
}

interface Divided {
  /** All pages, if they are not too many, else those of the directory itself. */
  readonly pages: readonly string[];
  /** Number of pages of each list below. */
  readonly directories: ReadonlyMap<string, number>;
}

async function divided(
  paths: readonly string[],
  directory: string,
  lengthOf: (path: string) => number,
  around: (directory: string) => number,
  turns: Turns,
): Promise<Divided> {
  const directories = new Map<string, number>();
  let looked = 0;
  const divide = async (within: readonly string[], at: string): Promise<readonly string[]> => {
    // A path is looked at once for each directory that it is in: there may be hundreds.
    looked += within.length;
    if (looked > PATHS_PER_TURN) {
      looked = 0;
      await turns.next();
    }
    const length = within.reduce((sum, path) => sum + lengthOf(path), around(at));
    if (length <= MAX_CHARACTERS) return within;
    const inside = new Map<string, string[]>();
    const pages: string[] = [];
    for (const path of within) {
      const [, name] = isDrawn(path) ? [] : (/^([^/]+\/)./.exec(path.slice(at.length)) ?? []);
      if (name === undefined) pages.push(path);
      else if (inside.get(name)?.push(path) === undefined) inside.set(name, [path]);
    }
    for (const [name, below] of inside) {
      const own = await divide(below, at + name);
      if (own.length > 0) directories.set(at + name, own.length);
    }
    return pages;
  };
  return { pages: await divide(paths, directory), directories };
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

function headOf({ project, version }: Located, directory: string, at: PublicAddress): string {
  const { latest, title = version.project, description = '' } = project ?? {};
  const older =
    latest === undefined || project?.isLatest(version)
      ? ''
      : ` The latest version is ${latest.label}: ${at.inVersion(latest.directoryName, 'llms.txt')}`;
  const name = nameInProject(version);
  const about = `${plain(description)} Version ${name}, in Markdown.${older}`.trim();
  return `# ${plain(title)} ${name}${directory === '' ? '' : `: ${plain(directory)}`}\n\n> ${about}\n`;
}

function pageLine(title: string, address: string): string {
  return `- [${title}](${address})\n`;
}

/** Address of the Markdown of a page. A drawn page that is no Markdown file has its own. */
function addressOfText(
  version: Version,
  path: string,
  markdown: ReadonlyMap<string, string>,
  at: PublicAddress,
): string {
  if (!isDrawn(path)) return `${addressOfFile(version, path, at)}.md`;
  const file = markdown.get(path);
  return file === undefined
    ? at.inVersion(version.directoryName, addressOfPage(path))
    : addressOfFile(version, file, at);
}

function addressOfFile({ directoryName }: Version, path: string, at: PublicAddress): string {
  return at.inVersion(directoryName, SitePath.of(path)?.toUrl() ?? '');
}

/** A text in one line, without what would end a link. */
function plain(text: string, maxLength = MAX_TITLE): string {
  return cutOff(text.replace(/\s+/g, ' '), maxLength).replace(/[[\]\\]/g, '\\$&');
}

/** A title of `SHORT_TITLE` characters at most, with what escapes its brackets. */
function shortTitle(title: string): string {
  const short = plain(title, SHORT_TITLE);
  return short.length <= SHORT_TITLE ? short : plain(title, SHORT_TITLE / 2);
}

/** `/llms.txt`: all projects, with the lists of pages of their latest versions. */
export function projectList({ useCases, texts, turns, at }: AppParts): Handle {
  return async (asked) => {
    const projects = await useCases.listProjects.execute(asked.visitor.seen());
    const wanted = partIn(asked.query);
    const make = async () => {
      await turns.next();
      const lines = projects
        .filter((project) => isListed({ project, version: project.latest }))
        .map(({ directoryName, title, description, latest }) => {
          const about = description === '' ? '' : `: ${plain(description)}`;
          return `- [${plain(title)} ${latest.label}](${at.inVersion(`${directoryName}-latest`, 'llms.txt')})${about}\n`;
        });
      const about =
        'Documentation in Markdown, for every version. For each project, the pages of its latest version are listed.';
      const others = `Lists of other versions are at ${at.to('/')}<project>-<version>/llms.txt.`;
      const head = `# Documentation\n\n> ${about}\n\n${others}\n\n## Projects\n\n`;
      const address = at.canonical({ path: '/llms.txt', onHost: false }) ?? at.to('/llms.txt');
      const parts = partsOf(lines, (line) => line.length, address, head.length);
      const part = partAmong(parts, wanted);
      const list = (parts[part - 1] ?? []).join('');
      return new Text(head + list + partLinks(address, part, parts.length), 'text/plain; charset=utf-8');
    };
    return textAnswer(await texts.get(`llms ${stateNumber(projects)} ${wanted}`, make));
  };
}
