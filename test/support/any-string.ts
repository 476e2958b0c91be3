import fc, { type StringConstraints } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

const character = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count),
  (text) => {
    const [only = '', ...others] = typeof text === 'string' ? text : '';
    if (only === '' || others.length > 0) throw new TypeError('not one character');
    const code = only.codePointAt(0) ?? 0;
    return code < SURROGATES.first ? code : code - SURROGATES.count;
  },
);

/**
 * Strings of any characters of Unicode. The same as fast-check's `unit: 'binary'`, which takes most of a second in each process:
 * it makes a table of all characters.
 */
export const anyString = (constraints: Omit<StringConstraints, 'unit'> = {}) =>
  fc.string({ ...constraints, unit: character });
