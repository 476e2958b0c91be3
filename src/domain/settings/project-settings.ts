import { type Docinfo, MAX_DOCINFO_TEXT, MAX_TAG_CHARACTERS, MAX_TAGS } from '../docinfo.js';
import { type RetentionBody, type RetentionRules, retentionBody } from '../retention/retention-rules.js';
import { fold } from '../search-term.js';

/** Max. characters of each text. */
const MAX_TEXT = { title: 100, description: 1_000, ...MAX_DOCINFO_TEXT } as const;

/** Settings of a project. They may name versions that do not exist. */
export interface ProjectSettings {
  /** Targets by alias. A target is a version's label or a series, such as `2.x`. The alias `latest` pins the latest version. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Labels of the versions that no page, switcher or search lists. */
  readonly hidden: ReadonlySet<string>;
  /** Sentences for readers, by the label of a version that should not be used any more. */
  readonly deprecated: ReadonlyMap<string, string>;
  /** Rules by which its versions are removed, in place of the server's; empty rules keep all. */
  readonly retention?: RetentionRules;
  /** Description that overrides its docinfo. */
  readonly about?: ProjectDescription;
}

/** The settings of a project for which nothing is set. */
export const NO_SETTINGS: ProjectSettings = {
  aliases: new Map(),
  hidden: new Set(),
  deprecated: new Map(),
};

/** The alias that pins the latest version. */
export const LATEST = 'latest';

/** Max. aliases of a project. */
export const MAX_ALIASES = 100;

/** Sets an alias, or removes it when the target is undefined. */
export function withAlias(
  settings: ProjectSettings,
  alias: string,
  target: string | undefined,
): ProjectSettings {
  return { ...settings, aliases: changed(settings.aliases, alias, target) };
}

/** Hides a version, or shows it again. */
export function withHidden(settings: ProjectSettings, label: string, isHidden: boolean): ProjectSettings {
  const hidden = new Set(settings.hidden);
  if (isHidden) hidden.add(label);
  else hidden.delete(label);
  return { ...settings, hidden };
}

/** Deprecates a version with a sentence, or takes that back when the sentence is undefined. */
export function withDeprecated(
  settings: ProjectSettings,
  label: string,
  sentence: string | undefined,
): ProjectSettings {
  return { ...settings, deprecated: changed(settings.deprecated, label, sentence) };
}

/** Sets the rules by which versions are removed, or takes them back when they are undefined. */
export function withRetention(
  { retention: _, ...settings }: ProjectSettings,
  rules: RetentionRules | undefined,
): ProjectSettings {
  return rules === undefined ? settings : { ...settings, retention: rules };
}

/** Sets the description; an empty one removes it, so that the docinfo counts again. */
export function withDescription(
  { about: _, ...settings }: ProjectSettings,
  about: ProjectDescription,
): ProjectSettings {
  return Object.keys(about).length === 0 ? settings : { ...settings, about };
}

/** The JSON form of settings. */
export interface SettingsBody {
  aliases?: Record<string, string>;
  hidden?: string[];
  deprecated?: Record<string, string>;
  retention?: RetentionBody;
  about?: DescriptionBody;
}

/** Returns the JSON form, sorted and without fields for which nothing is set: equal settings have the same. */
export function settingsBody(settings: ProjectSettings): SettingsBody {
  const { aliases, hidden, deprecated, retention, about } = settings;
  return {
    ...(aliases.size === 0 ? {} : { aliases: sorted(aliases) }),
    ...(hidden.size === 0 ? {} : { hidden: [...hidden].sort() }),
    ...(deprecated.size === 0 ? {} : { deprecated: sorted(deprecated) }),
    ...(retention === undefined ? {} : { retention: retentionBody(retention) }),
    ...(about === undefined ? {} : { about: descriptionBody(about) }),
  };
}

/** Returns the JSON text of settings, by which two can be compared; `{}` when nothing is set. */
export function settingsText(settings: ProjectSettings): string {
  return JSON.stringify(settingsBody(settings));
}

/** Description that was set for a project: its title, and fields that win over those of its docinfo. */
export interface ProjectDescription
  extends Pick<Docinfo, 'description' | 'group' | 'tags' | 'owner' | 'repository' | 'contact'> {
  /** The name on pages. */
  readonly title?: string;
}

/** The JSON form of a description. */
export type DescriptionBody = Omit<ProjectDescription, 'tags'> & { tags?: string[] };

/**
 * Reads the JSON form of a description: one line of text each, and a list of texts as `tags`.
 * @param fault is called for each field that cannot be read, with the reason
 */
export function readDescription(
  fields: readonly (readonly [string, unknown])[],
  fault: (field: string, why: string) => void,
): ProjectDescription {
  const description: Record<string, unknown> = {};
  for (const [field, value] of fields) {
    const why = field === 'tags' ? whyNoTags(value) : whyNoText(field, value);
    if (why !== undefined) fault(field, why);
    else description[field] = Array.isArray(value) ? [...value] : value;
  }
  return description;
}

/** Returns the JSON form of a description, sorted: equal ones have the same. */
function descriptionBody({ tags, ...texts }: ProjectDescription): DescriptionBody {
  const fields = { ...texts, ...(tags === undefined ? {} : { tags: [...tags] }) };
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function changed(map: ReadonlyMap<string, string>, key: string, value: string | undefined) {
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

function sorted(map: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function whyNoText(field: string, value: unknown): string | undefined {
  if (!isTextField(field)) return 'unknown field';
  return whyNoLine(value, MAX_TEXT[field]);
}

function isTextField(field: string): field is keyof typeof MAX_TEXT {
  return Object.hasOwn(MAX_TEXT, field);
}

function whyNoTags(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'expected a list of strings';
  if (value.length === 0 || value.length > MAX_TAGS) return `expected 1 to ${MAX_TAGS} strings`;
  for (const tag of value) {
    const why = whyNoLine(tag, MAX_TAG_CHARACTERS) ?? (tag.includes(',') ? 'expected no comma' : undefined);
    if (why !== undefined) return `${why} in each`;
  }
  const isDistinct = new Set(value.map(fold)).size === value.length;
  return isDistinct ? undefined : 'expected strings that differ by more than case';
}

/** Returns the reason why a value is not one line of text without white space around it. */
function whyNoLine(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return 'expected a non-empty string';
  if (value.trim() !== value) return 'expected no leading or trailing white space';
  if ([...value].length > max) return `expected at most ${max} characters`;
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(value)
    ? 'expected one line without control characters'
    : undefined;
}
