import type * as z from 'zod';
import type { TokenGrants } from '../../domain/index.js';
import type { tokenInfo } from './server.js';

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
