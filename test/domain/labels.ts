import fc from 'fast-check';

const number = fc.oneof(
  { weight: 4, arbitrary: fc.nat(12).map(String) },
  { weight: 1, arbitrary: fc.nat().map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 24n }).map(String) },
);
const zeroPadded = fc.tuple(fc.constantFrom('', '', '0', '00'), number).map((parts) => parts.join(''));
const separator = fc.constantFrom('', '-', '_', '.');
// biome-ignore format: a list of words
const word = fc.constantFrom(
  'a', 'b', 'c', 'rc', 'alpha', 'beta', 'pre', 'preview', 'dev', 'post', 'rev', 'r', 'RC', 'Beta', 'x', 'nightly',
  'SNAPSHOT', 'final', 'postfix', 'abc1234', '1a2b3c4', '0e12345', '007',
);
const identifier = fc.oneof(
  fc.stringMatching(/^(?:0|[1-9][0-9]{0,9})$/),
  fc.stringMatching(/^[0-9]{0,3}[A-Za-z-][0-9A-Za-z-]{0,4}$/),
  word,
);

/** `0.12.3`, `10`, `2024.01.15`, `1.2.3.4.5`: numbers of any length, zeros in front or not. */
const release = fc.array(zeroPadded, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));

/** A full semantic version (semver.org 2.0.0) that node-semver can read too. */
export const semanticVersion = fc
  .tuple(
    fc.constantFrom('', '', 'v'),
    fc.tuple(fc.nat(12), fc.nat(12), fc.oneof(fc.nat(12), fc.nat())),
    fc.array(identifier.filter(isSemanticIdentifier), { maxLength: 3 }),
    fc.array(fc.stringMatching(/^[0-9A-Za-z-]{1,4}$/), { maxLength: 2 }),
  )
  .map(([v, numbers, tags, build]) => {
    const tag = tags.length > 0 ? `-${tags.join('.')}` : '';
    return `${v}${numbers.join('.')}${tag}${build.length > 0 ? `+${build.join('.')}` : ''}`;
  });

function isSemanticIdentifier(text: string): boolean {
  return !/^0\d+$/.test(text);
}

/** Suffixes as people write them after a number: known and unknown ones, in any order, with any separators. */
const suffixes = fc
  .array(fc.tuple(separator, word, separator, fc.option(zeroPadded, { nil: '' })), { maxLength: 3 })
  .map((parts) => parts.flat().join(''));

const date = fc
  .tuple(
    fc.integer({ min: 1990, max: 2030 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 31 }),
  )
  .chain(([year, month, day]) =>
    fc.constantFrom(
      `${year}.${month}.${day}`,
      `${year}-${month}-${day}`,
      [year, pad(month), pad(day)].join('.'),
      [year, pad(month), pad(day)].join('-'),
      [year, pad(month), pad(day)].join(''),
      `${year}-${pad(month)}`,
    ),
  );

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

const branch = fc.constantFrom(
  'main',
  'master',
  'develop',
  'release_2',
  'feature.x',
  'v',
  'Main',
  'nightly',
  'a-b',
);
const hash = fc.stringMatching(/^[0-9a-f]{7,12}$/);
const anything = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,12}$/);

/** Labels of every kind that is met in the wild, and some that nobody would write. */
export const anyLabel = fc.oneof(
  semanticVersion,
  fc
    .tuple(fc.constantFrom('', '', 'v', 'V'), release, suffixes, fc.constantFrom('', '+b5', '-abc1234', '-1'))
    .map((parts) => parts.join('')),
  fc.tuple(date, fc.constantFrom('', '', '-1', '-rc1', '.dev2', '+b1')).map((parts) => parts.join('')),
  branch,
  hash,
  anything,
);

/** A project name and a label, each of a valid form; together they may read back as another pair. */
export const projectName = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,12}[A-Za-z0-9])?$/),
  fc.constantFrom(
    'a',
    'a-b',
    'lib-2',
    'x-1.0',
    'docs.zip',
    'constructor',
    'latest',
    'log4j',
    'a-latest',
    'v1-docs.zip',
  ),
);
