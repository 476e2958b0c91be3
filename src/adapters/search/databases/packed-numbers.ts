/** Each number as four digits of base 64: as quick to read as to skip, and part of a text. */
const DIGITS = 4;
const BITS = 6;
const ZERO = 0x20;

/** @param numbers from 0 to 2²⁴ - 1 */
export function packNumbers(numbers: readonly number[]): string {
  const bytes = numbers.flatMap((number) =>
    Array.from({ length: DIGITS }, (_, digit) => ZERO + ((number >> (BITS * digit)) & (2 ** BITS - 1))),
  );
  return Buffer.from(bytes).toString('latin1');
}

export function unpackNumbers(packed: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(packed.length / DIGITS);
  for (let at = 0; at < packed.length; at += 1) {
    const index = Math.floor(at / DIGITS);
    numbers[index] = (numbers[index] ?? 0) | (((packed[at] ?? 0) - ZERO) << (BITS * (at % DIGITS)));
  }
  return numbers;
}
