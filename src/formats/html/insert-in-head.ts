/** Bytes at the start of a page in which its head is looked for. */
const MAX_LOOKED_AT = 64 * 1024;

/**
 * Inserts markup at the beginning of a page's head, so that it comes before everything else there. All other bytes stay
 * as they are. A page in UTF-16 is returned unchanged.
 * @param markup ASCII
 */
export function insertInHead(page: Uint8Array, markup: string): Uint8Array {
  const isUtf16 = (page[0] === 0xfe && page[1] === 0xff) || (page[0] === 0xff && page[1] === 0xfe);
  if (isUtf16) return page;
  const at = headStart(startOf(page));
  const inserted = new TextEncoder().encode(markup);
  const result = new Uint8Array(page.length + inserted.length);
  result.set(page.subarray(0, at));
  result.set(inserted, at);
  result.set(page.subarray(at), at + inserted.length);
  return result;
}

/** Whether a page has a `<base>`: the first one of a page counts. */
export function hasBase(page: Uint8Array): boolean {
  return /<base[\s/>]/i.test(startOf(page).replace(/<!--[\s\S]*?(?:-->|$)/g, ''));
}

/** The first bytes as text, one character for each byte. */
function startOf(page: Uint8Array): string {
  return new TextDecoder('latin1').decode(page.subarray(0, MAX_LOOKED_AT));
}

/**
 * Position behind `<head>`. Where that tag is left out, as HTML allows, behind `<html>`, the doctype, and comments: what
 * follows begins the head.
 */
function headStart(html: string): number {
  let at = html.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0;
  for (;;) {
    const [space = ''] = /^\s*/.exec(html.slice(at, at + 1_000)) ?? [];
    const start = at + space.length;
    const isComment = html.startsWith('<!--', start);
    const [, name = ''] = /^<(!doctype|html|head)(?=[\s/>])/i.exec(html.slice(start, start + 10)) ?? [];
    if (!isComment && name === '') return at;
    const end = isComment ? endOf(html, '-->', start + 4) : endOfTag(html, start);
    if (end === undefined) return at;
    at = end;
    if (/^head$/i.test(name)) return at;
  }
}

function endOf(html: string, text: string, from: number): number | undefined {
  const found = html.indexOf(text, from);
  return found === -1 ? undefined : found + text.length;
}

/** Position behind the `>` of a tag, which a quoted attribute may hold, too. */
function endOfTag(html: string, start: number): number | undefined {
  let quoted = '';
  for (let at = start; at < html.length; at++) {
    const character = html[at] ?? '';
    if (quoted !== '') quoted = character === quoted ? '' : quoted;
    else if (character === '"' || character === "'") quoted = character;
    else if (character === '>') return at + 1;
  }
  return undefined;
}
