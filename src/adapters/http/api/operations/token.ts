import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';

/** `GET /api/token`: name and rights of the token that was sent. */
export function tokenOperation(): ApiOperation {
  return {
    method: 'get',
    path: '/api/token',
    id: 'showToken',
    use: 'Publish',
    summary: 'What the token may do',
    description: 'Never tells the secret. A valid token always may upload new versions of its projects.',
    needsToken: true,
    answers: { 200: { description: 'Name and rights of the token.', body: 'TokenInfo' } },
    refusals: [],
    handle: async (ctx, { name, policy: { grants } }) => {
      const rights = {
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
      // A shared cache must not give the rights of one token to another.
      answer(ctx, 'TokenInfo', 200, rights, 'never');
    },
  };
}
