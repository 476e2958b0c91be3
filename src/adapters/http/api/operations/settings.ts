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
import type { ApiOperation, TokenOperation } from '../api-operation.js';
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
        fields === '' ? `${project} shows what its docinfo says` : `${project} is described: ${fields}`,
      ];
    },
  );
}

/** `PUT` and `DELETE /api/aliases/{project}/{alias}`: sets an alias, or removes it. */
export function aliasOperations({ useCases }: AppParts): readonly ApiOperation[] {
  const { manageProject } = useCases;
  return settingsOperations(
    manageProject,
    { path: '/api/aliases/{project}/{alias}', parameters: ['project', 'alias'] },
    {
      put: {
        id: 'setAlias',
        summary: 'Sets an alias',
        description: 'The alias `latest` pins the latest version.',
        requestBody: 'AliasTarget',
        example: { message: 'my-project stable is 1.0.0', settings: { aliases: { stable: '1.0.0' } } },
        refusals: ['version_not_found', 'name_taken', 'invalid_settings', 'unsupported_media_type'],
      },
      remove: {
        id: 'removeAlias',
        summary: 'Removes an alias',
        example: { message: 'my-project stable is no alias', settings: {} },
      },
    },
    async (asked, actor, isSet) => {
      const { project = '', alias = '' } = asked.params;
      const target = isSet ? (await jsonBodyOf(asked, 'AliasTarget')).target : undefined;
      const mayKnowOf = (name: string) => asked.visitor.reader().maySee(name);
      const settings = await manageProject.alias(actor, project, alias, target, mayKnowOf);
      if (!isSet)
        return [settings, `${project} ${alias} is ${alias === 'latest' ? 'not pinned' : 'no alias'}`];
      const isShadowed = asked.visitor.look().project(project)?.shadowed.has(alias) === true;
      const but = isShadowed ? `. ${whyShadowed(project, alias)}` : '';
      return [settings, `${project} ${alias} is ${target}${but}`];
    },
  );
}

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
    async (asked, actor, isSet) => {
      const { project = '', version = '' } = asked.params;
      const message = isSet ? (await jsonBodyOf(asked, 'Deprecation')).message : undefined;
      const settings = await manageProject.deprecate(actor, project, version, message);
      return [settings, `${project} ${version} is ${isSet ? 'deprecated' : 'not deprecated'}`];
    },
  );
}

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
function settingsOperation(
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
