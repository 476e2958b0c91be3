import { contentType } from 'mime-types';
import { UNKNOWN_CHARSET } from '../formats/html/charset.js';
import type { TextKind } from '../formats/html/declared-labels.js';

const UTF8 = '; charset=utf-8';

/**
 * The content type of a file, by the extension of its name.
 * @param name may be a path
 * @param charset of a text, as `StoredFile` has it
 */
export function contentTypeOf(name: string, charset?: string): string {
  const type = contentType(name.slice(name.lastIndexOf('/') + 1)) || 'application/octet-stream';
  if (charset === undefined || !type.endsWith(UTF8)) return type;
  return type.slice(0, -UTF8.length) + (charset === UNKNOWN_CHARSET ? '' : `; charset=${charset}`);
}

/** The kind of a text whose content type has a charset; undefined for other files, also for XML, which declares its own. */
export function textKindOf(name: string): TextKind | undefined {
  const type = contentTypeOf(name);
  if (!type.endsWith(UTF8)) return undefined;
  return type.startsWith('text/html;') ? 'html' : type.startsWith('text/css;') ? 'css' : 'other';
}
