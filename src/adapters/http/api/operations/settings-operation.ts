import type { Context } from 'koa';
import type { ManageProject } from '../../../../application/index.js';
import { type ProjectSettings, settingsBody, type TokenPolicy } from '../../../../domain/index.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';
import type { Body } from '../description/schemas.js';
import { secretOf } from '../secret.js';

type Outline = Pick<ApiOperation, 'method' | 'path' | 'id' | 'summary' | 'parameters'> &
  Partial<Pick<ApiOperation, 'description' | 'requestBody' | 'refusals'>>;

/**
 * An operation that changes a setting of a project.
 * @param change returns the settings afterwards, a sentence for people, and further fields of the answer
 */
export function settingsOperation(
  manageProject: ManageProject,
  outline: Outline,
  change: (
    ctx: Context,
    policy: TokenPolicy,
  ) => Promise<readonly [ProjectSettings, message: string, more?: Pick<Body<'SettingsResult'>, 'removes'>]>,
): ApiOperation {
  const { refusals = [], description = '' } = outline;
  return {
    ...outline,
    description: `The token must have \`allow_manage\`. ${description}`.trimEnd(),
    needsToken: true,
    answers: { 200: { description: 'Done, or it was so before.', body: 'SettingsResult' } },
    refusals: [
      'authentication_required',
      'project_not_allowed',
      'manage_not_allowed',
      'project_not_found',
      ...refusals,
    ],
    handle: async (ctx) => {
      const policy = manageProject.authenticate(secretOf(ctx));
      ctx.state.notes.token = policy.name;
      const { project } = ctx.params;
      manageProject.assertMayChange(policy, project);
      const [settings, message, more] = await change(ctx, policy);
      answer(ctx, 'SettingsResult', 200, {
        success: true,
        message,
        project,
        settings: settingsBody(settings),
        ...more,
      });
    },
  };
}
