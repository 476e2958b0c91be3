import { isAscii, isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { ExtraField } from 'yauzl';
import { UNICODE_PATH } from './extra-fields.js';
import { FLAG, isUnixHost } from './header-fields.js';

/** A name as the archive means it, or why it means none. */
export type DecodedName = { readonly name: string } | { readonly name: string; readonly problem: string };

/** The part of a header that decides its name. */
export interface NamedHeader {
  readonly raw: Buffer;
  readonly flags: number;
  readonly versionMadeBy: number;
  readonly extraFields: readonly ExtraField[];
}

const NOT_UTF8 = 'has a name that is not valid UTF-8';

/**
 * UTF-8 where the header says so, or where a Unix host wrote valid UTF-8 without saying so (Info-ZIP and macOS
 * do); else code page 437, as the format has it. A Unicode path field names what the header could not.
 */
export function decodeName(header: NamedHeader): DecodedName {
  const { raw, flags, versionMadeBy } = header;
  const saysUtf8 = (flags & FLAG.utf8) !== 0;
  const ascii = isAscii(raw);
  if (!ascii && saysUtf8 && !isUtf8(raw)) return { name: raw.toString(), problem: NOT_UTF8 };
  const name = ascii
    ? raw.toString('latin1')
    : saysUtf8 || (isUnixHost(versionMadeBy) && isUtf8(raw))
      ? raw.toString()
      : fromCp437(raw);

  const unicode = header.extraFields.length === 0 ? undefined : unicodePathOf(header);
  if (unicode === undefined) return { name };
  if (!isUtf8(unicode)) return { name, problem: NOT_UTF8 };
  const other = unicode.toString();
  if ((ascii || saysUtf8) && other !== name) {
    return { name, problem: 'has another name in its Unicode path field' };
  }
  return { name: other };
}

/** The field counts only for the very name it was made for; a tool that renames entries may leave a stale one. */
function unicodePathOf({ raw, extraFields }: NamedHeader): Buffer | undefined {
  const data = extraFields.find((field) => field.id === UNICODE_PATH)?.data;
  if (data === undefined || data.length < 5 || data[0] !== 1) return undefined;
  return data.readUInt32LE(1) === crc32(raw) ? data.subarray(5) : undefined;
}

const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

function fromCp437(raw: Buffer): string {
  return Array.from(raw, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80])).join('');
}
