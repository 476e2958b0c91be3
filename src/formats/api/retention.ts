import * as z from 'zod';
import { MAX_IN_RULE, NUMBER_RULES, numberRuleInWords, type RetentionRule } from '../../domain/index.js';

const number = (rule: RetentionRule, description: string) => {
  const error = numberRuleInWords(rule);
  const { min } = NUMBER_RULES[rule];
  return z.int({ error }).min(min, { error }).max(MAX_IN_RULE, { error }).optional().describe(description);
};

/** Rules of retention, as a client sends them and gets them. */
export const retentionRules = z.strictObject({
  keep_per_minor: number('keep_per_minor', 'How many of the newest releases of each minor are kept.'),
  keep_pre_releases: number(
    'keep_pre_releases',
    'How many pre-releases are kept: those that were published last.',
  ),
  pre_release_days: number(
    'pre_release_days',
    'Days for which a pre-release is kept after the publication of its final version.',
  ),
  max_age_days: number('max_age_days', 'Days for which a version is kept after its publication.'),
  copied_in: z
    .boolean({ error: 'expected true or false' })
    .optional()
    .describe('Whether copied-in directories are removed as well.'),
});

/** A version that a rule removes. */
export const dueVersion = z.object({
  version: z.string().describe('Version label.'),
  directory: z.string().describe('Version directory name, `<project>-<version>`.'),
  rule: z
    .enum(Object.keys(NUMBER_RULES) as [RetentionRule, ...RetentionRule[]])
    .describe('Name of the rule.'),
  reason: z.string().describe('What the rule says, for people.'),
  archive_bytes: z.int().optional().describe('Size of the archive; absent for a copied-in directory.'),
});
