import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVE_OPTIONS } from '../../src/adapters/cli/options/serve-option-table.js';

const VARIABLES = Object.keys(SERVE_OPTIONS).map(
  (name) => `LECTERN_${name.replaceAll('-', '_').toUpperCase()}`,
);
/** Answers in flight have 30 seconds (main.ts), and the storage needs a moment to close. */
export const MIN_STOPPING_SECONDS = 35;

export const textOf = (...path: string[]) => readFile(join(...path), 'utf8');

/** Each word that looks like an option is one of `serve`. */
export function assertOptions(words: readonly string[]): void {
  for (const word of words.filter((each) => each.startsWith('-'))) {
    const known = Object.values(SERVE_OPTIONS).some(({ flag }) => flag.split(/[ ,]+/).includes(word));
    assert.ok(known, `there is no option ${word}`);
  }
}

/** Each name is a variable that `serve` reads. */
export function assertVariables(names: Iterable<string>): void {
  for (const name of names) assert.ok(VARIABLES.includes(name), `there is no variable ${name}`);
}
