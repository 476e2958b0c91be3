import type Database from 'libsql';
import type { BuiltIndex } from '../../../application/ports/search-index.js';
import { Breadcrumbs } from '../../../application/search/breadcrumbs.js';
import { definitionsOf, lastPartOf } from '../../../application/search/definitions.js';
import { facetKindOf, PAGE_KINDS } from '../../../application/search/facets.js';
import type { ReadablePage } from '../../../application/search/read-site.js';
import { PLACES, type Place, pageWords } from '../../../application/search/words/page-words.js';
import { readTo } from '../../../formats/html/text/page-text.js';
import { packFilter, packSpellings } from './known-words.js';
import { type Loaded, loadEngine } from './load-engine.js';
import { RevisionDatabase } from './revision-database.js';
import { FORMAT, packPageRow, SCHEMA, sealed } from './schema.js';
import { TextBlocks } from './text-blocks.js';

/**
 * Bytes of words that FTS5 gathers before it writes them, looked at after each page. A word that comes once takes some 13
 * bytes of them, and 144 of memory.
 */
const HASH_SIZE = 4_000_000;
/** Kibibytes of the file that SQLite keeps in memory while it writes. */
const CACHE_KIB = 8_192;
/** Words that are read at a time once all are written. */
const WORDS_AT_ONCE = 10_000;
/** Words for typos: no real site comes close. */
const MAX_SPELLINGS = 200_000;

/**
 * Writes the database of a site into a new file, and reads it back. The file is complete once it returns; it is not synced.
 * @throws UnusableIndex when searches could not read what was written; Error of SQLite
 */
export async function buildDatabase(file: string, pages: AsyncIterable<ReadablePage>): Promise<BuiltIndex> {
  const engine = await loadEngine();
  const built = await writeDatabase(engine, file, pages);
  const written = RevisionDatabase.open(engine, file);
  try {
    written.readBack();
  } finally {
    written.close();
  }
  return built;
}

