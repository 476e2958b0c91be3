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
      .min(1, 'expected a project, not an empty string')
      .refine((project) => project !== '*', {
        message: `'*' alone is not allowed; ${everywhere}`,
        abort: true,
      })
      .refine(isNameOrPattern, {
        message:
          "expected at most one '*', at the end: 'payments-*' matches all projects that begin with 'payments-'",
      }),
  );

/** The projects of a token that people write: in the tokens file (interface section 5.2), and to make one. */
export const projectRights = {
  projects: projectList("leave out 'projects' for every project").optional(),
  /** A token with this has `projects` as well: without, it could change every project. */
  read: projectList("a token without 'projects' may change, and so read, every project").optional(),
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
    .describe("Projects that the token may change, or prefixes ending in '*'. Absent for every project."),
  read: z
    .array(z.string())
    .optional()
    .describe('Additional projects that the token may read. Absent if there are none.'),
  allow_overwrite: z.boolean().describe('Whether it may replace an existing version.'),
  allow_delete: z.boolean().describe('Whether it may delete versions.'),
  existing_projects_only: z.boolean().describe('Whether it may upload only to existing projects.'),
  allow_manage: z
    .boolean()
    .describe(
      'Whether it may change the settings of projects and restore versions, within its other rights.',
    ),
  previews_only: z.boolean().optional().describe('Set if it may only publish and delete previews.'),
  allow_tokens: z.boolean().optional().describe('Set if it may create other tokens.'),
  expires: z.iso.datetime().optional().describe('Time of expiry; absent if it does not expire.'),
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
