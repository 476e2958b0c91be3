import type { CAC, Command } from 'cac';
import { closestNames } from '../../domain/index.js';
import { RARELY_NEEDED } from './options/serve-option-table.js';

/** A command line with a mistake: a line says what is wrong, the next one names the help. */
export class UsageError extends Error {}

/** Names that other programs give to our commands. */
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
  if (command === undefined && args.length === 0) throw new UsageError('no command given');
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
  const close = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : closestNames(name, names, 1)[0];
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

/** Names the help of the command that was typed; options without one are those of `serve`. */
export function whereHelpIs(cli: CAC, first: string | undefined): string {
  const isTyped = cli.commands.some(({ name }) => name === first);
  const command = isTyped ? `${first} ` : first?.startsWith('-') ? 'serve ' : '';
  return `Run 'lectern ${command}--help' for help.`;
}

type HelpOf = NonNullable<Parameters<CAC['help']>[0]>;
type Sections = Parameters<HelpOf>[0];

/**
 * Returns what makes the help of cac plain. The help of the program lists the commands, without the options of `serve`, its
 * default command; these are in the help of `serve`, without the list of commands.
 * @param first the first word of the command line
 */
export function plainHelp(first: string | undefined): HelpOf {
  return (sections) => {
    const isOfDefault = sections.some(({ title }) => title === 'Commands');
    const shown = !isOfDefault
      ? sections
      : first === 'serve'
        ? rareApart(sections.filter(({ title }) => title !== 'Commands' && !isAboutHelp(title)))
        : overview(sections);
    // cac adds a wrong default to `--no-…` options.
    return shown.map((section) => ({ ...section, body: section.body.replaceAll(' (default: true)', '') }));
  };
}

/** Puts the options that are rarely needed below a heading of their own. */
function rareApart(sections: Sections): Sections {
  const isRare = (line: string) => RARELY_NEEDED.some((name) => line.startsWith(`  --${name} `));
  return sections.flatMap((section) => {
    const { title, body } = section;
    if (title !== 'Options') return section;
    const lines = body.split('\n');
    return [
      { title, body: lines.filter((line) => !isRare(line)).join('\n') },
      { title: 'Rarely needed', body: lines.filter(isRare).join('\n') },
    ];
  });
}

function overview(sections: Sections): Sections {
  return sections.flatMap((section) => {
    const { title, body } = section;
    if (title === 'Usage') return { title, body: '  $ lectern <command> [options]' };
    if (isAboutHelp(title)) return { title: 'Help of a command', body: '  $ lectern push --help' };
    if (title === 'Options') return { title, body: sharedOptions(body) };
    return title === 'Examples' ? [] : section;
  });
}

const isAboutHelp = (title: string | undefined) => title?.startsWith('For more info') === true;

/** The lines of `--help` and `--version`, without the room for the names of other options. */
function sharedOptions(body: string): string {
  const lines = body.matchAll(/^ {2}(-[hv], --\w+) +(.*?) *$/gm);
  return [...lines].map(([, flag = '', text]) => `  ${flag.padEnd(13)}  ${text}`).join('\n');
}
