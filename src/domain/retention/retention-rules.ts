import { counted } from '../quantities.js';

/** Rules by which versions of a project are removed. A rule that is not set removes nothing. */
export interface RetentionRules {
  /** Number of the newest releases of each minor (1.2.x) that are kept. */
  readonly keepPerMinor?: number;
  /** Number of pre-releases that are kept: those that were published last. */
  readonly keepPreReleases?: number;
  /** Days for which a pre-release is kept after the publication of its final version. */
  readonly preReleaseDays?: number;
  /** Days for which a version is kept after its publication. */
  readonly maxAgeDays?: number;
  /** Whether copied-in directories are removed as well. */
  readonly copiedIn?: boolean;
}

/** Largest number in a rule. */
export const MAX_IN_RULE = 100_000;

/** The rules that are numbers, by their name in JSON, with the smallest number of each. */
export const NUMBER_RULES = {
  keep_per_minor: { field: 'keepPerMinor', min: 1 },
  keep_pre_releases: { field: 'keepPreReleases', min: 0 },
  pre_release_days: { field: 'preReleaseDays', min: 0 },
  max_age_days: { field: 'maxAgeDays', min: 1 },
} as const;

/** A rule that removes versions, by its name in JSON. */
export type RetentionRule = keyof typeof NUMBER_RULES;

/** The JSON form of the rules. */
export type RetentionBody = { -readonly [Rule in RetentionRule]?: number } & { copied_in?: boolean };

/** `readRetention` of a number, in words. */
export function numberRuleInWords(rule: RetentionRule): string {
  return `expected a whole number from ${NUMBER_RULES[rule].min} to ${MAX_IN_RULE}`;
}

/** Returns the JSON form, without the rules that are not set. */
export function retentionBody(rules: RetentionRules): RetentionBody {
  const body: RetentionBody = {};
  for (const rule of numberRules()) {
    const number = rules[NUMBER_RULES[rule].field];
    if (number !== undefined) body[rule] = number;
  }
  return rules.copiedIn === true ? { ...body, copied_in: true } : body;
}

/**
 * Reads the JSON form.
 * @param fields of the object
 * @param fault is called with the name of the field and a sentence for each fault
 */
export function readRetention(
  fields: readonly (readonly [string, unknown])[],
  fault: (field: string, why: string) => void,
): RetentionRules {
  const rules: { -readonly [Field in keyof RetentionRules]: RetentionRules[Field] } = {};
  for (const [name, value] of fields) {
    const rule = numberRules().find((each) => each === name);
    if (rule !== undefined) {
      const { field, min } = NUMBER_RULES[rule];
      if (isWhole(value) && value >= min && value <= MAX_IN_RULE) rules[field] = value;
      else fault(name, numberRuleInWords(rule));
    } else if (name === 'copied_in') {
      if (typeof value === 'boolean') rules.copiedIn = value;
      else fault(name, 'expected true or false');
    } else fault(name, 'unknown field');
  }
  return rules;
}

/** Returns what a rule does, in words: `the newest 3 versions of each minor are kept`. */
export function describeRule(rule: RetentionRule, rules: RetentionRules): string {
  const number = rules[NUMBER_RULES[rule].field] ?? 0;
  const days = counted(number, 'day');
  switch (rule) {
    case 'keep_per_minor':
      return number === 1
        ? 'the newest version of each minor is kept'
        : `the newest ${number} versions of each minor are kept`;
    case 'keep_pre_releases':
      if (number === 0) return 'no pre-release is kept';
      return number === 1 ? 'the last pre-release is kept' : `the last ${number} pre-releases are kept`;
    case 'pre_release_days':
      return number === 0
        ? 'a pre-release is kept until its final version is published'
        : `a pre-release is kept for ${days} after its final version`;
    case 'max_age_days':
      return `a version is kept for ${days}`;
  }
}

/** Returns what the rules do, a sentence for each one that is set. */
export function describeRules(rules: RetentionRules): readonly string[] {
  return numberRules()
    .filter((rule) => rules[NUMBER_RULES[rule].field] !== undefined)
    .map((rule) => describeRule(rule, rules));
}

/** Returns whether any rule is set that removes versions. */
export function hasRule(rules: RetentionRules): boolean {
  return numberRules().some((rule) => rules[NUMBER_RULES[rule].field] !== undefined);
}

function numberRules(): readonly RetentionRule[] {
  return Object.keys(NUMBER_RULES) as RetentionRule[];
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}
