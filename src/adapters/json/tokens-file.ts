import * as z from 'zod';

/** One entry of the tokens file (interface section 5.2). Unknown fields are errors: without `projects` all are allowed. */
export const tokenEntry = z.strictObject({
  token: z
    .string()
    .min(1, 'expected a secret, not an empty text')
    .refine((secret) => secret === '' || !/^\s|\s$|[\u0000-\u001f\u007f]/.test(secret), {
      message: 'expected a secret without control characters, and without white space at its ends',
    }),
  projects: z.array(z.string().min(1, 'expected a project, not an empty text')).optional(),
  allow_overwrite: z.boolean().optional(),
  allow_delete: z.boolean().optional(),
  existing_projects_only: z.boolean().optional(),
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
  const top = tokensFile.safeParse(parseJson(text));
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's message quotes the text around the fault, which may be a secret.
    throw new TokensFileError(['the file: expected JSON, with an object that has the member "tokens"']);
  }
}

function faultsOf(base: readonly PropertyKey[], issue: z.core.$ZodIssue): string[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${pathOf([...path, key])}: unknown field`);
  }
  const message = issue.code === 'invalid_type' ? `expected ${article(issue.expected)}` : issue.message;
  return [`${path.length === 0 ? 'the file' : pathOf(path)}: ${message}`];
}

/** Formats a path as `tokens.ci.projects[1]`; unusual names are quoted. */
function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = String(part);
      return /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    })
    .join('')
    .replace(/^\./, '');
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
