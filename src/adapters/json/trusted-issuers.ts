import * as z from 'zod';
import {
  isClaimInBraces,
  isNameOrPattern,
  namesOwner,
  OWNER_CLAIM_NAMES,
  type TrustedIssuer,
} from '../../domain/index.js';
import { endAndNote, grantsOf, rights } from '../../formats/api/token-fields.js';
import { isPlainObject } from '../../formats/json-in.js';
import { faultsOf, pathOf } from '../../formats/schema-faults.js';

/** Names, beginnings of them with a `*`, or `{claim}` as a whole. */
const projects = z.array(
  z
    .string()
    .min(1, 'expected a project, not an empty text')
    .refine((element) => isClaimInBraces(element) || !/[{}]/.test(element), {
      message: "expected '{claim}' alone, such as '{repository}', with nothing before or after it",
      abort: true,
    })
    .refine((element) => isClaimInBraces(element) || (element !== '*' && isNameOrPattern(element)), {
      message:
        "expected a project, '{claim}', or a beginning with one '*' at its end: 'payments-*' is every project that begins with 'payments-'",
    }),
);

const text = z.string().min(1, 'expected a text that is not empty');

/** An entry of `trusted_issuers`. Without `projects` it would be for every project, so it has to have them. */
const issuerEntry = z.strictObject({
  issuer: z.string().refine(isIssuer, {
    message: "expected the https address that the tokens have as 'iss', without a query",
  }),
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
export function readTrustedIssuers(
  issuers: Readonly<Record<string, unknown>>,
  isTaken: (name: string) => boolean,
  fault: (fault: string) => void,
): TrustedIssuer[] {
  return Object.entries(issuers).flatMap(([name, value]) => {
    const path = ['trusted_issuers', name];
    if (isTaken(name)) {
      fault(`${pathOf(path)}: expected a name of its own, but ${pathOf(['tokens', name])} has it`);
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
  // One by one: a record schema would skip the name `__proto__`, and with it a condition.
  for (const [claim, value] of Object.entries(claims)) {
    const read = condition.safeParse(value);
    if (read.success) conditions.set(claim, [read.data].flat());
    else
      fault(
        `${pathOf([...path, claim])}: expected a text that is not empty, or a list of such texts; '*' in it stands for any text`,
      );
  }
  if (conditions.size < Object.keys(claims).length) return undefined;
  if (namesOwner(conditions)) return conditions;
  fault(
    `${pathOf(path)}: expected a claim that says whose jobs these are, such as "repository_owner_id": "1234", ` +
      `since anybody may have jobs at this issuer; these count, with a whole owner before any '*': ${OWNER_CLAIM_NAMES.join(', ')}`,
  );
  return undefined;
}

/** Whether a text can be the `iss` of tokens: an https address without query and fragment (OpenID Connect Core, section 2). */
function isIssuer(address: string): boolean {
  if (!URL.canParse(address) || /[?#\s]/.test(address)) return false;
  const { protocol, username, password } = new URL(address);
  return protocol === 'https:' && address.startsWith('https://') && username === '' && password === '';
}
