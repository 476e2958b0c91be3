import {
  type DueVersion,
  describeRule,
  describeRules,
  NO_SETTINGS,
  type RetentionRules,
  readRetention,
} from '../../domain/index.js';
import type { Body } from '../../formats/api/bodies.js';
import type { ApiOperation } from './api/api-operation.js';
import { settingsOperations } from './api/operations/settings.js';
import { flagOf, jsonBodyOf } from './api/query.js';
import type { AppParts } from './app-parts.js';

/** `PUT` and `DELETE /api/retention/{project}`: sets the rules by which versions are removed, or takes them back. */
export function retentionOperations({ useCases }: AppParts): readonly ApiOperation[] {
  const { manageProject, applyRetention } = useCases;
  return settingsOperations(
    manageProject,
    { path: '/api/retention/{project}', parameters: ['project', 'dryRun'], changes: 'retain' },
    {
      put: {
        id: 'setRetention',
        summary: 'Set the retention rules of a project',
        description: `They replace the server's rules; \`{}\` keeps all versions. A rule needs \`allow_delete\` as well, unless \`dry_run\` is true. ${STAYS} Removed versions can be restored.`,
        requestBody: 'RetentionRules',
        example: {
          message: `Rules of my-project: ${REMOVED.reason}`,
          settings: { retention: { keep_per_minor: 3 } },
          removes: [REMOVED],
        },
        refusals: ['delete_not_allowed', 'invalid_request', 'invalid_settings', 'unsupported_media_type'],
      },
      remove: {
        id: 'removeRetention',
        summary: 'Remove the retention rules of a project, so that those of the server apply',
        example: {
          message: `my-project has no rules of its own; rules of the server: ${REMOVED.reason}`,
          settings: {},
          removes: [REMOVED],
        },
        refusals: ['invalid_request'],
      },
    },
    async (asked, actor, isSet) => {
      const { project = '' } = asked.params;
      const dryRun = flagOf(asked, 'dry_run');
      // The body is checked against the schema, so there are no faults.
      const own = isSet
        ? readRetention(Object.entries(await jsonBodyOf(asked, 'RetentionRules')), () => {})
        : undefined;
      const settings = await manageProject.retain(actor, project, own, { dryRun });
      const rules = own ?? applyRetention.rulesOf({ settings: NO_SETTINGS });
      const removes = removesOf(applyRetention.wouldRemove(project, own, new Date()), rules);
      const where = isSet
        ? `Rules of ${project}:`
        : `${project} has no rules of its own; rules of the server:`;
      const kept = describeRules(rules).join('; ') || 'all versions are kept';
      return [settings, `${where} ${kept}`, { removes }];
    },
  );
}

/** Version that the rules of the examples remove. */
const REMOVED = {
  version: '1.0.0',
  directory: 'my-project-1.0.0',
  rule: 'keep_per_minor',
  reason: describeRule('keep_per_minor', { keepPerMinor: 3 }),
  archive_bytes: 123_456,
} as const;

function removesOf(due: readonly DueVersion[], rules: RetentionRules): Body<'SettingsResult'>['removes'] {
  return due.map(({ version, rule }) => ({
    version: version.label,
    directory: version.directoryName,
    rule,
    reason: describeRule(rule, rules),
    ...(version.record.archive === undefined ? {} : { archive_bytes: version.record.archive.size }),
  }));
}

const STAYS = 'The latest version and versions with an alias are always kept.';
