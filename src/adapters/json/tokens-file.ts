import * as z from 'zod';
import {
  isClaimInBraces,
  isNameOrPattern,
  namesOwner,
  OWNER_CLAIM_NAMES,
  type TrustedIssuer,
} from '../../domain/index.js';
import { endAndNote, grantsOf, projectRights, rights } from '../../formats/api/token-fields.js';
import { faultsOf, isPlainObject, pathOf } from '../../formats/json.js';
import { ConfigFileError, parseJson, readConfigFile } from '../../node/config-file.js';
import { digestOf } from '../../node/known-tokens.js';

/** Max. size of a tokens file, in bytes: enough for ten thousand tokens. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Entry of the tokens file (interface section 5.2). Unknown fields are errors: without `projects` all are allowed. */
export const tokenEntry = z.strictObject({
  /** The secret. An entry has this or `sha256`. */
  token: z
    .string()
    .min(1, 'expected a secret, not an empty string')
    .refine((secret) => secret === '' || !/^\s|\s$|[\u0000-\u001f\u007f]/.test(secret), {
      message: 'expected a secret without control characters or surrounding white space',
    })
    .optional(),
  /** SHA-256 of the secret's UTF-8 bytes, in hexadecimal. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "expected 64 hexadecimal digits, as 'lectern token --hash' prints")
    .optional(),
  projects: projectRights.projects,
  ...rights,
  read: projectRights.read,
  allow_tokens: z.boolean().optional(),
  ...endAndNote,
});

export type TokenEntry = z.infer<typeof tokenEntry>;

const tokensFile = z.strictObject({
  tokens: z.custom<Record<string, unknown>>(isPlainObject, 'expected an object'),
  trusted_issuers: z.custom<Record<string, unknown>>(isPlainObject, 'expected an object').optional(),
});

/** Content of a tokens file. */
interface TokensFile {
  /** The entries by the names of their tokens, in the file's order. */
  readonly tokens: ReadonlyMap<string, TokenEntry>;
  /** In the file's order; without the field, there are none. */
  readonly issuers: readonly TrustedIssuer[];
}

/** @returns the text of the file @throws ConfigFileError for a large one; an error with an errno code */
export async function readTokensFile(file: string): Promise<string> {
  return (await readConfigFile(file, MAX_BYTES)).toString('utf8');
}

/**
 * Reads the text of a tokens file.
 * @throws ConfigFileError with every fault: `tokens.ci.projects[1]: expected a string`
 */
export function parseTokensFile(text: string): TokensFile {
  const value = parseJson(text);
  if (value === undefined) {
    throw new ConfigFileError(['the file: expected JSON, with an object that has the member "tokens"']);
  }
  const top = tokensFile.safeParse(value);
  if (!top.success) throw new ConfigFileError(top.error.issues.flatMap((issue) => faultsOf([], issue)));

  const entries = new Map<string, TokenEntry>();
  const nameByDigest = new Map<string, string>();
  const faults: string[] = [];
  // Checked one by one: a record schema would skip the name `__proto__`.
  for (const [name, value] of Object.entries(top.data.tokens)) {
    const path = ['tokens', name];
    const { token, sha256, read, projects } = (value ?? {}) as Readonly<Record<string, unknown>>;
    if (isPlainObject(value) && (token === undefined) === (sha256 === undefined)) {
      faults.push(
        `${pathOf(path)}: expected ${token === undefined ? "'token' or 'sha256'" : "either 'token' or 'sha256', not both"}`,
      );
    }
    if (isPlainObject(value) && read !== undefined && projects === undefined) {
      faults.push(
        `${pathOf(path)}: expected 'projects' beside 'read', [] for a read-only token; without it, the token could change every project`,
      );
    }
    const entry = tokenEntry.safeParse(value);
    if (entry.success) entries.set(name, entry.data);
    else faults.push(...entry.error.issues.flatMap((issue) => faultsOf(path, issue)));
    // Duplicates are also looked for in invalid entries, so that all faults are reported at once.
    for (const [field, digest] of [
      ['token', typeof token === 'string' && token !== '' ? digestOf(token).toString('hex') : undefined],
      ['sha256', typeof sha256 === 'string' ? sha256.toLowerCase() : undefined],
    ] as const) {
      if (digest === undefined) continue;
      const other = nameByDigest.get(digest);
      if (other === undefined) nameByDigest.set(digest, name);
      else {
        faults.push(
          `${pathOf([...path, field])}: expected a unique secret, but ${pathOf(['tokens', other])} has the same`,
        );
      }
    }
  }
  const isTaken = (name: string) => Object.hasOwn(top.data.tokens, name);
  const issuers = readTrustedIssuers(top.data.trusted_issuers ?? {}, isTaken, (fault) => faults.push(fault));
  if (faults.length > 0) throw new ConfigFileError(faults);
  return { tokens: entries, issuers };
}

/** Names, beginnings of them with a `*`, or `{claim}` as a whole. */
const projects = z.array(
  z
    .string()
    .min(1, 'expected a project, not an empty string')
    .refine((element) => isClaimInBraces(element) || !/[{}]/.test(element), {
      message: "expected '{claim}' alone, such as '{repository}', with nothing before or after it",
      abort: true,
    })
    .refine((element) => isClaimInBraces(element) || (element !== '*' && isNameOrPattern(element)), {
      message:
        "expected a project, '{claim}', or a prefix with one '*' at its end: 'payments-*' matches all projects that begin with 'payments-'",
    }),
);

const text = z.string().min(1, 'expected a non-empty string');

/** `iss` of tokens. */
export const issuerAddress = z.string().refine(isIssuer, {
  message: "expected the https address that the tokens have in 'iss', without a query",
});

/** An entry of `trusted_issuers`. Without `projects` it would be for every project, so it has to have them. */
const issuerEntry = z.strictObject({
  issuer: issuerAddress,
  audience: text,
  claims: z.custom<Record<string, unknown>>(isPlainObject, 'expected an object'),
  projects,
  read: projects.optional(),
  ...rights,
  ...endAndNote,
});

const condition = z.union([text, z.array(text).min(1)]);

/**
 * Reads `trusted_issuers` of a tokens file.
 * @param isTaken whether a token has this name
 * @param fault called with every fault: `trusted_issuers.github.issuer: expected a string`
 */
function readTrustedIssuers(
  issuers: Readonly<Record<string, unknown>>,
  isTaken: (name: string) => boolean,
  fault: (fault: string) => void,
): TrustedIssuer[] {
  return Object.entries(issuers).flatMap(([name, value]) => {
    const path = ['trusted_issuers', name];
    if (isTaken(name)) {
      fault(`${pathOf(path)}: expected a unique name, but ${pathOf(['tokens', name])} has it`);
    }
    const entry = issuerEntry.safeParse(value);
    if (!entry.success) {
      for (const issue of entry.error.issues) for (const each of faultsOf(path, issue)) fault(each);
      return [];
    }
    const { issuer, audience, projects } = entry.data;
    const claims = readClaims(entry.data.claims, [...path, 'claims'], fault);
    if (claims === undefined) return [];
    return [{ name, issuer, audience, claims, grants: { ...grantsOf(entry.data), projects } }];
  });
}

/** Returns the conditions by the names of their claims; undefined when they are at fault. */
function readClaims(
  claims: Readonly<Record<string, unknown>>,
  path: readonly string[],
  fault: (fault: string) => void,
): Map<string, readonly string[]> | undefined {
  const conditions = new Map<string, readonly string[]>();
  // Claims are parsed one by one: a record schema would skip the name `__proto__`, and with it a condition.
  for (const [claim, value] of Object.entries(claims)) {
    const read = condition.safeParse(value);
    if (read.success) conditions.set(claim, [read.data].flat());
    else
      fault(
        `${pathOf([...path, claim])}: expected a non-empty string, or a list of them; '*' matches any text`,
      );
  }
  if (conditions.size < Object.keys(claims).length) return undefined;
  if (namesOwner(conditions)) return conditions;
  fault(
    `${pathOf(path)}: expected a claim that says whose jobs these are, such as "repository_owner_id": "1234", ` +
      `since anyone can run jobs at this issuer; use one of these, with a complete owner before any '*': ${OWNER_CLAIM_NAMES.join(', ')}`,
  );
  return undefined;
}

/** Whether a text can be the `iss` of tokens: an https address without query and fragment (OpenID Connect Core, section 2). */
function isIssuer(address: string): boolean {
  if (!URL.canParse(address) || /[?#\s]/.test(address)) return false;
  const { protocol, username, password } = new URL(address);
  return protocol === 'https:' && address.startsWith('https://') && username === '' && password === '';
}
