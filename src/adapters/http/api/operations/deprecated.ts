import type { AppParts } from '../../app-parts.js';
import type { ApiOperation } from '../api-operation.js';
import { jsonBodyOf } from '../json-body.js';
import { settingsOperations } from './settings-operation.js';

/** `PUT` and `DELETE /api/deprecated/{project}/{version}`: deprecates a version with a sentence, or takes that back. */
export function deprecatedOperations({ useCases: { manageProject } }: AppParts): readonly ApiOperation[] {
  return settingsOperations(
    manageProject,
    { path: '/api/deprecated/{project}/{version}', parameters: ['project', 'version'] },
    {
      put: {
        id: 'deprecateVersion',
        summary: 'Deprecates a version',
        description: 'The version switcher and the page of the project show the message.',
        requestBody: 'Deprecation',
        example: {
          message: 'my-project 1.0.0 is deprecated',
          settings: { deprecated: { '1.0.0': 'Use 1.1 instead.' } },
        },
        refusals: ['version_not_found', 'invalid_settings', 'unsupported_media_type'],
      },
      remove: {
        id: 'undeprecateVersion',
        summary: 'Marks a version as no longer deprecated',
        example: { message: 'my-project 1.0.0 is not deprecated', settings: {} },
        refusals: ['version_not_found'],
      },
    },
    async (ctx, actor, isSet) => {
      const { project, version } = ctx.params;
      const message = isSet ? (await jsonBodyOf(ctx, 'Deprecation')).message : undefined;
      const settings = await manageProject.deprecate(actor, project, version, message);
      return [settings, `${project} ${version} is ${isSet ? 'deprecated' : 'not deprecated'}`];
    },
  );
}
