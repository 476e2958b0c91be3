import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type Database from 'libsql';
import { type Definition, lastPartOf } from '../../../application/search/definitions.js';
import { PAGE_KINDS } from '../../../application/search/facets.js';
import type { PageContent } from '../../../application/search/page-content.js';
import type { WordSource } from '../../../application/search/query/resolve-words.js';
import { PLACES } from '../../../application/search/words/page-words.js';
import { MAX_SPELLING, MIN_SPELLING } from '../../../application/search/words/typos.js';
import { LruCache } from '../../../domain/lru-cache.js';
import { closeSpellings, mayHave } from './known-words.js';
import { type Loaded, throwIfNoMoreFiles, UnusableIndex } from './load-engine.js';
import { unpackPage } from './packed-page.js';
import { FORMAT, type PageRow, unpackPageRow, unsealed } from './schema.js';
import { pageOf, pagesIn, unpackBlock } from './text-blocks.js';

/** Kibibytes of a database that SQLite keeps in memory. */
const CACHE_KIB = 64;
const MAX_FREQUENCIES = 64;
/** Number of databases that this thread has opened. */
let opened = 0;

/**
 * All queries to a database. Every column is cast, to numbers and bytes: libsql 0.5.29 ends the whole process for text that
 * is no UTF-8, be it a value or the declared type of a column. Each query gives one row: libsql takes five times as long for
 * a hundred rows as for one with JSON of them.
 */
const QUESTIONS = {
  meta: `SELECT CAST(format AS INTEGER), CAST(pages AS INTEGER), (SELECT CAST(max(id) AS INTEGER) FROM pages) FROM meta`,
  filter: 'SELECT CAST(content AS BLOB) FROM filters WHERE id = ?',
  frequency: 'SELECT CAST(pages AS INTEGER), CAST(place AS INTEGER) FROM frequencies WHERE term = ?',
  // No character comes after U+10FFFF.
  longer: 'SELECT 1 FROM frequencies WHERE term > ?1 AND term < ?1 || char(1114111) LIMIT 1',
  match: `SELECT CAST(json_group_array(id) AS BLOB)
    FROM (SELECT CAST(rowid AS INTEGER) AS id FROM words WHERE words MATCH ? LIMIT ?)`,
  page: 'SELECT CAST(content AS BLOB) FROM pages WHERE id = ?',
  block: 'SELECT CAST(content AS BLOB) FROM blocks WHERE id = ?',
  kinds: 'SELECT CAST(content AS BLOB) FROM kinds WHERE id = ?',
  way: 'SELECT CAST(content AS BLOB) FROM ways WHERE id = ?',
  // The last parts of a key end with a dot, after which comes a slash.
  definitions: `SELECT CAST(json_group_array(json_array(page, section, key)) AS BLOB)
    FROM (SELECT CAST(page AS INTEGER) AS page, CAST(section AS INTEGER) AS section, key FROM definitions
      WHERE key >= ?1 AND key < substr(?1, 1, length(?1) - 1) || '/' ORDER BY length(key) LIMIT ?2)`,
  spellings: 'SELECT CAST(words AS BLOB) FROM spellings WHERE length = ?',
} as const;
type Question = keyof typeof QUESTIONS;

/** How often a token is in the pages of a database. */
interface Frequency {
  /** Number of pages that have it. */
  readonly pages: number;
  /** Index in `PLACES` of the most telling place that it has in a page; the number of places where no page has it. */
  readonly place: number;
}

/** The frequency of a token that no page has. */
const NOWHERE: Frequency = { pages: 0, place: PLACES.length };

/** A definition, and the page that it is in. */
interface DefinitionRow extends Definition {
  readonly page: number;
}

/** Query with all columns, whose first row comes as soon as FTS5 has read what every query needs. */
const PROBE = `{${PLACES.join(' ')}} : "a"`;

/**
 * The database of one revision, open for reading. The file never changes: SQLite opens it as `immutable`, without locks or
 * files beside it. Every method throws `UnusableIndex` for a damaged one.
 */
