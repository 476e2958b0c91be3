import * as z from 'zod';
import {
  type AccessRules,
  type Audience,
  isNameOrPattern,
  isProjectName,
  type PeopleIssuer,
} from '../../domain/index.js';
import { faultsOf, isPlainObject, pathOf } from '../../formats/json.js';
import { ConfigFileError, parseJson, readConfigFile } from '../../node/config-file.js';
import { issuerAddress } from './tokens-file.js';

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
      'expected a name without commas or surrounding white space',
    ),
  )
  .default([])
  .transform((all) => new Set(all));

const readers = z.strictObject({ people: names, groups: names });

const text = z.string().min(1, 'expected a non-empty string');
/** A scope as RFC 6749 has it (section 3.3). A client that may refresh its token for ever is the business of the issuer. */
const scope = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'expected a scope without white space or quotes')
  .refine((each) => each !== 'offline_access', "expected a scope of this server, not 'offline_access'");

const peopleIssuer = z.strictObject({
  issuer: issuerAddress,
  audience: z.union([text, z.array(text).min(1)]).optional(),
  user: text,
  groups: text.optional(),
  scopes: z.array(scope).default([]),
  require: z.custom<Record<string, unknown>>(isPlainObject, 'expected an object').default({}),
});

/** Content of an access file. */
interface AccessFile extends AccessRules {
  readonly issuers: readonly PeopleIssuer[];
}

/** @throws ConfigFileError when it is too large; an error with an errno code when it cannot be read */
export async function readAccessFile(file: string): Promise<string> {
  return (await readConfigFile(file, MAX_BYTES)).toString('utf8');
}

/**
 * Reads the text of an access file: `{ "default": "public", "projects": { "payments-*": { "groups": ["payments"] } } }`.
 * @param resource `aud` of access tokens for this server where an issuer of people names none; undefined where there cannot be any
 * @throws ConfigFileError with every fault: `projects.handbook: expected …`
 */
export function parseAccessFile(text: string, resource?: string): AccessFile {
  const value = parseJson(text);
  if (!isPlainObject(value))
    throw new ConfigFileError(['the file: expected JSON, with an object that has "default"']);
  const faults: string[] = [];
  const { default: other, projects = {}, people_issuers = {}, ...unknown } = value;
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
  const issuers = issuersIn(people_issuers, resource, faults);
  if (faults.length > 0) throw new ConfigFileError(faults);
  return { default: byDefault, projects: rules, issuers };
}

function issuersIn(
  issuers: unknown,
  resource: string | undefined,
  faults: string[],
): readonly PeopleIssuer[] {
  if (!isPlainObject(issuers)) {
    faults.push('people_issuers: expected an object');
    return [];
  }
  if (resource === undefined && Object.keys(issuers).length > 0) {
    faults.push(
      'people_issuers: expected a server with --public-url, over https or on a loopback address: access tokens are for an address',
    );
  }
  return Object.entries(issuers).flatMap(([name, value]) => {
    const path = ['people_issuers', name];
    const entry = peopleIssuer.safeParse(value);
    if (!entry.success) {
      faults.push(...entry.error.issues.flatMap((issue) => faultsOf(path, issue)));
      return [];
    }
    const { audience = resource ?? '', require: conditions, ...rest } = entry.data;
    const required = new Map<string, string | number | boolean>();
    for (const [claim, wanted] of Object.entries(conditions)) {
      if (['string', 'number', 'boolean'].includes(typeof wanted)) required.set(claim, wanted as string);
      else faults.push(`${pathOf([...path, 'require', claim])}: expected a string, a number, true or false`);
    }
    if (rest.user === 'email' && required.size === 0) {
      faults.push(
        `${pathOf([...path, 'require'])}: expected "email_verified": true, or another claim: otherwise anyone could claim an address that is not theirs`,
      );
    }
    return [{ name, ...rest, audience: [audience].flat(), require: required }];
  });
}

function whyNoKey(key: string): string | undefined {
  if (key === '*') return "'*' alone is not allowed; use 'default' for all other projects";
  if (!isNameOrPattern(key)) {
    return "expected at most one '*', at the end: 'payments-*' matches all projects that begin with 'payments-'";
  }
  // A pattern is valid if a project name can match it: `x` takes the place of the `*`.
  return isProjectName(key.replace(/\*$/, 'x')) ? undefined : 'not a project name';
}

/** Returns the readers that a rule admits; nobody, with faults, for an invalid rule. */
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
