import type { Stats } from 'node:fs';
import { constants, type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Pair, ParsedNode, YAMLMap } from 'yaml';
import { ConfigFileError } from '../../node/config-file.js';
import { syncDirectory } from '../../node/directories.js';
import { errnoOf } from '../../node/system-errors.js';
import { yaml } from '../../node/yaml.js';
import { parseTokensFile } from './tokens-file.js';

/**
 * Changes a tokens file as a whole or not at all: a new file with the same owner and mode takes its place. Where the path
 * is a link, the file that it leads to is changed. Two changes at once exclude one another.
 * @param edit gets the text of the file, and returns the new one
 * @throws ConfigFileError when the file is invalid, or would be afterwards; EditedElsewhere; what `edit` throws; an error with
 *   an errno code
 */
export async function editTokensFile(path: string, edit: (text: string) => string): Promise<void> {
  const file = await realpath(path);
  const coming = `${file}.new`;
  // First, since what was read before may not be what another command has left. Whoever may read the file later must not read
  // its new text earlier.
  const written = await open(coming, 'wx', 0o600).catch((error: unknown) => {
    throw errnoOf(error) === 'EEXIST' ? new EditedElsewhere(coming) : error;
  });
  try {
    await write(written, edited(file, edit));
    await rename(coming, file);
  } catch (error) {
    await rm(coming, { force: true });
    throw error;
  }
  await syncDirectory({ open }, dirname(file));
}

/** Another command changes the file, or one was killed meanwhile. */
export class EditedElsewhere extends Error {
  override readonly name = 'EditedElsewhere';

  constructor(coming: string) {
    super(
      `another command is changing it; nothing was changed. If none is running, remove ${coming} and try again`,
    );
  }
}

/** A new text, with the mode and the owner that it has to have. */
interface Edited {
  readonly text: string;
  readonly stats: Pick<Stats, 'mode' | 'uid' | 'gid'>;
}

async function edited(file: string, edit: (text: string) => string): Promise<Edited> {
  // A pipe without a writer would be waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new ConfigFileError(['the file: not a regular file, so it cannot be changed']);
    const before = await handle.readFile('utf8');
    parseTokensFile(before);
    const text = edit(before);
    parseTokensFile(text);
    return { text, stats };
  } finally {
    await handle.close();
  }
}

async function write(handle: FileHandle, changed: Promise<Edited>): Promise<void> {
  try {
    const { text, stats } = await changed;
    const own = await handle.stat();
    // The server has to be able to read it still, also when root has changed it.
    if (own.uid !== stats.uid || own.gid !== stats.gid) await handle.chown(stats.uid, stats.gid);
    await handle.chmod(stats.mode & 0o7777);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The fields of an entry, as they are to be written. */
type Fields = Readonly<Record<string, unknown>>;

/** A member of an object in a JSON text, as a parser of YAML, which JSON is, finds it: with the places of name and value. */
type Member = Pair<ParsedNode, ParsedNode | null>;

const startOf = ({ key }: Member) => key.range[0];
const endOf = ({ key, value }: Member) => (value ?? key).range[1];
const nameOf = (text: string, { key }: Member): unknown => JSON.parse(text.slice(key.range[0], key.range[1]));

/**
 * Adds an entry at the end of `tokens` in the text of a valid tokens file. The rest of the text stays as it is; the new
 * entry is written as the last one is: indentation, line breaks, one line or several.
 */
export function withEntry(text: string, name: string, entry: Fields): string {
  const { tokens, unit, margin } = tokensIn(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const last = tokens.items.at(-1);
  if (last === undefined) {
    const inner = margin === undefined ? '' : `${eol}${margin}${unit}`;
    const value = valueText(entry, margin === undefined ? undefined : `${margin}${unit}`, unit, eol);
    const outer = margin === undefined ? '' : `${eol}${margin}`;
    return splice(
      text,
      tokens.range[0] + 1,
      tokens.range[1] - 1,
      `${inner}${JSON.stringify(name)}: ${value}${outer}`,
    );
  }
  const before = gapBefore(text, last);
  const from = last.value?.range[0];
  const isTall = text.slice(from, endOf(last)).includes('\n');
  const colon = text.slice(last.key.range[1], from);
  const isDense = before === '' && colon === ':';
  const value = isDense
    ? JSON.stringify(entry)
    : valueText(entry, isTall ? (marginOf(before) ?? '') : undefined, unit, eol);
  return splice(text, endOf(last), endOf(last), `,${before}${JSON.stringify(name)}${colon}${value}`);
}

/** Removes the entry of a name, and the comma beside it, from the text of a valid tokens file. */
export function withoutEntry(text: string, name: string): string {
  const { tokens } = tokensIn(text);
  const { items, range } = tokens;
  // Only the last of several under one name counts, and none may come back.
  const index = items.findLastIndex((each) => nameOf(text, each) === name);
  const member = items[index];
  if (member === undefined) return text;
  const [previous, next] = [items[index - 1], items[index + 1]];
  const shorter =
    previous !== undefined
      ? splice(text, endOf(previous), endOf(member), '')
      : next !== undefined
        ? splice(text, startOf(member), startOf(next), '')
        : splice(text, range[0] + 1, range[1] - 1, '');
  return withoutEntry(shorter, name);
}

/** The object of `tokens`, the unit of indentation, and the indentation of `tokens` where it begins a line. */
function tokensIn(text: string): { tokens: YAMLMap.Parsed; unit: string; margin: string | undefined } {
  const { isMap, parseDocument } = yaml();
  const { contents } = parseDocument(text, { uniqueKeys: false });
  // JSON takes the last of two members with one name.
  const member = isMap(contents) && contents.items.findLast((each) => nameOf(text, each) === 'tokens');
  if (!member || !isMap(member.value)) throw new TypeError('the text of a tokens file has "tokens"');
  const margin = marginOf(gapBefore(text, member));
  return { tokens: member.value, unit: margin || '  ', margin };
}

/** The white space before a member. */
function gapBefore(text: string, member: Member): string {
  return /\s*$/.exec(text.slice(0, startOf(member)))?.[0].replace(/^\uFEFF/, '') ?? '';
}

/** The indentation of a line that begins after this white space; undefined when no line begins there. */
function marginOf(gap: string): string | undefined {
  return gap.includes('\n') ? gap.slice(gap.lastIndexOf('\n') + 1) : undefined;
}

/** @param margin indentation of the entry, for one in several lines; undefined for one in a single line */
function valueText(entry: Fields, margin: string | undefined, unit: string, eol: string): string {
  if (margin !== undefined) return JSON.stringify(entry, undefined, unit).replaceAll('\n', `${eol}${margin}`);
  const fields = Object.entries(entry).map(([field, value]) => {
    const list = Array.isArray(value)
      ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]`
      : undefined;
    return `${JSON.stringify(field)}: ${list ?? JSON.stringify(value)}`;
  });
  return `{ ${fields.join(', ')} }`;
}

function splice(text: string, from: number, to: number, piece: string): string {
  return text.slice(0, from) + piece + text.slice(to);
}
