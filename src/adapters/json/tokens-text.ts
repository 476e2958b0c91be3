/** The fields of an entry, as they are to be written. */
type Fields = Readonly<Record<string, unknown>>;

/** A member of an object in a JSON text. */
interface Member {
  readonly name: string;
  /** Offset of the quote before its name. */
  readonly start: number;
  /** Offset of its value. */
  readonly value: number;
  /** Offset after its value. */
  readonly end: number;
}

/** An object in a JSON text. */
interface TextObject {
  /** Offset after its `{`. */
  readonly inside: number;
  readonly members: readonly Member[];
  /** Offset of its `}`. */
  readonly close: number;
}

const LEXEME = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Adds an entry at the end of `tokens` in the text of a valid tokens file. The rest of the text stays as it is; the new
 * entry is written as the last one is: indentation, line breaks, one line or several.
 */
export function withEntry(text: string, name: string, entry: Fields): string {
  const { tokens, unit, margin } = tokensIn(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const last = tokens.members.at(-1);
  if (last === undefined) {
    const inner = margin === undefined ? '' : `${eol}${margin}${unit}`;
    const value = valueText(entry, margin === undefined ? undefined : `${margin}${unit}`, unit, eol);
    const outer = margin === undefined ? '' : `${eol}${margin}`;
    return splice(text, tokens.inside, tokens.close, `${inner}${JSON.stringify(name)}: ${value}${outer}`);
  }
  const before = gapBefore(text, last);
  const isTall = text.slice(last.value, last.end).includes('\n');
  const colon = text.slice(last.start + nameLength(text, last), last.value);
  const isDense = before === '' && colon === ':';
  const value = isDense
    ? JSON.stringify(entry)
    : valueText(entry, isTall ? (marginOf(before) ?? '') : undefined, unit, eol);
  return splice(text, last.end, last.end, `,${before}${JSON.stringify(name)}${colon}${value}`);
}

/** Removes the entry of a name, and the comma beside it, from the text of a valid tokens file. */
export function withoutEntry(text: string, name: string): string {
  const { tokens } = tokensIn(text);
  const { members } = tokens;
  // Of several under one name only the last one counts, and none may come back.
  const index = members.findLastIndex((member) => member.name === name);
  const member = members[index];
  if (member === undefined) return text;
  const [previous, next] = [members[index - 1], members[index + 1]];
  const shorter =
    previous !== undefined
      ? splice(text, previous.end, member.end, '')
      : next !== undefined
        ? splice(text, member.start, next.start, '')
        : splice(text, tokens.inside, tokens.close, '');
  return withoutEntry(shorter, name);
}

/** The object of `tokens`, the unit of indentation, and the indentation of `tokens` where it begins a line. */
function tokensIn(text: string): { tokens: TextObject; unit: string; margin: string | undefined } {
  const lexemes = [...text.matchAll(LEXEME)].map(([lexeme], index, all) => ({
    text: lexeme,
    start: all[index]?.index ?? 0,
  }));
  // Of two members with one name, JSON takes the last one.
  const member = objectAt(lexemes, 0).members.findLast(({ name }) => name === 'tokens');
  if (member === undefined) throw new TypeError('the text of a tokens file has the member "tokens"');
  const open = lexemes.findIndex(({ start }) => start === member.value);
  const margin = marginOf(gapBefore(text, member));
  return { tokens: objectAt(lexemes, open), unit: margin || '  ', margin };
}

/** @param open index of its `{` */
function objectAt(
  lexemes: readonly { readonly text: string; readonly start: number }[],
  open: number,
): TextObject {
  const members: Member[] = [];
  let depth = 0;
  for (let index = open; index < lexemes.length; index += 1) {
    const { text, start } = lexemes[index] ?? { text: '', start: 0 };
    const before = lexemes[index - 1] ?? { text: '', start: 0 };
    const end = before.start + before.text.length;
    const isEnd = depth === 1 && (text === ',' || text === '}');
    const member = members.at(-1);
    if (isEnd && member !== undefined) members.splice(-1, 1, { ...member, end });
    if (text === '{' || text === '[') depth += 1;
    else if (text === '}' || text === ']') depth -= 1;
    else if (depth === 1 && text === ':') {
      const value = lexemes[index + 1]?.start ?? 0;
      members.push({ name: JSON.parse(before.text), start: before.start, value, end: value });
    }
    if (depth === 0) return { inside: (lexemes[open]?.start ?? 0) + 1, members, close: start };
  }
  throw new TypeError('the text of a tokens file is JSON');
}

/** The white space before a member. */
function gapBefore(text: string, { start }: Member): string {
  return /\s*$/.exec(text.slice(0, start))?.[0].replace(/^\uFEFF/, '') ?? '';
}

/** The indentation of a line that begins after this white space; undefined when no line begins there. */
function marginOf(gap: string): string | undefined {
  return gap.includes('\n') ? gap.slice(gap.lastIndexOf('\n') + 1) : undefined;
}

function nameLength(text: string, { start, value }: Member): number {
  return text.slice(start, value).lastIndexOf('"') + 1;
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
