import { naming } from '../adapters/cli/index.js';
import { readRetentionFile } from '../adapters/json/index.js';
import type { RetentionRules } from '../domain/index.js';

/** Reads the file of `--retention`; without one, no rules. @throws StartError with every fault */
export async function retentionRulesOf(file: string | undefined): Promise<RetentionRules> {
  if (file === undefined) return {};
  return naming(`the retention file ${file}`, readRetentionFile(file));
}