async function writeDatabase(
  { Engine }: Loaded,
  file: string,
  pages: AsyncIterable<ReadablePage>,
): Promise<BuiltIndex> {
  const database = new Engine(file);
  try {
    database.exec(
      `PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA cache_size = -${CACHE_KIB}`,
    );
    database.exec('PRAGMA synchronous = OFF');
    database.prepare('PRAGMA journal_mode = OFF').get();
    database.exec(SCHEMA);
    database.exec(`INSERT INTO words(words, rank) VALUES('hashsize', ${HASH_SIZE})`);
    database.exec('BEGIN');
    const built = await insertPages(database, pages);
    database.exec("INSERT INTO words(words) VALUES('optimize')");
    database.exec('COMMIT');
    // In a page, each word is in one place only.
    const place = PLACES.map((name, at) => `WHEN '${name}' THEN ${at}`).join(' ');
    database.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, words, col);
      INSERT INTO frequencies SELECT term, sum(doc), min(CASE col ${place} END) FROM temp.vocabulary GROUP BY term;
      DROP TABLE temp.vocabulary`);
    insertFilter(database);
    // Merging has left free pages in the file. `VACUUM` would hold all of it in memory.
    database.exec('PRAGMA incremental_vacuum');
    return built;
  } finally {
    database.close();
  }
}

async function insertPages(
  database: Database.Database,
  pages: AsyncIterable<ReadablePage>,
): Promise<BuiltIndex> {
  const insertPage = database.prepare('INSERT INTO pages VALUES(?, ?)');
  const insertWords = database.prepare(
    `INSERT INTO words(rowid, ${PLACES.join(', ')}) VALUES(?${', ?'.repeat(PLACES.length)})`,
  );
  const insertBlock = database.prepare('INSERT INTO blocks VALUES(?, ?)');
  const insertDefinition = database.prepare('INSERT INTO definitions VALUES(?, ?, ?)');
  const blocks = new TextBlocks((id, content) => insertBlock.run(id, sealed(id, content)));
  const spellings = new Set<string>();
  const kinds: number[] = [];
  const breadcrumbs = new Breadcrumbs();
  let id = 0;
  let cut = 0;
  for await (const { path, page } of pages) {
    id += 1;
    const words = pageWords(path, page);
    if (page.cut.length > 0 || words.isCut) cut += 1;
    insertWords.run(id, ...columnsOf(words.places));
    const { title, kind, language } = page;
    const row = packPageRow({
      path,
      title,
      kind,
      language,
      way: breadcrumbs.add(path, title),
      readTo: readTo(page),
      ...blocks.add(page.sections),
    });
    insertPage.run(id, sealed(id, row));
    const definitions = definitionsOf(path, page);
    kinds.push(PAGE_KINDS.indexOf(facetKindOf(page, definitions)));
    for (const { key, section } of definitions) insertDefinition.run(key, id, section);
    for (const word of words.spellings) if (spellings.size < MAX_SPELLINGS) spellings.add(word);
  }
  blocks.flush();
  insertSpellings(database, spellings);
  insertBreadcrumbs(database, breadcrumbs);
  database.prepare('INSERT INTO kinds VALUES(?, ?)').run(1, sealed(1, Buffer.from(kinds)));
  database.prepare('INSERT INTO meta VALUES(?, ?)').run(FORMAT, id);
  return { pages: id, cut };
}

/** The text of each column: its tokens, separated by spaces. */
function columnsOf(places: ReadonlyMap<string, Place>): string[] {
  const columns: Record<Place, string[]> = {
    about: [],
    title: [],
    names: [],
    headings: [],
    often: [],
    body: [],
    lists: [],
  };
  for (const [token, place] of places) columns[place].push(token);
  return PLACES.map((place) => columns[place].join(' '));
}

function insertBreadcrumbs(database: Database.Database, breadcrumbs: Breadcrumbs): void {
  const insert = database.prepare('INSERT INTO ways VALUES(?, ?)');
  for (const [id, titles] of breadcrumbs.entries())
    insert.run(id, sealed(id, Buffer.from(JSON.stringify(titles))));
}

/** Inserts the filter of all words, and of the last part of each defined name, which ends with a dot. */
function insertFilter(database: Database.Database): void {
  const { count } = database
    .prepare('SELECT (SELECT count(*) FROM frequencies) + (SELECT count(*) FROM definitions) AS count')
    .get() as { count: number };
  const filter = packFilter(wordsAndNames(database), count);
  database.prepare('INSERT INTO filters VALUES(?, ?)').run(1, sealed(1, filter));
}

function* wordsAndNames(database: Database.Database): Generator<string> {
  yield* wordsIn(database, 'term', 'frequencies');
  for (const key of wordsIn(database, 'key', 'definitions')) yield lastPartOf(key);
}

/** The words in a column that is the key of a table: in memory only some at a time. */
function* wordsIn(database: Database.Database, column: string, table: string): Generator<string> {
  const next = database
    .prepare(
      `SELECT CAST(json_group_array(word) AS BLOB) FROM
        (SELECT DISTINCT ${column} AS word FROM ${table} WHERE ${column} > ? ORDER BY ${column} LIMIT ${WORDS_AT_ONCE})`,
    )
    .raw();
  let words: string[];
  let last = '';
  do {
    const [packed] = next.get(last) as [Buffer];
    words = JSON.parse(packed.toString());
    yield* words;
    last = words.at(-1) ?? last;
  } while (words.length === WORDS_AT_ONCE);
}

function insertSpellings(database: Database.Database, spellings: ReadonlySet<string>): void {
  const byLength = new Map<number, string[]>();
  for (const word of [...spellings].sort()) {
    const words = byLength.get(word.length);
    if (words === undefined) byLength.set(word.length, [word]);
    else words.push(word);
  }
  const insert = database.prepare('INSERT INTO spellings VALUES(?, ?)');
  for (const [length, words] of byLength) insert.run(length, sealed(length, packSpellings(words)));
}
