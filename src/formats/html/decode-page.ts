import { byteOrderMark, findCharset } from './charset.js';

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

/**
 * The text of bytes in UTF-8, without a character that is cut off at their end; undefined when they are not UTF-8. A cut
 * character alone, behind ASCII, may as well be a letter of another charset.
 */
function utf8Text(bytes: Uint8Array): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text: string | undefined;
  try {
    text = decoder.decode(bytes, { stream: true });
    decoder.decode();
    return text;
  } catch {
    return text !== undefined && /[\u0080-\uffff]/.test(text) ? text : undefined;
  }
}
