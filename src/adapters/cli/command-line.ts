import { cac } from 'cac';
import { visible } from '../../domain/index.js';
import { ClientError, exitCodeOf } from './client/client-error.js';
import { assertUsage, plainHelp, UsageError, whereHelpIs, withoutHelpCommands } from './command-usage.js';
import { addClientCommands, type ClientWork } from './commands/client-commands.js';
import { addLocalCommands, type LocalActions } from './commands/local/local-commands.js';
import { addTokenCommand } from './commands/token.js';
import type { TokensFile } from './commands/token-actions.js';
import { packageVersion } from './package-version.js';
import { EXIT, StartError } from './start-error.js';
import { dropUnreadOutput } from './terminal.js';

/** Prefix of marked values. No argument of a process can contain it. */
const MARK = '\0';

/** Options that cac drops silently: dotted ones (`--docs.x`), and names of object prototypes. */
const DROPPED = /^--?(?:[^=]*\.|(?:__proto__|constructor|prototype)(?:=|$))/;

interface Actions extends LocalActions, Required<ClientWork> {
  /** The tokens file at a path. */
  tokensFile(path: string): Promise<TokensFile>;
}

/**
 * Runs the command that the arguments name.
 * @param given in the form of `process.argv`
 * @param actions of all commands; the client's file has only the commands that talk to a server
 * @returns the exit code, one of `EXIT`; 2 is for usage and configuration errors
 */
export async function runCommandLine(
  given: readonly string[],
  env: NodeJS.ProcessEnv,
  actions: Actions | ClientWork,
): Promise<number> {
  dropUnreadOutput();
  let exitCode = 0;
  const argv = withoutHelpCommands(given);
  // These have a `--version <label>` of their own, which cac would read as its built-in switch.
  const hasVersion = ['push', 'search'].includes(argv[2] ?? '');
  const cli = commands(env, actions, (code) => {
    exitCode = code;
  });
  cli.help(plainHelp(argv[2]));
  if (!hasVersion) cli.version(packageVersion());
  try {
    const dropped = droppedOption(argv.slice(2));
    if (dropped !== undefined) throw new UsageError(`unknown option '${dropped}'`);
    cli.parse(markPlain(argv), { run: false });
    unmark(cli.options);
    unmark(cli.args as unknown as unknown[]);
    if (cli.options.help === true) return 0;
    if (cli.options.version === true && !hasVersion) {
      // cac prints the version itself only when no command is named.
      if (argv[2] === cli.matchedCommand?.name) cli.outputVersion();
      return 0;
    }
    assertUsage(cli, argv[2]);
    await cli.runMatchedCommand();
    return exitCode;
  } catch (error) {
    const isUsage = error instanceof UsageError || (error instanceof Error && error.name === 'CACError');
    if (!isUsage && !(error instanceof StartError) && !(error instanceof ClientError)) throw error;
    // The message may quote untrusted names from files and arguments.
    const help = isUsage ? `${whereHelpIs(cli, argv[2])}\n` : '';
    process.stderr.write(`lectern: ${visible((error as Error).message)}\n${help}`);
    if (error instanceof ClientError) return exitCodeOf(error);
    return error instanceof StartError ? error.exitCode : EXIT.usage;
  }
}

function commands(env: NodeJS.ProcessEnv, actions: Actions | ClientWork, exitWith: (code: number) => void) {
  const cli = cac('lectern');
  if ('serve' in actions) addLocalCommands(cli, env, actions, exitWith);
  addClientCommands(cli, env, exitWith, actions);
  addTokenCommand(cli, env, 'tokensFile' in actions ? actions.tokensFile : undefined, exitWith);
  return cli;
}

/**
 * Marks arguments that cac would take for something else, so that cac keeps them as text: directory or version `1.0` is not
 * `1`, and an empty value is not `0`. A lone `-` is a value, too. Also replaces `-d` by `--docs`: with both spellings cac
 * would drop one, but it reports one that is given twice.
 */
function markPlain(argv: readonly string[]): string[] {
  return argv.map((given) => {
    const argument = given.replace(/^-d(?==|$)/, '--docs');
    const [, flag = '', value = argument] = /^(--[^=]+=)(.*)$/s.exec(argument) ?? [];
    const isPlain = value === '-' || (Number.isFinite(Number(value)) && !value.startsWith('-'));
    return isPlain ? flag + MARK + value : argument;
  });
}

/** Returns the name of the first option that cac would drop, if any. */
function droppedOption(argv: readonly string[]): string | undefined {
  return argv.find((argument) => DROPPED.test(argument))?.split('=')[0];
}

/** Removes the marks in place, from the arguments of a command or from its options. */
function unmark(values: Record<string, unknown> | unknown[]): void {
  const record = values as Record<string, unknown>;
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === 'string') record[key] = value.replaceAll(MARK, '');
    else if (Array.isArray(value)) unmark(value);
  }
}
