/** Commits are counted down from here, so that the newest comes first in a listing. */
const LAST_COMMIT = 10 ** 12;

/** Prefixes of keys with the same kind of object. */
export const PREFIXES = {
  archives: 'archive/',
  indexes: 'index/',
  derived: 'derived/',
  log: 'log/',
  snapshots: 'snapshot/',
  /** Objects of the proof at start, which a killed process may leave behind. */
  proofs: 'proof/',
} as const;

/** Keys of the objects, relative to the prefix of the store. */
export const keys = {
  archive: (revision: string) => `${PREFIXES.archives}${revision}.zip`,
  index: (revision: string) => `${PREFIXES.indexes}${revision}`,
  /** @param number of the commit, from 1 */
  commit: (number: number) => `${PREFIXES.log}${digits(LAST_COMMIT - number)}`,
  /** Number of the newest commit, as its writer left it. */
  head: 'head',
  /** @param number of the last commit that is in the snapshot */
  snapshot: (number: number) => `${PREFIXES.snapshots}${digits(number)}`,
  derivedFiles: (revision: string) => `${PREFIXES.derived}${revision}/`,
  derived: (revision: string, name: string) => `${PREFIXES.derived}${revision}/${name}`,
};

function digits(number: number): string {
  return String(number).padStart(String(LAST_COMMIT).length - 1, '0');
}

const OWN_KEYS = [
  /^archive\/([\da-z]+-[\da-f]{20})\.zip$/,
  /^index\/([\da-z]+-[\da-f]{20})$/,
  /^derived\/([\da-z]+-[\da-f]{20})\/[^/]+$/,
  /^proof\/([\da-f-]{36})-(?:twice|race)$/,
];

/**
 * The revision that an archive, an index or a derived file belongs to; the id of a proof. Undefined for keys that this
 * program does not make: another store may lie below the same prefix.
 */
export function revisionOfKey(key: string): string | undefined {
  return OWN_KEYS.map((pattern) => pattern.exec(key)?.[1]).find((id) => id !== undefined);
}

/**
 * The number of the commit with this key; undefined for other keys. A log has less than 10^9 commits: other numbers of
 * twelve digits, such as a time, are none of its keys.
 */
export function commitOfKey(key: string): number | undefined {
  const [, counted] = /^log\/(999\d{9})$/.exec(key) ?? [];
  return counted === undefined ? undefined : LAST_COMMIT - Number(counted);
}
