import { compareLabels, isStable, releaseNumbers } from '../version.js';

const SERIES = /^(\d+)(?:\.(\d+))?\.x$/;

/**
 * Returns the newest stable version of a series; undefined when there is none, or the target names no series.
 * @param target `2.x`: all versions whose number begins with 2; `2.1.x`: with 2.1
 */
export function newestOfSeries<V extends { readonly label: string }>(
  target: string,
  versions: readonly V[],
): V | undefined {
  const [, ...parts] = SERIES.exec(target) ?? [];
  const wanted = parts.filter((part) => part !== undefined).map(withoutZeros);
  if (wanted.length === 0) return undefined;
  let newest: V | undefined;
  for (const version of versions) {
    const numbers = releaseNumbers(version.label);
    // Trailing zeros are not kept: 2 is 2.0.
    if (numbers === null || !wanted.every((part, index) => (numbers[index] ?? '0') === part)) continue;
    if (!isStable(version.label)) continue;
    if (newest === undefined || compareLabels(version.label, newest.label) > 0) newest = version;
  }
  return newest;
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}
