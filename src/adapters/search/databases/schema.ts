import { crc32 } from 'node:zlib';
import { PLACES } from '../../../application/search/words/page-words.js';
import type { PageKind } from '../../../formats/html/index.js';

const CHECKSUM = 4;

/** Facts about a page, and the place of its text. */
export interface PageRow {
  readonly path: string;
  readonly title: string;
  readonly kind: PageKind;
  readonly language: string | undefined;
  readonly block: number;
  readonly place: number;
  /** Id in the table `ways`; 0 for none. */
  readonly way: number;
  /** As `readTo` of `SearchResult`. */
  readonly readTo: string | undefined;
}

export function packPageRow({ path, title, kind, language, block, place, way, readTo }: PageRow): Buffer {
  const row = [path, title, kind, language ?? null, block, place, way];
  return Buffer.from(JSON.stringify(readTo === undefined ? row : [...row, readTo]));
}

export function unpackPageRow(packed: Buffer): PageRow {
  const [path, title, kind, language, block, place, way, readTo] = JSON.parse(packed.toString());
  return { path, title, kind, language: language ?? undefined, block, place, way, readTo };
}

/**
 * The content of a row with a checksum of the content and the row's id in front of it. SQLite notices a page of a file that
 * makes no sense, but gives damaged text as if it were right.
 */
export function sealed(id: number, content: Uint8Array): Buffer {
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeUInt32LE(crc32(content, id));
  return Buffer.concat([checksum, content]);
}

/** @throws RangeError when the content is not what was sealed for this id */
export function unsealed(id: number, stored: Buffer): Buffer {
  const content = stored.subarray(CHECKSUM);
  if (stored.length < CHECKSUM || crc32(content, id) !== stored.readUInt32LE()) {
    throw new RangeError(`the checksum of row ${id} is wrong`);
  }
  return content;
}

/** Number of the format of a database, and of the tokens in it. Another number makes a database a damaged one. */
export const FORMAT = 11;

/** ASCII characters that tokens contain besides letters and digits. Everything beyond ASCII is part of a token anyway. */
const TOKEN_CHARACTERS = '_-+#<>=!*/%^&|~()[]@$';

/**
 * Tables of a database. `words` has no text and no positions, only which words are where in a page: a page's places
 * (`about`, `title`, ...) are its columns. `blocks` holds the compressed texts of several pages. `frequencies` is what FTS5
 * knows itself, in a form that is looked up five times as fast: how many pages have a word, and the most telling place where
 * one has it. `definitions` says which section explains a name. `kinds` has one row, with a byte for each page: its kind.
 * `ways` has the titles above pages, by the number in their rows. `filters` has one row: a filter of all words and of the last parts
 * of all names, which rules out most words that no page has. The contents of `pages`, `blocks`, `spellings`,
 * `kinds`, `ways` and `filters` are sealed.
 */
export const SCHEMA = `
  CREATE TABLE meta(format INTEGER NOT NULL, pages INTEGER NOT NULL);
  CREATE TABLE pages(id INTEGER PRIMARY KEY, content BLOB NOT NULL);
  CREATE TABLE blocks(id INTEGER PRIMARY KEY, content BLOB NOT NULL);
  CREATE TABLE spellings(length INTEGER PRIMARY KEY, words BLOB NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5(${PLACES.join(', ')}, content='', columnsize=0, detail=column, prefix='2 3',
    tokenize="ascii tokenchars '${TOKEN_CHARACTERS}'");
  CREATE TABLE frequencies(term TEXT PRIMARY KEY, pages INTEGER NOT NULL, place INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE kinds(id INTEGER PRIMARY KEY, content BLOB NOT NULL);
  CREATE TABLE ways(id INTEGER PRIMARY KEY, content BLOB NOT NULL);
  CREATE TABLE filters(id INTEGER PRIMARY KEY, content BLOB NOT NULL);
  CREATE TABLE definitions(key TEXT, page INTEGER, section INTEGER, PRIMARY KEY(key, page, section)) WITHOUT ROWID;
`;
