import type { AppParts } from '../../app-parts.js';
import type { ApiOperation } from '../api-operation.js';
import { settingsOperation } from './settings-operation.js';

/** `PUT` and `DELETE /api/hidden/{project}/{version}`: hides a version, or shows it again. */
export function hiddenOperations({ useCases: { manageProject } }: AppParts): readonly ApiOperation[] {
  const outline = {
    path: '/api/hidden/{project}/{version}',
    parameters: ['project', 'version'],
    refusals: ['version_not_found'],
  } as const;
  return [
    settingsOperation(
      manageProject,
      {
        ...outline,
        method: 'put',
        id: 'hideVersion',
        summary: 'Hides a version',
        description: 'A hidden version can be read, but is in no page, switcher or search.',
        example: { message: 'my-project 1.0.0 is hidden', settings: { hidden: ['1.0.0'] } },
      },
      async (ctx, actor) => {
        const { project, version } = ctx.params;
        const settings = await manageProject.hide(actor, project, version, true);
        return [settings, `${project} ${version} is hidden`];
      },
    ),
    settingsOperation(
      manageProject,
      {
        ...outline,
        method: 'delete',
        id: 'showVersion',
        summary: 'Shows a hidden version',
        example: { message: 'my-project 1.0.0 is not hidden', settings: {} },
      },
      async (ctx, actor) => {
        const { project, version } = ctx.params;
        const settings = await manageProject.hide(actor, project, version, false);
        return [settings, `${project} ${version} is not hidden`];
      },
    ),
  ];
}
