import * as z from 'zod';
import type { MadeToken } from '../../domain/index.js';
import { endAndNote, grantsOf, projectRights, RIGHTS, rights, tokenInfo } from './token-fields.js';

/** Max. length of a note, in characters. */
const MAX_NOTE = 500;

/** Request for a new token. Unknown fields are errors: a token without `projects` would be for every project. */
export const newToken = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[a-z0-9](?:[\w.-]{0,98}[a-z0-9])?$/i,
        "expected a name like that of a project: letters, digits, '.', '_' and '-', at most 100, with a letter or digit at both ends",
      )
      .describe('Name of the token. The log shows `<maker>/<name>`.'),
    ...projectRights,
    ...rights,
    ...endAndNote,
    description: z.string().max(MAX_NOTE).optional().describe('Note for people.'),
  })
  .refine(({ read, projects }) => read === undefined || projects !== undefined, {
    message: "expected 'projects' beside 'read', [] for a read-only token",
  });

export const madeToken = tokenInfo.extend({
  name: z.string().describe('`<maker>/<name>`.'),
  description: z.string().optional().describe('Note for people.'),
  made_at: z.iso.datetime().describe('Time of creation.'),
  last_used: z.iso.date().optional().describe('Last day on which it was used, in UTC.'),
});

export const newTokenResult = madeToken.extend({
  token: z.string().describe('Secret of the token. It is shown only here.'),
});

export const tokenList = z.object({
  tokens: z.array(madeToken).describe('Tokens that the token of the request created, by name.'),
  count: z.int(),
});

export const revokedToken = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
});

/** A made token as stores keep it: with the digest of its secret, never the secret. */
export const storedToken = z.object({
  maker: z.string(),
  name: z.string(),
  sha256: z.string(),
  ...projectRights,
  ...rights,
  ...endAndNote,
  made_at: z.iso.datetime(),
  last_used: z.iso.date().optional(),
});

/** All made tokens, as a file has them. */
export const storedTokens = z.strictObject({ tokens: z.array(storedToken) });

type StoredToken = z.infer<typeof storedToken>;

/** Returns a made token as stores keep it: rights that it was not given are absent. */
export function storedTokenOf({ given, maker, name, sha256, ...rest }: MadeToken): StoredToken {
  const flags = Object.entries(RIGHTS).filter(([, right]) => given[right] === true);
  return {
    maker,
    name,
    sha256,
    ...(given.projects === undefined ? {} : { projects: [...given.projects] }),
    ...(given.read === undefined ? {} : { read: [...given.read] }),
    ...Object.fromEntries(flags.map(([name]) => [name, true])),
    ...(given.expiresAt === undefined ? {} : { expires: given.expiresAt.toISOString() }),
    ...(rest.description === undefined ? {} : { description: rest.description }),
    made_at: rest.madeAt.toISOString(),
    ...(rest.usedOn === undefined ? {} : { last_used: rest.usedOn }),
  };
}

/** Returns the token that a store has kept. */
export function madeTokenOf(stored: StoredToken): MadeToken {
  const { maker, name, sha256, description, made_at, last_used } = stored;
  return {
    maker,
    name,
    sha256,
    given: grantsOf(stored),
    ...(description === undefined ? {} : { description }),
    madeAt: new Date(made_at),
    ...(last_used === undefined ? {} : { usedOn: last_used }),
  };
}

/** Returns all made tokens, as a file has them. */
export function storedTokensOf(tokens: readonly MadeToken[]): z.infer<typeof storedTokens> {
  return { tokens: tokens.map(storedTokenOf) };
}
