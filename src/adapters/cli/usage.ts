import type { CAC, Command } from 'cac';
import { closestNames } from '../../domain/index.js';

/** A command line that cannot be understood: one line that says what is wrong, one that names the help. */
export class UsageError extends Error {}

/** What other programs call our commands. */
const SYNONYMS: Readonly<Record<string, string>> = {
  deploy: 'push',
  get: 'download',
  list: 'projects',
  ls: 'projects',
  publish: 'push',
  remove: 'delete',
  rm: 'delete',
  upload: 'push',
  versions: 'projects',
};

/** Turns `help`, `help push` and `version` into the options of that name. */
export function withoutHelpCommands([node = '', main = '', first, ...rest]: readonly string[]): string[] {
  const words = first === undefined ? [] : [first, ...rest];
  if (first === 'help') return [node, main, ...rest, '--help'];
  if (first === 'version' && rest.length === 0) return [node, main, '--version'];
  return [node, main, ...words];
}

/**
 * Checks options and arguments before cac does, whose messages name neither the argument nor the remedy.
 * @param first the first word of the command line
 * @throws UsageError
 */
export function assertUsage(cli: CAC, first: string | undefined): void {
  const { matchedCommand: command, args, options } = cli;
  if (command === undefined && args.length === 0) throw new UsageError('name a command');
  if (command === undefined) throw unknownCommand(cli, args.join(' '));
  // A variadic argument, the last one, takes all the others.
  const taken = command.args.some(({ variadic }) => variadic) ? args.length : command.args.length;
  const extra = args[taken] ?? options['--'][0];
  if (extra !== undefined && first !== command.name) throw unknownCommand(cli, extra);
  assertOptions(cli, command);
  if (extra !== undefined) throw new UsageError(`unexpected argument '${extra}'`);
  const missing = command.args.slice(args.length).filter(({ required }) => required);
  if (missing.length === 0) return;
  throw new UsageError(`${command.name} needs ${missing.map(({ value }) => `<${value}>`).join(' and ')}`);
}

function assertOptions(cli: CAC, command: Command): void {
  const known = [...command.options, ...cli.globalCommand.options];
  const given = Object.entries(cli.options).filter(([name]) => name !== '--');
  const optionOf = (name: string) => known.find(({ names }) => names.includes(name));
  for (const [name, value] of given) {
    const option = optionOf(name);
    if (option?.required !== true || value !== true) continue;
    const [flag = '', long = ''] = /(--[\w-]+) <.+>/.exec(option.rawName) ?? [];
    throw new UsageError(`${long} needs a value: ${flag}`);
  }
  for (const [name, value] of given) {
    if (optionOf(name) === undefined) throw unknownOption(value === false ? `no-${name}` : name, known);
  }
}

function unknownCommand(cli: CAC, name: string): UsageError {
  const names = cli.commands.map((command) => command.name);
  const close = SYNONYMS[name] ?? closestNames(name, names, 1)[0];
  return new UsageError(`unknown command '${name}'${didYouMean(close)}`);
}

function unknownOption(name: string, known: Command['options']): UsageError {
  const names = known.map((option) => `${option.negated ? 'no-' : ''}${kebab(option.name)}`);
  const flag = name.length === 1 ? `-${name}` : `--${kebab(name)}`;
  const [close] = name.length === 1 ? [] : closestNames(kebab(name), names, 1);
  return new UsageError(`unknown option '${flag}'${didYouMean(close && `--${close}`)}`);
}

/** Reverses cac's camel case. */
function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : `; did you mean '${name}'?`;
}

/** Names the help of the command that was typed. */
export function whereHelpIs(cli: CAC, first: string | undefined): string {
  const isTyped = cli.commands.some(({ name }) => name === first);
  return `Run 'lectern ${isTyped ? `${first} ` : ''}--help' for help.`;
}

/** Leaves out what cac adds to a help: a wrong default of `--no-…` options, and a line for each command's help. */
export const plainHelp: Parameters<CAC['help']>[0] = (sections) =>
  sections.map((section) =>
    section.title?.startsWith('For more info') === true
      ? { title: 'Help of a command', body: '  $ lectern push --help' }
      : { ...section, body: section.body.replaceAll(' (default: true)', '') },
  );
