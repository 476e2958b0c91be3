import { describeName, nameInProject } from '../../../../domain/index.js';
import type { AppParts } from '../../app-parts.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';
import { flagOf } from '../flag-of.js';
import { sitePathOf } from '../projections.js';
import { parameterOf } from '../query.js';

/** `POST /api/restore/{project}/{version}`: publishes a deleted or replaced version, or an expired preview, again. */
export function restoreOperation({ useCases: { restoreVersion }, at }: AppParts): ApiOperation {
  return {
    method: 'post',
    path: '/api/restore/{project}/{version}',
    id: 'restoreVersion',
    use: 'Manage',
    summary: 'Restores a deleted or replaced version, or an expired preview',
    description:
      'The token must have `allow_manage`, and `allow_overwrite` to take the place of a version; one with `existing_projects_only` restores into no project that is gone. `GET /api/removed` lists what can be restored. A preview is named `~<name>`, and ends as if it were uploaded now.',
    parameters: ['project', 'version', 'replace', 'revision'],
    needsToken: true,
    answers: {
      200: {
        description: 'Restored; it took the place of the version that was there.',
        body: 'RestoreResult',
        headers: ['Location'],
      },
      201: { description: 'Restored.', body: 'RestoreResult', headers: ['Location'] },
    },
    refusals: [
      'project_not_allowed',
      'manage_not_allowed',
      'project_not_existing',
      'version_not_found',
      'version_exists',
      'name_taken',
      'insufficient_storage',
    ],
    handle: async (ctx, actor) => {
      const options = {
        replace: flagOf(ctx, 'replace'),
        revision: parameterOf(ctx, 'revision') || undefined,
      };
      const { project, version: label } = ctx.params;
      const { version, replaced } = await restoreVersion.restore(actor, project, label, options);
      const url = at.to(sitePathOf(version.directoryName));
      ctx.set('Location', url);
      const instead = replaced ? '; it took the place of the version that was there' : '';
      answer(ctx, 'RestoreResult', replaced ? 200 : 201, {
        success: true,
        message: `${describeName(version)} is back at ${url}${instead}`,
        project: version.project,
        version: nameInProject(version),
        directory: version.directoryName,
        url,
      });
    },
  };
}
