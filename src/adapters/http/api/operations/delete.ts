import type { AppParts } from '../../app-parts.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';
import { flagOf } from '../flag-of.js';
import { deletedBody } from '../projections.js';

/** `DELETE /api/delete/{project}/{version}`: deletes a version. */
export function deleteOperation({ useCases: { deleteVersion } }: AppParts): ApiOperation {
  return {
    method: 'delete',
    path: '/api/delete/{project}/{version}',
    id: 'deleteVersion',
    use: 'Manage',
    summary: 'Deletes a version',
    description: 'The token must have `allow_delete`. `latest` is no version to delete.',
    parameters: ['project', 'version', 'purge'],
    needsToken: true,
    answers: { 200: { description: 'Deleted.', body: 'DeleteResult' } },
    refusals: ['project_not_allowed', 'delete_not_allowed', 'project_not_found', 'version_not_found'],
    handle: async (ctx, actor) => {
      const { project, version } = ctx.params;
      const purge = flagOf(ctx, 'purge');
      const id = await deleteVersion.remove(actor, project, version, { purge });
      answer(ctx, 'DeleteResult', 200, deletedBody(id, purge));
    },
  };
}
