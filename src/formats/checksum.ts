/** Returns the FNV-1a checksum of a text, 32 bits, by UTF-16 code units. */
export function checksumOf(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  }
  return sum >>> 0;
}