export class RevisionDatabase implements WordSource {
  readonly pages: number;
  private readonly filter: Buffer;
  /** Differs from that of each other one: the file of a closed one may have been replaced. */
  private readonly number = opened++;
  private readonly frequencies = new Map<string, Frequency>();
  private readonly statements: Readonly<Record<Question, Database.Statement<unknown[]>>>;

  /** Asks for all tables and columns once, so that an SQL error from then on is a mistake of a question, not of the file. */
  private constructor(
    private readonly database: Database.Database,
    readonly file: string,
    private readonly kept: LruCache<Buffer>,
  ) {
    // Rows as arrays: objects take twice as long to make.
    const prepared = Object.entries(QUESTIONS).map(([name, sql]) => [name, database.prepare(sql).raw()]);
    this.statements = Object.fromEntries(prepared);
    const [format, pages, last] = this.get<(number | null)[]>('meta') ?? [];
    if (format !== FORMAT) throw new UnusableIndex(`${file} has another format`);
    if (typeof pages !== 'number' || pages !== (last ?? 0)) throw new UnusableIndex(`${file} lacks pages`);
    this.pages = pages;
    this.filter = this.content('filter', 1, whole) ?? this.lacks('filter of words');
    this.match(PROBE, 1);
  }

  /** @throws UnusableIndex when the file is missing or damaged; Error with the code EMFILE when it can't be opened now */
  static open({ Engine }: Loaded, file: string, kept = keptBlocks(0)): RevisionDatabase {
    if (!existsSync(file)) throw new UnusableIndex(`${file} is missing`);
    // Attached: libsql 0.5.29 keeps the file of a closed connection open until its statements are garbage collected.
    const database = new Engine(':memory:');
    try {
      database.prepare('ATTACH ? AS site').run(`${pathToFileURL(file).href}?immutable=1`);
      // Gives back the memory that SQLite took for pages before it knew the size of the cache.
      database.exec(`PRAGMA site.cache_size = -${CACHE_KIB}; PRAGMA query_only = ON; PRAGMA shrink_memory`);
      return new RevisionDatabase(database, file, kept);
    } catch (cause) {
      database.close();
      throwIfNoMoreFiles(file);
      throw unusable(file, cause);
    }
  }

  /** Number of pages that have a token. */
  pagesWith(token: string): number {
    return this.frequency(token).pages;
  }

  /** Index in `PLACES` of the most telling place of a token; the number of places where no page has it. */
  bestPlaceOf(token: string): number {
    return this.frequency(token).place;
  }

  /** Whether a page has a longer token that begins with one. */
  hasPrefix(token: string): boolean {
    return this.get('longer', token) !== undefined;
  }

  private frequency(token: string): Frequency {
    const known = this.frequencies.get(token);
    if (known !== undefined) return known;
    const frequency = this.readFrequency(token);
    // Each search asks several times for the same few tokens.
    if (this.frequencies.size >= MAX_FREQUENCIES) this.frequencies.clear();
    this.frequencies.set(token, frequency);
    return frequency;
  }

  private readFrequency(token: string): Frequency {
    if (!mayHave(this.filter, token)) return NOWHERE;
    const [pages, place] = this.get<[number, number]>('frequency', token) ?? [];
    if (pages === undefined || place === undefined) return NOWHERE;
    if (pages < 1 || pages > this.pages || PLACES[place] === undefined)
      throw new UnusableIndex(`${this.file} has a word in pages or places that it lacks`);
    return { pages, place };
  }

  /** Ids of the first pages that answer an expression of FTS5. */
  match(expression: string, limit: number): number[] {
    return this.list<number>('match', expression, limit);
  }

