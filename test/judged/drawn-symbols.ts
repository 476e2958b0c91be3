import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JUDGED_SITES } from './sites.js';
import { pagesBelow, unpacked } from './unpack.js';

/** A definition in a page of a site, with the parts of its full name: `['flask', 'Flask', 'route']`. */
export interface DrawnSymbol {
  readonly project: string;
  readonly path: string;
  readonly anchor: string;
  readonly parts: readonly string[];
  /** Text between the parts in the symbol's language. */
  readonly separator: string;
}

/** Definitions in the pages of a builder, found by patterns: the judged code reads pages otherwise. */
interface SymbolSource {
  readonly builder: string;
  readonly projects: readonly string[];
  readonly separator: string;
  /** Pages that define something. */
  readonly pages: RegExp;
  /** The anchor and the parts of the name of each definition in a page. */
  symbolsIn(html: string, path: string): Iterable<readonly [anchor: string, parts: readonly string[]]>;
}

const lettersOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
const NAME = /^[\w$]+$/;

export const SYMBOL_SOURCES: readonly SymbolSource[] = [
  {
    builder: 'Sphinx',
    projects: ['flask', 'python', 'django', 'sqlalchemy', 'pytest'],
    separator: '.',
    pages: /\.html$/,
    *symbolsIn(html) {
      for (const [, id = ''] of html.matchAll(/<dt class="sig [^>]*\bid="([\w.]+)"/g)) {
        if (id.includes('.')) yield [id, id.split('.')];
      }
    },
  },
  {
    builder: 'Javadoc',
    projects: ['openjdk', 'commons-lang'],
    separator: '.',
    pages: /\/[A-Z][\w.]*\.html$/,
    *symbolsIn(html, path) {
      const owner = path.replace(/\.html$/, '').replace(/^api\/[\w.]+\//, '');
      for (const [, id = ''] of html.matchAll(/<section class="detail" id="([^"]+)"/g)) {
        const name = id.replace(/\(.*/, '');
        if (NAME.test(name)) yield [id, [...owner.split(/[/.]/), name]];
      }
    },
  },
  {
    builder: 'rustdoc',
    projects: ['rust'],
    separator: '::',
    pages: /^(?:std|core|alloc|proc_macro)\/(?:.*\/)?(?:struct|enum|trait|union|primitive)\.\w+\.html$/,
    *symbolsIn(html, path) {
      const owner = path.replace(/\.html$/, '').split('/');
      owner.push(owner.pop()?.replace(/^\w+\./, '') ?? '');
      for (const [, id = '', name = ''] of html.matchAll(
        /<section id="((?:method|tymethod|variant|associatedconstant|structfield)\.(\w+))"/g,
      )) {
        yield [id, [...owner, name]];
      }
    },
  },
  {
    builder: 'Doxygen',
    projects: ['eigen'],
    separator: '::',
    pages: /(?:^|\/)(?:class|struct)\w+\.html$/,
    *symbolsIn(html) {
      const [, title = ''] = /<title>(?:[^<]*: )?([^<]*) (?:Class|Struct)[^<]*<\/title>/.exec(html) ?? [];
      const owner = lettersOf(title)
        .replace(/\s*<.*/, '')
        .split('::');
      for (const [, id = '', heading = ''] of html.matchAll(
        /<h2 class="memtitle"><span class="permalink"><a href="#(\w+)">.*?<\/span>(.*?)<\/h2>/g,
      )) {
        const name = lettersOf(heading).replace(/\(.*/, '');
        if (NAME.test(name) && owner.every((part) => NAME.test(part))) yield [id, [...owner, name]];
      }
    },
  },
  {
    builder: 'PostgreSQL',
    projects: ['postgres'],
    separator: '.',
    pages: /\.html$/,
    *symbolsIn(html) {
      for (const [, id = '', code = ''] of html.matchAll(
        /<dt id="([\w-]+)"><span class="term"><code class="(?:varname|function|literal|option)">(.*?)<\/code>/g,
      )) {
        const name = lettersOf(code);
        if (NAME.test(name)) yield [id, [name]];
      }
    },
  },
];

/** The definitions of a site whose full names stand there once. */
export async function symbolsOf(source: SymbolSource, project: string): Promise<readonly DrawnSymbol[]> {
  const site = JUDGED_SITES.find((each) => each.project === project);
  if (site === undefined) throw new Error(`there is no site ${project}`);
  const directory = await unpacked(site);
  const byName = new Map<string, DrawnSymbol[]>();
  for (const path of pagesBelow(directory).filter((each) => source.pages.test(each))) {
    const html = await readFile(join(directory, path), 'utf8');
    for (const [anchor, parts] of source.symbolsIn(html, path)) {
      const name = parts.join(source.separator);
      const same = byName.get(name) ?? [];
      same.push({ project, path, anchor, parts, separator: source.separator });
      byName.set(name, same);
    }
  }
  return [...byName.values()].flatMap((same) => (same.length === 1 ? same : []));
}

/** So many of the symbols, each at most once. */
export function draw(symbols: readonly DrawnSymbol[], count: number, random: () => number): DrawnSymbol[] {
  const left = [...symbols];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}
