import type { ManageProject } from '../../../../application/index.js';
import {
  type Actor,
  type ProjectSettings,
  readDescription,
  refuse,
  settingsBody,
  whyShadowed,
} from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import type { AppParts } from '../../app-parts.js';
import { type Asked, jsonAnswer } from '../../response/answer.js';
import type { ApiOperation, ChangingOperation } from '../api-operation.js';
import { PARAMETERS } from '../parameters.js';
import { jsonBodyOf } from '../query.js';

/** `PUT /api/projects/{project}`: says what a project is, in place of its docinfo. */
export function describeOperation({ useCases: { manageProject } }: AppParts): ApiOperation {
  return settingsOperation(
    manageProject,
    {
      method: 'put',
      path: '/api/projects/{project}',
      id: 'describeProject',
      changes: 'describe',
      summary: 'Describe a project without rebuilding its site',
      description:
        'The description overrides the docinfo, and stays when versions come and go. The body is the whole description: for an absent field, the docinfo applies again, and `{}` removes all overrides.',
      parameters: ['project'],
      requestBody: 'ProjectDescription',
      example: {
        message: 'Updated my-project: group, tags, title',
        settings: { about: { title: 'My Project', group: 'Payments', tags: ['sdk', 'python'] } },
      },
      refusals: ['invalid_request', 'invalid_settings', 'unsupported_media_type'],
    },
    async (asked, actor) => {
      const { project = '' } = asked.params;
      const faults: string[] = [];
      const fault = (field: string, why: string) => void faults.push(`about.${field}: ${why}`);
      const body = Object.entries(await jsonBodyOf(asked, 'ProjectDescription'));
      const about = readDescription(body, fault);
      if (faults.length > 0) throw refuse.invalidSettings(project, faults.join('; '));
      const settings = await manageProject.describe(actor, project, about);
      const fields = Object.keys(about).sort().join(', ');
      return [
        settings,
        fields === '' ? `${project} has no overrides; its docinfo applies` : `Updated ${project}: ${fields}`,
      ];
    },
  );
}

/** `PUT` and `DELETE /api/aliases/{project}/{alias}`: sets an alias, or removes it. */
export function aliasOperations({ useCases }: AppParts): readonly ApiOperation[] {
  const { manageProject } = useCases;
  return settingsOperations(
    manageProject,
    { path: '/api/aliases/{project}/{alias}', parameters: ['project', 'alias'], changes: 'alias' },
    {
      put: {
        id: 'setAlias',
        summary: 'Set an alias',
        description: 'The alias `latest` pins the latest version.',
        requestBody: 'AliasTarget',
        example: { message: 'my-project: stable -> 1.0.0', settings: { aliases: { stable: '1.0.0' } } },
        refusals: ['version_not_found', 'name_taken', 'invalid_settings', 'unsupported_media_type'],
      },
      remove: {
        id: 'removeAlias',
        summary: 'Remove an alias',
        example: { message: 'my-project: stable is not an alias', settings: {} },
      },
    },
    async (asked, actor, isSet) => {
      const { project = '', alias = '' } = asked.params;
      const target = isSet ? (await jsonBodyOf(asked, 'AliasTarget')).target : undefined;
      const mayKnowOf = (name: string) => asked.visitor.reader().maySee(name);
      const settings = await manageProject.alias(actor, project, alias, target, mayKnowOf);
      if (!isSet)
        return [settings, `${project}: ${alias} is ${alias === 'latest' ? 'not pinned' : 'not an alias'}`];
      const isShadowed = asked.visitor.look().project(project)?.shadowed.has(alias) === true;
      const but = isShadowed ? `. ${whyShadowed(project, alias)}` : '';
      return [settings, `${project}: ${alias} -> ${target}${but}`];
    },
  );
}

/** `PUT` and `DELETE /api/hidden/{project}/{version}`: hides a version, or shows it again. */
export function hiddenOperations({ useCases: { manageProject } }: AppParts): readonly ApiOperation[] {
  return settingsOperations(
    manageProject,
    { path: '/api/hidden/{project}/{version}', parameters: ['project', 'version'], changes: 'hide' },
    {
      put: {
        id: 'hideVersion',
        summary: 'Hide a version',
        description:
          'A hidden version can be read, but is not listed on pages, in the switcher or in search.',
        example: { message: 'my-project 1.0.0 is hidden', settings: { hidden: ['1.0.0'] } },
        refusals: ['version_not_found'],
      },
      remove: {
        id: 'showVersion',
        summary: 'Show a hidden version',
        example: { message: 'my-project 1.0.0 is not hidden', settings: {} },
        refusals: ['version_not_found'],
      },
    },
    async (asked, actor, isHidden) => {
      const { project = '', version = '' } = asked.params;
      const settings = await manageProject.hide(actor, project, version, isHidden);
      return [settings, `${project} ${version} is ${isHidden ? 'hidden' : 'not hidden'}`];
    },
  );
}

/** `PUT` and `DELETE /api/deprecated/{project}/{version}`: deprecates a version with a sentence, or takes that back. */
export function deprecatedOperations({ useCases: { manageProject } }: AppParts): readonly ApiOperation[] {
  return settingsOperations(
    manageProject,
    { path: '/api/deprecated/{project}/{version}', parameters: ['project', 'version'], changes: 'deprecate' },
    {
      put: {
        id: 'deprecateVersion',
        summary: 'Deprecate a version',
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
        summary: 'Remove the deprecation of a version',
        example: { message: 'my-project 1.0.0 is not deprecated', settings: {} },
        refusals: ['version_not_found'],
      },
    },
    async (asked, actor, isSet) => {
      const { project = '', version = '' } = asked.params;
      const message = isSet ? (await jsonBodyOf(asked, 'Deprecation')).message : undefined;
      const settings = await manageProject.deprecate(actor, project, version, message);
      return [settings, `${project} ${version} is ${isSet ? 'deprecated' : 'not deprecated'}`];
    },
  );
}

type Outline = Pick<ChangingOperation, 'method' | 'path' | 'id' | 'summary' | 'parameters' | 'changes'> &
  Partial<Pick<ChangingOperation, 'description' | 'requestBody' | 'refusals'>> & {
    /** The fields of an answer in which operations differ. */
    readonly example: Omit<Body<'SettingsResult'>, 'success' | 'project'>;
  };

/** Returns the settings afterwards, a sentence for people, and further fields of the answer. */
type Change = (
  asked: Asked,
  actor: Actor,
) => Promise<readonly [ProjectSettings, message: string, more?: Pick<Body<'SettingsResult'>, 'removes'>]>;

/** An operation that changes a setting of a project. */
function settingsOperation(
  manageProject: ManageProject,
  { example, ...outline }: Outline,
  change: Change,
): ChangingOperation {
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
  outline: Pick<Outline, 'path' | 'parameters' | 'changes'>,
  {
    put,
    remove,
  }: Readonly<Record<'put' | 'remove', Omit<Outline, 'method' | 'path' | 'parameters' | 'changes'>>>,
  change: (...args: [...Parameters<Change>, isSet: boolean]) => ReturnType<Change>,
): readonly ChangingOperation[] {
  return [
    settingsOperation(manageProject, { ...outline, ...put, method: 'put' }, (asked, actor) =>
      change(asked, actor, true),
    ),
    settingsOperation(manageProject, { ...outline, ...remove, method: 'delete' }, (asked, actor) =>
      change(asked, actor, false),
    ),
  ];
}
