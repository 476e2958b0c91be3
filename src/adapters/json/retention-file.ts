import { type RetentionRules, readRetention } from '../../domain/index.js';
import { isPlainObject, pathOf } from '../../formats/json.js';
import { ConfigFileError, parseJson, readConfigFile } from '../../node/config-file.js';

/** Max. size of a file of rules, in bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a file with rules of retention for all projects: `{ "keep_per_minor": 3 }`.
 * @throws ConfigFileError with every fault: `keep_per_minor: expected a whole number from 1 to 100000`; an error with an
 *   errno code when the file cannot be read
 */
export async function readRetentionFile(file: string): Promise<RetentionRules> {
  const value = parseJson((await readConfigFile(file, MAX_BYTES)).toString('utf8'));
  if (!isPlainObject(value)) throw new ConfigFileError(['the file: expected JSON, with an object']);
  const faults: string[] = [];
  const rules = readRetention(Object.entries(value), (field, why) =>
    faults.push(`${pathOf([field])}: ${why}`),
  );
  if (faults.length > 0) throw new ConfigFileError(faults);
  return rules;
}
