import { declaredLabels, type TextKind } from './declared-labels.js';

/** All bytes of a file: ASCII alone, UTF-8 with other characters, or neither. */
export type TextBytes = 'ascii' | 'utf-8' | 'neither';

/** Charset of a file that is not UTF-8 and declares none: its header has none, so that browsers take that of the page. */
export const UNKNOWN_CHARSET = 'unknown';

/** Bytes at the start of a file in which its declaration is looked for. Browsers take 1,024, and builders need more. */
export const MAX_LABEL_BYTES = 4_096;

/**
 * Charsets besides UTF-8 that a declaration may name, as headers have them: those encodings of the Encoding Standard in
 * which ASCII is ASCII, whatever comes before it. Others (ISO-2022-JP, HZ, UTF-7, UTF-16) hide markup from whoever checks
 * the bytes.
 */
const CHARSETS: ReadonlyMap<string, string> = new Map(
  [
    ...['windows-874', ...Array.from({ length: 9 }, (_, at) => `windows-125${at}`)],
    ...['2', '3', '4', '5', '6', '7', '8', '8-I', '10', '13', '14', '15', '16'].map((n) => `ISO-8859-${n}`),
    ...['KOI8-R', 'KOI8-U', 'IBM866', 'macintosh', 'x-mac-cyrillic'],
    ...['Shift_JIS', 'EUC-JP', 'EUC-KR', 'GBK', 'GB18030', 'Big5'],
  ].map((name) => [name.toLowerCase(), name]),
);

/** Finding about the charset of a file. */
export interface CharsetFinding {
  /** As headers have it, or `UNKNOWN_CHARSET`; undefined for UTF-8. */
  readonly charset?: string | undefined;
  /** The label that it declares, and that is not taken: UTF-8 takes its place. */
  readonly refused?: string;
}

/**
 * The charset of a text file (contract section 7). A byte order mark decides, then the bytes: what is UTF-8, with characters
 * beyond ASCII, is hardly ever anything else. Then what the file declares.
 * @param start its first bytes, `MAX_LABEL_BYTES` or more
 */
export function findCharset(kind: TextKind, start: Uint8Array, bytes: TextBytes): CharsetFinding {
  const mark = byteOrderMark(start);
  if (mark !== undefined) return mark === 'utf-8' ? {} : { charset: 'UTF-16' };
  if (bytes === 'utf-8') return {};
  let refused: string | undefined;
  for (const label of declaredLabels(kind, start.subarray(0, MAX_LABEL_BYTES))) {
    const charset = charsetNamed(label);
    if (charset !== undefined) return charset === 'UTF-8' ? {} : { charset };
    refused ??= label;
  }
  if (refused !== undefined) return { refused };
  return bytes === 'ascii' || kind === 'html' ? {} : { charset: UNKNOWN_CHARSET };
}

/** The encoding that a byte order mark names, as a label. */
export function byteOrderMark([first, second, third]: Uint8Array):
  | 'utf-8'
  | 'utf-16be'
  | 'utf-16le'
  | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** The charset of a label of the Encoding Standard, which calls Latin-1 windows-1252; undefined for one not taken. */
function charsetNamed(label: string): string | undefined {
  if (/^utf-?8$/i.test(label)) return 'UTF-8';
  // The only one that browsers know and Node does not.
  if (/^iso-8859-16$/i.test(label)) return 'ISO-8859-16';
  try {
    const { encoding } = new TextDecoder(label);
    return encoding === 'utf-8' ? 'UTF-8' : CHARSETS.get(encoding);
  } catch {
    return undefined;
  }
}
