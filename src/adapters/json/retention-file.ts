import { readFile } from 'node:fs/promises';
import { type RetentionRules, readRetention } from '../../domain/index.js';
import { pathOf } from '../../formats/schema-faults.js';
import { parseJson } from './parse-json.js';

/** An invalid file of retention rules, with the path of every fault. */
export class RetentionFileError extends Error {
  override readonly name = 'RetentionFileError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('; '));
  }
}

/**
 * Reads a file with rules of retention for all projects: `{ "keep_per_minor": 3 }`.
 * @throws RetentionFileError; an error with an errno code when the file cannot be read
 */
export async function readRetentionFile(file: string): Promise<RetentionRules> {
  return parseRetentionFile(await readFile(file, 'utf8'));
}

/** @throws RetentionFileError with every fault: `keep_per_minor: expected a whole number from 1 to 100000` */
export function parseRetentionFile(text: string): RetentionRules {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RetentionFileError(['the file: expected JSON, with an object']);
  }
  const faults: string[] = [];
  const rules = readRetention(Object.entries(value), (field, why) =>
    faults.push(`${pathOf([field])}: ${why}`),
  );
  if (faults.length > 0) throw new RetentionFileError(faults);
  return rules;
}
