import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { type AccessRules, type Audience, isNameOrPattern, isProjectName } from '../../domain/index.js';
import { pathOf } from '../../formats/schema-faults.js';
import { parseJson } from './parse-json.js';

/** Max. size of an access file, in bytes: enough for ten thousand rules. */
const MAX_BYTES = 1024 * 1024;

/** An invalid access file, with the path of every fault. */
export class AccessFileError extends Error {
  override readonly name = 'AccessFileError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('; '));
  }
}

/** @throws AccessFileError when it is too large; an error with an errno code when it cannot be read */
export async function readAccessFile(file: string): Promise<string> {
  const content = await buffer(createReadStream(file, { end: MAX_BYTES }));
  if (content.length > MAX_BYTES) throw new AccessFileError([`the file: larger than ${MAX_BYTES} bytes`]);
  return content.toString('utf8');
}

/**
 * Reads the text of an access file: `{ "default": "public", "projects": { "payments-*": { "groups": ["payments"] } } }`.
 * @throws AccessFileError with every fault: `projects.handbook: expected …`
 */
export function parseAccessFile(text: string): AccessRules {
  const value = parseJson(text);
  if (!isObject(value))
    throw new AccessFileError(['the file: expected JSON, with an object that has "default"']);
  const faults: string[] = [];
  const { default: other, projects = {}, ...unknown } = value;
  for (const field of Object.keys(unknown)) faults.push(`${pathOf([field])}: unknown field`);
  const byDefault = audienceOf(other, ['default'], faults);
  const rules = new Map<string, Audience>();
  if (!isObject(projects)) faults.push('projects: expected an object');
  else {
    for (const [key, each] of Object.entries(projects)) {
      const why = whyNoKey(key);
      if (why !== undefined) faults.push(`${pathOf(['projects', key])}: ${why}`);
      rules.set(key, audienceOf(each, ['projects', key], faults));
    }
  }
  if (faults.length > 0) throw new AccessFileError(faults);
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

/** Returns whom a rule lets read; nobody, with a fault, for what is no rule. */
function audienceOf(value: unknown, path: readonly string[], faults: string[]): Audience {
  const nobody = { people: new Set<string>(), groups: new Set<string>() };
  if (value === 'public' || value === 'signed-in') return value;
  if (!isObject(value) || Object.keys(value).length === 0) {
    faults.push(`${pathOf(path)}: expected "public", "signed-in" or an object with "people" or "groups"`);
    return nobody;
  }
  const { people = [], groups = [], ...unknown } = value;
  for (const field of Object.keys(unknown)) faults.push(`${pathOf([...path, field])}: unknown field`);
  return {
    people: namesOf(people, [...path, 'people'], faults),
    groups: namesOf(groups, [...path, 'groups'], faults),
  };
}

function namesOf(value: unknown, path: readonly string[], faults: string[]): ReadonlySet<string> {
  if (!Array.isArray(value)) {
    faults.push(`${pathOf(path)}: expected an array`);
    return new Set();
  }
  const isName = (each: unknown): each is string => {
    // A header with groups has commas between them, and what is around a name does not count.
    return (
      typeof each === 'string' && each !== '' && each === each.trim() && !/[,\u0000-\u001f\u007f]/.test(each)
    );
  };
  const names = new Set<string>();
  for (const [index, each] of value.entries()) {
    if (isName(each)) names.add(each);
    else
      faults.push(`${pathOf([...path, index])}: expected a name, without commas and white space around it`);
  }
  return names;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
