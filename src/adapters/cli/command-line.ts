import { type CAC, cac } from 'cac';
import type { Check, CopyStep } from '../../application/index.js';
import { visible } from '../../domain/index.js';
import { ClientError, exitCodeOf } from './client/client-error.js';
import type { ImportStep } from './client/index.js';
import { dropUnreadOutput } from './closed-pipe.js';
import { addClientCommands } from './commands/client-commands.js';
import { completionScript, SHELLS } from './commands/completion.js';
import type { DueRow } from './commands/due-versions.js';
import { addCopyCommand, type CopyRequest } from './commands/local/copy.js';
import type { CountedLog, CountLogsRequest } from './commands/local/count-logs.js';
import { type ImportRequest, isLayout, LAYOUTS, reportImport } from './commands/local/import.js';
import { addPruneCommand, type PruneRequest } from './commands/local/prune.js';
import { reportChecks, type VerifyRequest } from './commands/local/verify.js';
import { addTokenCommand } from './commands/token/token.js';
import type { TokensFile } from './commands/token/tokens.js';
import { EXIT } from './exit-codes.js';
import { withOptions } from './options/option-reader.js';
import { droppedOption, markPlain, unmark } from './options/plain-arguments.js';
import { SERVE_OPTIONS } from './options/serve-option-table.js';
import { readServeOptions, type ServeConfig } from './options/serve-options.js';
import { readDocs, readStorage, ServeReader } from './options/serve-places.js';
import { packageVersion } from './package-version.js';
import { StartError } from './start-error.js';
import { terminalOf } from './terminal.js';
import { assertUsage, plainHelp, UsageError, whereHelpIs, withoutHelpCommands } from './usage.js';

/** What commands that talk to a server do on this machine. */
export interface ClientActions {
  /** Makes a temporary directory, which the caller removes. The next one removes what killed commands left. */
  temporaryDirectory(): Promise<string>;
}

export interface Actions extends ClientActions {
  /** Serves until a signal stops it. */
  serve(config: ServeConfig): Promise<void>;
  /** Checks the versions of a docs directory or an object store; with `repair`, makes anew what differs. */
  verify(request: VerifyRequest): AsyncIterable<Check>;
  /** Copies the versions of one docs directory or object store to another. */
  copy(request: CopyRequest): AsyncIterable<CopyStep>;
  /** Removes what rules of retention remove from a docs directory or an object store. */
  prune(request: PruneRequest): AsyncIterable<DueRow>;
  /** Counts what the access logs of a web server say was read. */
  countLogs(request: CountLogsRequest): AsyncIterable<CountedLog>;
  /** The tokens file at a path. */
  tokensFile(path: string): Promise<TokensFile>;
  /** Copies another server's versions into a docs directory. */
  importSites(request: ImportRequest): AsyncIterable<ImportStep>;
}

/**
 * Runs the command that the arguments name.
 * @param given in the form of `process.argv`
 * @param actions without those of a server in the client's file, which has only the commands that talk to one
 * @returns the exit code, one of `EXIT`; 2 is for usage and configuration errors
 */
export async function runCommandLine(
  given: readonly string[],
  env: NodeJS.ProcessEnv,
  actions: Actions | ClientActions,
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

function commands(
  env: NodeJS.ProcessEnv,
  actions: Actions | ClientActions,
  exitWith: (code: number) => void,
) {
  const cli = cac('lectern');
  if ('serve' in actions) addLocalCommands(cli, env, actions, exitWith);
  addClientCommands(cli, env, exitWith, actions);
  addTokenCommand(cli, env, 'tokensFile' in actions ? actions.tokensFile : undefined, exitWith);
  cli
    .command('completion <shell>', `Print a script that completes commands and options: ${SHELLS.join(', ')}`)
    .example('  $ eval "$(lectern completion bash)"')
    .action((given: string) => {
      const shell = SHELLS.find((name) => name === given);
      if (shell === undefined)
        throw new UsageError(`unknown shell '${given}'; there are ${SHELLS.join(', ')}`);
      process.stdout.write(completionScript(shell, cli));
    });
  return cli;
}

/** Adds the commands that work on this machine. */
function addLocalCommands(
  cli: CAC,
  env: NodeJS.ProcessEnv,
  actions: Actions,
  exitWith: (code: number) => void,
): void {
  const serve = cli.command('serve', 'Serve a directory of documentation (the default command)').alias('!');
  withOptions(serve, Object.values(SERVE_OPTIONS))
    .example('  $ lectern -d data/docs --tokens data/tokens.json')
    .action((flags: Record<string, unknown>) => actions.serve(readServeOptions(flags, env)));
  cli
    .command('init <directory>', 'Make a docs directory and a tokens file, and say how to use them')
    .example('  $ lectern init data')
    .action(async (directory: unknown) => {
      const { init } = await import('./commands/local/init.js');
      process.stdout.write(await init(String(directory)));
    });
  const { docs, store } = SERVE_OPTIONS;
  const places = [docs, store, SERVE_OPTIONS['store-endpoint'], SERVE_OPTIONS['store-region']];
  withOptions(cli.command('verify', 'Check every uploaded version against its archive'), places)
    .option(
      '--repair',
      'Repair versions that differ from their archives; in an object store, make indexes and the snapshot anew',
    )
    .example('  $ lectern verify -d data/docs --repair')
    .action(async (flags: Record<string, unknown>) => {
      const request = { storage: readStorage(new ServeReader(flags, env)), repair: flags.repair === true };
      exitWith(await reportChecks(actions.verify(request), terminalOf(env)));
    });
  addCopyCommand(cli, env, actions.copy, exitWith);
  addPruneCommand(cli, env, actions.prune, exitWith);
  cli
    .command('import <layout> <path>', `Import the versions of another server: ${LAYOUTS.join(', ')}`)
    .option(SERVE_OPTIONS.docs.flag, SERVE_OPTIONS.docs.description)
    .option('--dry-run', 'List what would be imported, and import nothing')
    .example('  $ lectern import docat /var/docat -d data/docs --dry-run')
    .action(async (layout: string, path: string, flags: Record<string, unknown>) => {
      if (!isLayout(layout))
        throw new UsageError(`unknown layout '${layout}'; there are ${LAYOUTS.join(', ')}`);
      const dryRun = flags.dryRun === true;
      const request = { layout, path, dryRun, docs: readDocs(new ServeReader(flags, env)) };
      exitWith(await reportImport(actions.importSites(request), request, terminalOf(env)));
    });
}
