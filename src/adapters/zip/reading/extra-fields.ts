import { type ExtraField, parseExtraFields } from 'yauzl';

export const ZIP64_SIZES = 0x0001;
export const UNICODE_PATH = 0x7075;

/** Parses the extra fields of a local header; undefined when their sizes do not add up. */
export function extraFieldsOf(raw: Buffer): readonly ExtraField[] | undefined {
  try {
    return parseExtraFields(raw);
  } catch {
    return undefined;
  }
}

/** Whether two fields set the same thing, the sizes or the name: such a header is ambiguous. */
export function hasDoubledField(fields: readonly ExtraField[]): boolean {
  let sizes = 0;
  let names = 0;
  for (const { id } of fields) {
    if (id === ZIP64_SIZES) sizes += 1;
    else if (id === UNICODE_PATH) names += 1;
  }
  return sizes > 1 || names > 1;
}
