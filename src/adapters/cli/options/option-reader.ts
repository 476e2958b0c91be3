import type { Command } from 'cac';
import { StartError } from '../start-error.js';

export interface Option {
  /** In cac's syntax. */
  readonly flag: string;
  readonly description: string;
  readonly default?: string | number;
}

/**
 * Returns options by name.
 * @param rows value of each option, such as `<file>`, or nothing for a switch; its description; its default
 */
export function optionTable<Name extends string>(
  rows: Readonly<Record<Name, readonly [value: string, description: string, given?: string | number]>>,
): Readonly<Record<Name, Option>> {
  const entries = Object.entries<(typeof rows)[Name]>(rows).map(([name, [value, description, given]]) => {
    const option = { flag: `--${name} ${value}`.trimEnd(), description };
    return [name, given === undefined ? option : { ...option, default: given }];
  });
  return Object.fromEntries(entries);
}

/** Adds options to a command, with their defaults. */
export function withOptions(command: Command, options: readonly Option[]): Command {
  for (const { flag, description, default: given } of options) {
    command.option(flag, given === undefined ? description : `${description} (default: ${given})`);
  }
  return command;
}

type Flags = Readonly<Record<string, unknown>>;

/** Returns the text of a flag. @throws StartError when it is empty or given twice */
export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  if (Array.isArray(value)) throw new StartError(`--${name}: can be given only once`);
  if (value === '') throw new StartError(`--${name}: expected a value`);
  return value === undefined || typeof value === 'boolean' ? undefined : String(value);
}

/** Returns the words of a flag that may be repeated, and may have commas between them; undefined where it is not given. */
export function listFlag(flags: Flags, name: string): string[] | undefined {
  if (flags[name] === undefined) return undefined;
  const words = [flags[name]].flat().flatMap((value) => String(value).split(','));
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Returns an option's value from the flags: by camel-case name, and `--no-mcp` as `mcp: false`, as cac passes them. */
function flagOf(flags: Flags, name: string): unknown {
  const camel = (words: string) => words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (name.startsWith('no-')) return flags[camel(name.slice(3))] === false || undefined;
  return flags[camel(name)];
}

/** Returns an option's value from the environment: `LECTERN_<OPTION>`. */
function variableOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  // An empty variable counts as unset, as in compose files and systemd units.
  return env[`LECTERN_${name.replaceAll('-', '_').toUpperCase()}`] || undefined;
}

/** Reads options from the flags, then the environment, then their defaults. Throws StartError for invalid values. */
export class OptionReader<Name extends string> {
  constructor(
    private readonly options: Readonly<Record<Name, Option>>,
    private readonly flags: Flags,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** The place where a value is given; undefined where only a default may be. */
  given(name: string): 'flag' | 'environment' | undefined {
    if (flagOf(this.flags, name) !== undefined) return 'flag';
    return variableOf(this.env, name) === undefined ? undefined : 'environment';
  }

  text(name: Name): string | undefined {
    const given = flagOf(this.flags, name) ?? variableOf(this.env, name);
    if (Array.isArray(given)) throw new StartError(`--${name}: can be given only once`);
    const value = given ?? this.options[name].default;
    if (value === '') throw new StartError(`--${name}: expected a value`);
    return value === undefined ? undefined : String(value);
  }

  required(name: Name): string {
    return this.text(name) ?? '';
  }

  whole(name: Name, min: number, max: number): number {
    const value = this.required(name);
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new StartError(`--${name}: expected a whole number from ${min} to ${max}, not '${value}'`);
  }

  /** A size in bytes. */
  size(name: Name, min = 1): number {
    const value = this.required(name);
    const [, digits, unit] = /^(\d+)\s*([kmg]?)(?:i?b)?$/i.exec(value) ?? [];
    const bytes = Number(digits) * (UNITS[unit?.toLowerCase() ?? ''] ?? Number.NaN);
    if (Number.isSafeInteger(bytes) && bytes >= min) return bytes;
    throw new StartError(`--${name}: expected a size such as 1000000, 100MiB or 2GiB, not '${value}'`);
  }

  flag(name: Name): boolean {
    const value = this.text(name) ?? 'false';
    if (['true', '1'].includes(value)) return true;
    if (['false', '0'].includes(value)) return false;
    throw new StartError(`--${name}: expected true or false, not '${value}'`);
  }
}
