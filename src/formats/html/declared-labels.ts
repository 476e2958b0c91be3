/** Kind of a text file, as far as the declaration of its charset is concerned. `other` declares none. */
export type TextKind = 'html' | 'css' | 'other';

const AT_CHARSET = /^@charset "([^"]*)";/;
const XML = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'>]*)/i;
/** The name of a tag. */
const TAG = /<(\/?[a-z][^\s/>]*)/iy;
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/y;

const latin1 = new TextDecoder('latin1');

/**
 * Labels of charsets that a file declares at its start, in their order: `<meta charset>`, `<meta http-equiv>` and the XML
 * declaration of a page, by the prescan of the HTML Standard (section 13.2.3.2); `@charset` of a style sheet (CSS Syntax,
 * section 3.2).
 */
export function* declaredLabels(kind: TextKind, start: Uint8Array): Generator<string> {
  if (kind === 'other') return;
  const text = latin1.decode(start);
  if (kind === 'html') yield* labelsOfMeta(text);
  const [, label] = (kind === 'html' ? XML : AT_CHARSET).exec(text) ?? [];
  if (label !== undefined) yield label;
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
