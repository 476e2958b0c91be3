import { isAscii, isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { ExtraField } from 'yauzl';
import { FLAG, isUnixHost, UNICODE_PATH } from './header-fields.js';

/** A decoded name, or why it cannot be decoded. */
type DecodedName = { readonly name: string } | { readonly name: string; readonly problem: string };

/** The fields of a header that determine its name. */
interface NamedHeader {
  readonly raw: Buffer;
  readonly flags: number;
  readonly versionMadeBy: number;
  readonly extraFields: readonly ExtraField[];
}

const NOT_UTF8 = 'has a name that is not valid UTF-8';

/**
 * Decodes a name: as UTF-8 if the header says so, or if a Unix host wrote valid UTF-8 without the flag (Info-ZIP and
 * macOS do); else as code page 437 (APPNOTE appendix D). A Unicode path field made for this name is the name instead
 * (APPNOTE 4.6.9): writers put question marks, or whatever their code page has, into the header.
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
  return isUtf8(unicode) ? { name: unicode.toString() } : { name, problem: NOT_UTF8 };
}

/** Reads the Unicode path field. It applies only to the name that it was made for: renaming may leave a stale one. */
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
