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
const AT_CHARSET = /^@charset "([^"]*)";/;
const XML = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'>]*)/i;
/** The name of a tag. */
const TAG = /<(\/?[a-z][^\s/>]*)/iy;
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/y;
const latin1 = new TextDecoder('latin1');

/** All bytes of a file: ASCII alone, UTF-8 with other characters, or neither. */
type TextBytes = 'ascii' | 'utf-8' | 'neither';

/** Charset of a file that is not UTF-8 and declares none: its header has none, so that browsers take that of the page. */
export const UNKNOWN_CHARSET = 'unknown';

/** Bytes at the start of a file in which its declaration is looked for. Browsers take 1,024, and builders need more. */
export const MAX_LABEL_BYTES = 4_096;

/** Finding about the charset of a file. */
export interface CharsetFinding {
  /** Charset as in headers, or `UNKNOWN_CHARSET`; undefined for UTF-8. */
  readonly charset?: string | undefined;
  /** Declared label that is not accepted: UTF-8 is used instead. */
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
function byteOrderMark([first, second, third]: Uint8Array): 'utf-8' | 'utf-16be' | 'utf-16le' | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** Kind of a text file, as far as the declaration of its charset is concerned. `other` declares none. */
export type TextKind = 'html' | 'css' | 'other';

/**
 * Labels of charsets that a file declares at its start, in their order: `<meta charset>`, `<meta http-equiv>` and the XML
 * declaration of a page, by the prescan of the HTML Standard (section 13.2.3.2); `@charset` of a style sheet (CSS Syntax,
 * section 3.2).
 */
function* declaredLabels(kind: TextKind, start: Uint8Array): Generator<string> {
  if (kind === 'other') return;
  const text = latin1.decode(start);
  if (kind === 'html') yield* labelsOfMeta(text);
  const [, label] = (kind === 'html' ? XML : AT_CHARSET).exec(text) ?? [];
  if (label !== undefined) yield label;
}

/**
 * The text of an HTML file, decoded as browsers do with the charset in its header: see `findCharset`. It may be the first part
 * of a file, cut anywhere.
 */
export function decodePage(bytes: Uint8Array): string {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return new TextDecoder(mark).decode(bytes);
  const text = utf8Text(bytes);
  if (text !== undefined) return text;
  const { charset = 'utf-8' } = findCharset('html', bytes, 'neither');
  // Node has no decoder of it, and this one has most of its letters.
  return new TextDecoder(charset === 'ISO-8859-16' ? 'iso-8859-2' : charset).decode(bytes);
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

function* labelsOfMeta(html: string): Generator<string> {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const [, name = ''] = matchAt(TAG, html, at) ?? [];
    if (name === '') {
      const end = html.startsWith('<!--', at) ? html.indexOf('-->', at + 2) : at;
      if (end === -1) return;
      at = end + 1;
      continue;
    }
    const values = new Map<string, string>();
    at += 1 + name.length;
    for (let found = matchAt(ATTRIBUTE, html, at); found !== null; found = matchAt(ATTRIBUTE, html, at)) {
      const [all, key = '', double, single, bare] = found;
      // The first one of a name counts.
      if (!values.has(key.toLowerCase())) values.set(key.toLowerCase(), double ?? single ?? bare ?? '');
      at += all.length;
    }
    const isOfContent = values.get('http-equiv')?.toLowerCase() === 'content-type';
    const label = values.get('charset') ?? (isOfContent ? labelIn(values.get('content') ?? '') : undefined);
    if (name.toLowerCase() === 'meta' && label !== undefined) yield label.trim();
  }
}

/** The label in a content type. */
function labelIn(content: string): string | undefined {
  const [, double, single, bare] = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(content) ?? [];
  return double ?? single ?? bare;
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of bytes in UTF-8, without a character that is cut off at their end; undefined when they are not UTF-8. A cut
 * character alone, behind ASCII, may as well be a letter of another charset.
 */
function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    // Several times as fast as the decoder of streams, and ASCII takes a byte for each letter.
    return utf8.decode(bytes);
  } catch {
    return cutUtf8Text(bytes);
  }
}

function cutUtf8Text(bytes: Uint8Array): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text: string | undefined;
  try {
    text = decoder.decode(bytes, { stream: true });
    decoder.decode();
  } catch {}
  return text !== undefined && /[\u0080-\uffff]/.test(text) ? text : undefined;
}
