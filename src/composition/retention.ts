import { startError } from '../adapters/cli/index.js';
import { readRetentionFile } from '../adapters/json/index.js';
import type { RetentionRules } from '../domain/index.js';

/** Reads the file of `--retention`; without one, no rules. @throws StartError with every fault */
export async function retentionRulesOf(file: string | undefined): Promise<RetentionRules> {
  if (file === undefined) return {};
  return readRetentionFile(file).catch((error: unknown) => {
    throw startError(`the retention file ${file}`, error);
  });
}
