import type { AppParts } from '../../app-parts.js';
import type { ApiOperation } from '../api-operation.js';
import { settingsOperations } from './settings-operation.js';

/** `PUT` and `DELETE /api/hidden/{project}/{version}`: hides a version, or shows it again. */
export function hiddenOperations({ useCases: { manageProject } }: AppParts): readonly ApiOperation[] {
  return settingsOperations(
    manageProject,
    { path: '/api/hidden/{project}/{version}', parameters: ['project', 'version'] },
    {
      put: {
        id: 'hideVersion',
        summary: 'Hides a version',
        description: 'A hidden version can be read, but is in no page, switcher or search.',
        example: { message: 'my-project 1.0.0 is hidden', settings: { hidden: ['1.0.0'] } },
        refusals: ['version_not_found'],
      },
      remove: {
        id: 'showVersion',
        summary: 'Shows a hidden version',
        example: { message: 'my-project 1.0.0 is not hidden', settings: {} },
        refusals: ['version_not_found'],
      },
    },
    async (ctx, actor, isHidden) => {
      const { project, version } = ctx.params;
      const settings = await manageProject.hide(actor, project, version, isHidden);
      return [settings, `${project} ${version} is ${isHidden ? 'hidden' : 'not hidden'}`];
    },
  );
}
