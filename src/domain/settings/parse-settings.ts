import { versionIdOf } from '../names/archive-name.js';
import { type RetentionRules, readRetention } from '../retention/retention-rules.js';
import {
  LATEST,
  NO_SETTINGS,
  type ProjectDescription,
  type ProjectSettings,
  readDescription,
  settingsText,
  withDescription,
  withRetention,
} from './project-settings.js';

/** Max. bytes of the settings of a project, as JSON text. */
export const MAX_SETTINGS_BYTES = 64 * 1024;
/** Max. characters of the sentence for a deprecated version. */
export const MAX_SENTENCE = 500;

/** Settings that are none, with the path of every fault: `aliases.stable: expected a string`. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('; '));
  }
}

/**
 * Reads the JSON form of a project's settings. Versions that it names need not be there.
 * @param value parsed JSON
 * @throws SettingsError with every fault; unknown fields are faults, too
 */
export function parseSettings(project: string, value: unknown): ProjectSettings {
  const reader = new SettingsReader(project);
  const settings = reader.read(value);
  if (new TextEncoder().encode(settingsText(settings)).length > MAX_SETTINGS_BYTES) {
    reader.fault('', `expected at most ${MAX_SETTINGS_BYTES} bytes`);
  }
  if (reader.faults.length > 0) throw new SettingsError(reader.faults);
  return settings;
}

/** Returns whether a project can have this alias: one that reads like a version's label, or `latest`. */
export function isAliasName(project: string, alias: string): boolean {
  return alias === LATEST || versionIdOf(project, alias) !== undefined;
}

/** Returns the reason why a text cannot be the sentence for a deprecated version; undefined when it can. */
export function whyNoSentence(text: string): string | undefined {
  if (text.trim() === '') return 'expected a non-empty string';
  if ([...text].length > MAX_SENTENCE) return `expected at most ${MAX_SENTENCE} characters`;
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(text)
    ? 'expected one line without control characters'
    : undefined;
}

class SettingsReader {
  readonly faults: string[] = [];

  constructor(private readonly project: string) {}

  fault(path: string, why: string): void {
    this.faults.push(`${path === '' ? 'the settings' : path}: ${why}`);
  }

  read(value: unknown): ProjectSettings {
    let settings = NO_SETTINGS;
    for (const [field, content] of this.fieldsOf('', value)) {
      if (field === 'aliases') settings = { ...settings, aliases: this.aliases(content) };
      else if (field === 'hidden') settings = { ...settings, hidden: this.hidden(content) };
      else if (field === 'deprecated') settings = { ...settings, deprecated: this.deprecated(content) };
      else if (field === 'retention') settings = withRetention(settings, this.retention(content));
      else if (field === 'about') settings = withDescription(settings, this.about(content));
      else this.fault(below('', field), 'unknown field');
    }
    return settings;
  }

  private aliases(value: unknown): ReadonlyMap<string, string> {
    const texts = this.texts('aliases', value);
    for (const [alias, target] of texts) {
      const path = below('aliases', alias);
      if (!isAliasName(this.project, alias)) this.fault(path, 'expected a name like that of a version');
      if (versionIdOf(this.project, target) === undefined)
        this.fault(path, 'expected a version, or N.x or N.M.x');
    }
    return texts;
  }

  private hidden(value: unknown): ReadonlySet<string> {
    if (!Array.isArray(value)) {
      this.fault('hidden', 'expected an array');
      return new Set();
    }
    for (const [index, label] of value.entries()) this.assertLabel(`hidden[${index}]`, label);
    return new Set(value);
  }

  private deprecated(value: unknown): ReadonlyMap<string, string> {
    const texts = this.texts('deprecated', value);
    for (const [label, sentence] of texts) {
      const path = below('deprecated', label);
      this.assertLabel(path, label);
      const why = whyNoSentence(sentence);
      if (why !== undefined) this.fault(path, why);
    }
    return texts;
  }

  private retention(value: unknown): RetentionRules {
    const fault = (name: string, why: string) => this.fault(below('retention', name), why);
    return readRetention(this.fieldsOf('retention', value), fault);
  }

  private about(value: unknown): ProjectDescription {
    const fault = (name: string, why: string) => this.fault(below('about', name), why);
    return readDescription(this.fieldsOf('about', value), fault);
  }

  private assertLabel(path: string, label: unknown): void {
    if (typeof label !== 'string' || versionIdOf(this.project, label) === undefined) {
      this.fault(path, 'expected the label of a version');
    }
  }

  private texts(path: string, value: unknown): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const [name, text] of this.fieldsOf(path, value)) {
      if (typeof text === 'string') texts.set(name, text);
      else this.fault(below(path, name), 'expected a string');
    }
    return texts;
  }

  private fieldsOf(path: string, value: unknown): readonly (readonly [string, unknown])[] {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
    this.fault(path, 'expected an object');
    return [];
  }
}

/** A path with one more name: `aliases.stable`; unusual names are quoted. */
function below(path: string, name: string): string {
  const part = /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return `${path}${part}`.replace(/^\./, '');
}
