import type { ManageProject } from '../../../../application/index.js';
import { type Actor, type ProjectSettings, settingsBody } from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import { type Asked, jsonAnswer } from '../../response/answer.js';
import type { TokenOperation } from '../api-operation.js';
import { PARAMETERS } from '../parameters.js';

type Outline = Pick<TokenOperation, 'method' | 'path' | 'id' | 'summary' | 'parameters'> &
  Partial<Pick<TokenOperation, 'description' | 'requestBody' | 'refusals'>> & {
    /** The fields of an answer in which operations differ. */
    readonly example: Omit<Body<'SettingsResult'>, 'success' | 'project'>;
  };

/** Returns the settings afterwards, a sentence for people, and further fields of the answer. */
type Change = (
  asked: Asked,
  actor: Actor,
) => Promise<readonly [ProjectSettings, message: string, more?: Pick<Body<'SettingsResult'>, 'removes'>]>;

/** An operation that changes a setting of a project. */
export function settingsOperation(
  manageProject: ManageProject,
  { example, ...outline }: Outline,
  change: Change,
): TokenOperation {
  const { refusals = [], description = '' } = outline;
  return {
    ...outline,
    use: 'Manage',
    description: `The token must have \`allow_manage\`. ${description}`.trimEnd(),
    needsToken: true,
    answers: {
      200: {
        description: 'Done, or nothing had to change.',
        body: 'SettingsResult',
        example: { success: true, project: PARAMETERS.project.example, ...example },
      },
    },
    refusals: ['project_not_allowed', 'manage_not_allowed', 'project_not_found', ...refusals],
    handle: async (asked, actor) => {
      const { project = '' } = asked.params;
      manageProject.assertMayChange(actor, project);
      const [settings, message, more] = await change(asked, actor);
      return jsonAnswer('SettingsResult', 200, {
        success: true,
        message,
        project,
        settings: settingsBody(settings),
        ...more,
      });
    },
  };
}

/** The two operations at one path: `PUT` sets a setting, `DELETE` takes it back. */
export function settingsOperations(
  manageProject: ManageProject,
  outline: Pick<Outline, 'path' | 'parameters'>,
  { put, remove }: Readonly<Record<'put' | 'remove', Omit<Outline, 'method' | 'path' | 'parameters'>>>,
  change: (...args: [...Parameters<Change>, isSet: boolean]) => ReturnType<Change>,
): readonly TokenOperation[] {
  return [
    settingsOperation(manageProject, { ...outline, ...put, method: 'put' }, (asked, actor) =>
      change(asked, actor, true),
    ),
    settingsOperation(manageProject, { ...outline, ...remove, method: 'delete' }, (asked, actor) =>
      change(asked, actor, false),
    ),
  ];
}
