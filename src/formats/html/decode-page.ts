/** Bytes at the start of a page in which browsers look for its encoding; they take 1,024, and builders need more. */
const MAX_LABEL_BYTES = 4_096;

const BYTE_ORDER_MARKS: readonly (readonly [bytes: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
];

/**
 * The text of an HTML file, decoded as browsers do: by its byte order mark, else by `<meta charset>`, `<meta
 * http-equiv>` or the XML declaration. Without any of them, or with an unknown label, UTF-8.
 */
export function decodePage(bytes: Uint8Array): string {
  const [, marked] = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  return decoderOf(marked ?? declaredLabel(bytes)).decode(bytes);
}

function declaredLabel(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_LABEL_BYTES));
  const markup = start.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const label =
    /<meta\s[^<>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(markup)?.[1] ??
    /^\s*<\?xml\s[^<>]*?\bencoding\s*=\s*["']([\w.:-]+)/i.exec(markup)?.[1] ??
    'utf-8';
  // ASCII could be read, so the page is no UTF-16, whatever it says.
  return /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
