import * as z from 'zod';
import { type AccessRules, type Audience, isNameOrPattern, isProjectName } from '../../domain/index.js';
import { faultsOf, isPlainObject, pathOf } from '../../formats/json.js';
import { ConfigFileError, parseJson, readConfigFile } from '../../node/config-file.js';

/** Max. size of an access file, in bytes: enough for ten thousand rules. */
const MAX_BYTES = 1024 * 1024;

/** Names of people or groups: a header with groups has commas between them, and what is around a name does not count. */
const names = z
  .array(
    z.custom<string>(
      (each) =>
        typeof each === 'string' &&
        each !== '' &&
        each === each.trim() &&
        !/[,\u0000-\u001f\u007f]/.test(each),
      'expected a name, without commas and white space around it',
    ),
  )
  .default([])
  .transform((all) => new Set(all));

const readers = z.strictObject({ people: names, groups: names });

/** @throws ConfigFileError when it is too large; an error with an errno code when it cannot be read */
export async function readAccessFile(file: string): Promise<string> {
  return (await readConfigFile(file, MAX_BYTES)).toString('utf8');
}

/**
 * Reads the text of an access file: `{ "default": "public", "projects": { "payments-*": { "groups": ["payments"] } } }`.
 * @throws ConfigFileError with every fault: `projects.handbook: expected …`
 */
export function parseAccessFile(text: string): AccessRules {
  const value = parseJson(text);
  if (!isPlainObject(value))
    throw new ConfigFileError(['the file: expected JSON, with an object that has "default"']);
  const faults: string[] = [];
  const { default: other, projects = {}, ...unknown } = value;
  for (const field of Object.keys(unknown)) faults.push(`${pathOf([field])}: unknown field`);
  const byDefault = audienceOf(other, ['default'], faults);
  const rules = new Map<string, Audience>();
  if (!isPlainObject(projects)) faults.push('projects: expected an object');
  else {
    for (const [key, each] of Object.entries(projects)) {
      const why = whyNoKey(key);
      if (why !== undefined) faults.push(`${pathOf(['projects', key])}: ${why}`);
      rules.set(key, audienceOf(each, ['projects', key], faults));
    }
  }
  if (faults.length > 0) throw new ConfigFileError(faults);
  return { default: byDefault, projects: rules };
}

function whyNoKey(key: string): string | undefined {
  if (key === '*') return "'*' alone names no project; 'default' is for all others";
  if (!isNameOrPattern(key)) {
    return "expected one '*' at most, at the end: 'payments-*' is every project that begins with 'payments-'";
  }
  // What can stand behind a beginning is a name, too.
  return isProjectName(key.replace(/\*$/, 'x')) ? undefined : 'no project has such a name';
}

/** Returns whom a rule lets read; nobody, with faults, for what is no rule. */
function audienceOf(value: unknown, path: readonly string[], faults: string[]): Audience {
  if (value === 'public' || value === 'signed-in') return value;
  const nobody = { people: new Set<string>(), groups: new Set<string>() };
  if (!isPlainObject(value) || Object.keys(value).length === 0) {
    faults.push(`${pathOf(path)}: expected "public", "signed-in" or an object with "people" or "groups"`);
    return nobody;
  }
  const read = readers.safeParse(value);
  faults.push(...(read.error?.issues ?? []).flatMap((issue) => faultsOf(path, issue)));
  return read.data ?? nobody;
}
