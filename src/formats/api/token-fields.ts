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

export const tokenInfo = z.object({
  name: z.string().describe('Name of the token in the tokens file.'),
  projects: z
    .array(z.string())
    .optional()
    .describe(
      "Projects that the token may change, or beginnings of them with '*'; absent for every project.",
    ),
  read: z
    .array(z.string())
    .optional()
    .describe('Projects that the token may read beside those; absent when it is given none.'),
  allow_overwrite: z.boolean().describe('Whether it may replace an existing version.'),
  allow_delete: z.boolean().describe('Whether it may delete versions.'),
  existing_projects_only: z.boolean().describe('Whether it may upload only to projects that exist.'),
  allow_manage: z
    .boolean()
    .describe(
      'Whether it may change the settings of projects, and restore versions, as far as its other rights reach.',
    ),
  previews_only: z.boolean().optional().describe('There for one that publishes and deletes previews only.'),
  allow_tokens: z.boolean().optional().describe('There for one that may make other tokens.'),
  expires: z.iso
    .datetime()
    .optional()
    .describe('Time from which on it is not valid any more; absent for one without an end.'),
});

/** A token as the API describes it: its name and its rights, never its secret. */
export function tokenBody(name: string, grants: TokenGrants): z.infer<typeof tokenInfo> {
  return {
    name,
    ...(grants.projects === undefined ? {} : { projects: [...grants.projects] }),
    ...(grants.read === undefined ? {} : { read: [...grants.read] }),
    allow_overwrite: grants.allowOverwrite === true,
    allow_delete: grants.allowDelete === true,
    existing_projects_only: grants.existingProjectsOnly === true,
    allow_manage: grants.allowManage === true,
    ...(grants.previewsOnly === true ? { previews_only: true } : {}),
    ...(grants.allowTokens === true ? { allow_tokens: true } : {}),
    ...(grants.expiresAt === undefined ? {} : { expires: grants.expiresAt.toISOString() }),
  };
}
