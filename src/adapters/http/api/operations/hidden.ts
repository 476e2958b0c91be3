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
  const hide = { ...outline, method: 'put', id: 'hideVersion', summary: 'Hides a version' } as const;
  const show = {
    ...outline,
    method: 'delete',
    id: 'showVersion',
    summary: 'Shows a hidden version',
  } as const;
  const description = 'A hidden version can be read, but is in no page, switcher or search.';
  return [
    settingsOperation(manageProject, { ...hide, description }, async (ctx, actor) => {
      const { project, version } = ctx.params;
      const settings = await manageProject.hide(actor, project, version, true);
      return [settings, `${project} ${version} is hidden`];
    }),
    settingsOperation(manageProject, show, async (ctx, actor) => {
      const { project, version } = ctx.params;
      const settings = await manageProject.hide(actor, project, version, false);
      return [settings, `${project} ${version} is not hidden`];
    }),
  ];
}
