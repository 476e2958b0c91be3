import * as z from 'zod';
import { isNameOrPattern } from '../../domain/index.js';
import { faultsOf, pathOf } from '../../formats/schema-faults.js';
import { parseJson } from './parse-json.js';

/** One entry of the tokens file (interface section 5.2). Unknown fields are errors: without `projects` all are allowed. */
export const tokenEntry = z.strictObject({
  token: z
    .string()
    .min(1, 'expected a secret, not an empty text')
    .refine((secret) => secret === '' || !/^\s|\s$|[\u0000-\u001f\u007f]/.test(secret), {
      message: 'expected a secret without control characters, and without white space at its ends',
    }),
  projects: z
    .array(
      z
        .string()
        .min(1, 'expected a project, not an empty text')
        .refine((project) => project !== '*', {
          message: "'*' alone names no project; leave 'projects' out for every project",
          abort: true,
        })
        .refine(isNameOrPattern, {
          message:
            "expected one '*' at most, at the end: 'payments-*' is every project that begins with 'payments-'",
        }),
    )
    .optional(),
  allow_overwrite: z.boolean().optional(),
  allow_delete: z.boolean().optional(),
  existing_projects_only: z.boolean().optional(),
  allow_manage: z.boolean().optional(),
});

export type TokenEntry = z.infer<typeof tokenEntry>;

const tokensFile = z.strictObject({
  tokens: z.custom<Record<string, unknown>>(isPlainObject, 'expected an object'),
});

/** An invalid tokens file, with the path of every fault. Never contains a secret. */
export class TokensFileError extends Error {
  override readonly name = 'TokensFileError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('; '));
  }
}

/**
 * Reads the text of a tokens file.
 * @returns the entries by token name, in the file's order
 * @throws TokensFileError with every fault: `tokens.ci.projects[1]: expected a string`
 */
export function parseTokensFile(text: string): ReadonlyMap<string, TokenEntry> {
  const value = parseJson(text);
  if (value === undefined) {
    throw new TokensFileError(['the file: expected JSON, with an object that has the member "tokens"']);
  }
  const top = tokensFile.safeParse(value);
  if (!top.success) throw new TokensFileError(top.error.issues.flatMap((issue) => faultsOf([], issue)));

  const entries = new Map<string, TokenEntry>();
  const nameBySecret = new Map<string, string>();
  const faults: string[] = [];
  // Checked one by one: a record schema would skip the name `__proto__`.
  for (const [name, value] of Object.entries(top.data.tokens)) {
    const entry = tokenEntry.safeParse(value);
    if (entry.success) entries.set(name, entry.data);
    else faults.push(...entry.error.issues.flatMap((issue) => faultsOf(['tokens', name], issue)));
    // Duplicates are also looked for in invalid entries, so that all faults are reported at once.
    const secret = (value as { token?: unknown } | null)?.token;
    if (typeof secret !== 'string' || secret === '') continue;
    const other = nameBySecret.get(secret);
    if (other === undefined) nameBySecret.set(secret, name);
    else {
      faults.push(
        `${pathOf(['tokens', name, 'token'])}: expected a secret of its own, but ${pathOf(['tokens', other])} has the same`,
      );
    }
  }
  if (faults.length > 0) throw new TokensFileError(faults);
  return entries;
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
