import { readDescription, refuse } from '../../../../domain/index.js';
import type { AppParts } from '../../app-parts.js';
import type { ApiOperation } from '../api-operation.js';
import { jsonBodyOf } from '../json-body.js';
import { settingsOperation } from './settings-operation.js';

/** `PUT /api/projects/{project}`: says what a project is, in place of its docinfo. */
export function describeOperation({ useCases: { manageProject } }: AppParts): ApiOperation {
  return settingsOperation(
    manageProject,
    {
      method: 'put',
      path: '/api/projects/{project}',
      id: 'describeProject',
      summary: 'Describes a project without rebuilding its site',
      description:
        'What is set wins over the docinfo, and stays when versions come and go. The body is the whole description: a field that is absent is that of the docinfo again, and `{}` takes all back.',
      parameters: ['project'],
      requestBody: 'ProjectDescription',
      example: {
        message: 'my-project is described: group, tags, title',
        settings: { about: { title: 'My Project', group: 'Payments', tags: ['sdk', 'python'] } },
      },
      refusals: ['invalid_request', 'invalid_settings', 'unsupported_media_type'],
    },
    async (ctx, actor) => {
      const { project } = ctx.params;
      const faults: string[] = [];
      const fault = (field: string, why: string) => void faults.push(`about.${field}: ${why}`);
      const body = Object.entries(await jsonBodyOf(ctx, 'ProjectDescription'));
      const about = readDescription(body, fault);
      if (faults.length > 0) throw refuse.invalidSettings(project, faults.join('; '));
      const settings = await manageProject.describe(actor, project, about);
      const fields = Object.keys(about).sort().join(', ');
      return [
        settings,
        fields === '' ? `${project} shows what its docinfo says` : `${project} is described: ${fields}`,
      ];
    },
  );
}