  /** Number of pages of each kind that answer an expression of FTS5, in the order of `PAGE_KINDS`. */
  countKinds(expression: string): number[] {
    const kinds = this.kinds();
    const counts = PAGE_KINDS.map(() => 0);
    for (const id of this.match(expression, this.pages)) {
      const kind = kinds[id - 1] ?? 0;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  }

  /** Sections that explain a name, or a longer one that ends with it: the shortest names first. */
  definitions(key: string, limit: number): DefinitionRow[] {
    if (!mayHave(this.filter, lastPartOf(key))) return [];
    const rows = this.list<[page: number, section: number, key: string]>('definitions', key, limit);
    return rows.map(([page, section, found]) => ({ page, section, key: found }));
  }

  page(id: number): PageRow {
    return this.content('page', id, unpackPageRow) ?? this.lacks(`page ${id}`);
  }

  contentOf({ block, place }: PageRow): PageContent {
    const key = `${this.number}/${block}`;
    const pages = this.kept.get(key) ?? this.kept.set(key, this.block(block));
    return this.guarded(() => unpackPage(pageOf(pages, place)));
  }

  private block(id: number): Buffer {
    return this.content('block', id, unpackBlock) ?? this.lacks(`block ${id}`);
  }

  /** Titles of the pages above one by path. */
  wayOf({ way }: PageRow): readonly string[] {
    if (way === 0) return [];
    return this.content('way', way, (titles): readonly string[] => JSON.parse(titles.toString())) ?? [];
  }

  /** Words of titles, names and headings that may be within so many typos of a word, at most `most`. */
  spellingsNear(length: number, signature: number, typos: number, most: number): string[] {
    const words = this.content('spellings', length, whole);
    return words === undefined ? [] : closeSpellings(words, length, signature, typos, most);
  }

  /** Reads every row as a search would. @throws UnusableIndex when one cannot be read, or lacks a page */
  readBack(): void {
    this.kinds();
    let block: number | undefined;
    let places = 0;
    let ways = 0;
    for (let id = 1; id <= this.pages; id += 1) {
      const row = this.page(id);
      if (row.way > ways) {
        ways = row.way;
        this.wayOf(row);
      }
      if (row.block !== block) {
        block = row.block;
        places = pagesIn(this.block(block));
      }
      if (row.place >= places) this.lacks(`page ${row.place} in block ${block}`);
    }
    for (let length = MIN_SPELLING; length <= MAX_SPELLING; length += 1) this.spellingsNear(length, 0, 0, 1);
  }

  /** Index of each page's kind in `PAGE_KINDS`. */
  private kinds(): Buffer {
    const kinds = this.content('kinds', 1, whole);
    return kinds?.length === this.pages ? kinds : this.lacks('kinds of all pages');
  }

  /** Closes the file, at once. */
  close(): void {
    try {
      this.database.exec('DETACH site');
    } catch {
      // A statement that failed may still hold the file. Garbage collection closes it.
    }
    this.database.close();
  }

  /** Reads a row's sealed content; undefined when there is no such row. @throws UnusableIndex when it is damaged */
  private content<Result>(
    question: Question,
    id: number,
    read: (content: Buffer) => Result,
  ): Result | undefined {
    const row = this.get<[content: Buffer]>(question, id);
    return row && this.guarded(() => read(unsealed(id, row[0])));
  }

  private lacks(what: string): never {
    throw new UnusableIndex(`${this.file} has no ${what}`);
  }

  private get<Row>(question: Question, ...values: unknown[]): Row | undefined {
    return this.guarded(() => this.statements[question].get(...values) as Row | undefined);
  }

  private list<Item>(question: 'match' | 'definitions', ...values: unknown[]): Item[] {
    const [items] = this.get<[items: Buffer]>(question, ...values) ?? [];
    return items === undefined ? [] : this.guarded(() => JSON.parse(items.toString()));
  }

  private guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      // A question that SQLite does not understand says nothing about the file.
      if ((cause as { code?: string }).code === 'SQLITE_ERROR') throw cause;
      throw unusable(this.file, cause);
    }
  }
}

/** Returns a cache for the blocks of pages read last: each letter that somebody types asks for the same ones. */
export function keptBlocks(maxBytes: number): LruCache<Buffer> {
  return new LruCache(maxBytes, ({ length }) => length);
}

function whole(content: Buffer): Buffer {
  return content;
}

function unusable(file: string, cause: unknown): UnusableIndex {
  if (cause instanceof UnusableIndex) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnusableIndex(`${file} cannot be read: ${reason}`, { cause });
}
