import { isPreview, nameInProject, type Version } from '../../../../domain/index.js';
import type { AppParts } from '../../app-parts.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';

/** `GET /api/removed`: what can be restored. */
export function removedOperation({ useCases: { restoreVersion } }: AppParts): ApiOperation {
  return {
    method: 'get',
    path: '/api/removed',
    id: 'listRemoved',
    use: 'Manage',
    summary: 'Lists deleted and replaced versions, and expired previews, that can be restored',
    description: 'Those of the projects of the token, which must have `allow_manage`. Newest removal first.',
    needsToken: true,
    answers: { 200: { description: 'The removed versions.', body: 'RemovedList' } },
    refusals: ['manage_not_allowed'],
    handle: async (ctx, actor) => {
      const removed = (await restoreVersion.list(actor)).map(
        ({ version, removedAt, isReplaced, expiresAt }) => ({
          project: version.project,
          version: nameInProject(version),
          directory: version.directoryName,
          revision: version.revision,
          reason: reasonOf(version, isReplaced),
          published_at: version.record.publishedAt.toISOString(),
          removed_at: removedAt.toISOString(),
          expires_at: expiresAt.toISOString(),
          ...(version.record.archive === undefined ? {} : { archive_bytes: version.record.archive.size }),
        }),
      );
      // A shared cache must not give the list of one token to another.
      answer(ctx, 'RemovedList', 200, { removed, count: removed.length }, 'never');
    },
  };
}

/** Of previews, only expired ones are kept. */
function reasonOf(version: Version, isReplaced: boolean): 'deleted' | 'replaced' | 'expired' {
  if (isPreview(version)) return 'expired';
  return isReplaced ? 'replaced' : 'deleted';
}
