import type { Pair, ParsedNode, YAMLMap } from 'yaml';
import { yaml } from '../../node/yaml.js';

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
  // Of several under one name only the last one counts, and none may come back.
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
  // Of two members with one name, JSON takes the last one.
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
