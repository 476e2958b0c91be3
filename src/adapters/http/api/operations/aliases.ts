import { whyShadowed } from '../../../../domain/index.js';
import type { AppParts } from '../../app-parts.js';
import type { ApiOperation } from '../api-operation.js';
import { jsonBodyOf } from '../json-body.js';
import { settingsOperation } from './settings-operation.js';

/** `PUT` and `DELETE /api/aliases/{project}/{alias}`: sets an alias, or removes it. */
export function aliasOperations({ useCases, seen, readers }: AppParts): readonly ApiOperation[] {
  const { manageProject } = useCases;
  const outline = { path: '/api/aliases/{project}/{alias}', parameters: ['project', 'alias'] } as const;
  return [
    settingsOperation(
      manageProject,
      {
        ...outline,
        method: 'put',
        id: 'setAlias',
        summary: 'Sets an alias',
        description: 'The alias `latest` pins the latest version.',
        requestBody: 'AliasTarget',
        example: { message: 'my-project stable is 1.0.0', settings: { aliases: { stable: '1.0.0' } } },
        refusals: ['version_not_found', 'name_taken', 'invalid_settings', 'unsupported_media_type'],
      },
      async (ctx, actor) => {
        const { project, alias } = ctx.params;
        const { target } = await jsonBodyOf(ctx, 'AliasTarget');
        const mayKnowOf = (name: string) => readers.readerOf(ctx.req).maySee(name);
        const settings = await manageProject.alias(actor, project, alias, target, mayKnowOf);
        const isShadowed = seen.now(ctx).project(project)?.shadowed.has(alias) === true;
        const but = isShadowed ? `. ${whyShadowed(project, alias)}` : '';
        return [settings, `${project} ${alias} is ${target}${but}`];
      },
    ),
    settingsOperation(
      manageProject,
      {
        ...outline,
        method: 'delete',
        id: 'removeAlias',
        summary: 'Removes an alias',
        example: { message: 'my-project stable is no alias', settings: {} },
      },
      async (ctx, actor) => {
        const { project, alias } = ctx.params;
        const settings = await manageProject.alias(actor, project, alias, undefined);
        return [settings, `${project} ${alias} is ${alias === 'latest' ? 'not pinned' : 'no alias'}`];
      },
    ),
  ];
}
