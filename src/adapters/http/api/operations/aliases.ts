import { whyShadowed } from '../../../../domain/index.js';
import type { AppParts } from '../../app-parts.js';
import type { ApiOperation } from '../api-operation.js';
import { jsonBodyOf } from '../json-body.js';
import { settingsOperations } from './settings-operation.js';

/** `PUT` and `DELETE /api/aliases/{project}/{alias}`: sets an alias, or removes it. */
export function aliasOperations({ useCases, seen, readers }: AppParts): readonly ApiOperation[] {
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
    async (ctx, actor, isSet) => {
      const { project, alias } = ctx.params;
      const target = isSet ? (await jsonBodyOf(ctx, 'AliasTarget')).target : undefined;
      const mayKnowOf = (name: string) => readers.readerOf(ctx.req).maySee(name);
      const settings = await manageProject.alias(actor, project, alias, target, mayKnowOf);
      if (!isSet)
        return [settings, `${project} ${alias} is ${alias === 'latest' ? 'not pinned' : 'no alias'}`];
      const isShadowed = seen.now(ctx).project(project)?.shadowed.has(alias) === true;
      const but = isShadowed ? `. ${whyShadowed(project, alias)}` : '';
      return [settings, `${project} ${alias} is ${target}${but}`];
    },
  );
}
