import * as z from 'zod';
import { EXPIRY_RULE, isNameOrPattern, parseExpiry, type TokenGrants } from '../../domain/index.js';

/**
 * A list of projects: names, or beginnings of them with a `*`.
 * @param everywhere what to write for every project
 */
const projectList = (everywhere: string) =>
  z.array(
    z
      .string()
      .min(1, 'expected a project, not an empty text')
      .refine((project) => project !== '*', {
        message: `'*' alone names no project; ${everywhere}`,
        abort: true,
      })
      .refine(isNameOrPattern, {
        message:
          "expected one '*' at most, at the end: 'payments-*' is every project that begins with 'payments-'",
      }),
  );

/** The projects of a token that people write: in the tokens file (interface section 5.2), and to make one. */
export const projectRights = {
  projects: projectList("leave 'projects' out for every project").optional(),
  /** A token with this has `projects` as well: without, it could change every project. */
  read: projectList(
    "a token that may change every project, without 'projects', reads every project",
  ).optional(),
};

/** The rights and bounds that a token has or has not, by their names in files and bodies. */
export const RIGHTS = {
  allow_overwrite: 'allowOverwrite',
  allow_delete: 'allowDelete',
  allow_manage: 'allowManage',
  existing_projects_only: 'existingProjectsOnly',
  previews_only: 'previewsOnly',
  allow_tokens: 'allowTokens',
} as const satisfies Record<string, keyof TokenGrants>;

/** The rights that tokens and issuers have alike. */
export const rights = {
  allow_overwrite: z.boolean().optional(),
  allow_delete: z.boolean().optional(),
  existing_projects_only: z.boolean().optional(),
  allow_manage: z.boolean().optional(),
  previews_only: z.boolean().optional(),
};

/** Further fields of both. */
export const endAndNote = {
  /** End of the entry; see `parseExpiry`. */
  expires: z
    .string()
    .refine((text) => parseExpiry(text) !== undefined, { message: `expected ${EXPIRY_RULE}` })
    .optional(),
  /** A note for people. */
  description: z.string().optional(),
};

type Rights = z.infer<z.ZodObject<typeof rights & typeof endAndNote>> & {
  readonly projects?: string[] | undefined;
  readonly read?: string[] | undefined;
  readonly allow_tokens?: boolean | undefined;
};

const rightNames = Object.keys(RIGHTS) as (keyof typeof RIGHTS)[];

/** The rights that an entry gives. */
export function grantsOf(entry: Rights): TokenGrants {
  const expiresAt = entry.expires === undefined ? undefined : parseExpiry(entry.expires);
  return {
    ...(entry.projects === undefined ? {} : { projects: entry.projects }),
    ...(entry.read === undefined ? {} : { read: entry.read }),
    ...Object.fromEntries(rightNames.map((name) => [RIGHTS[name], entry[name] === true])),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
