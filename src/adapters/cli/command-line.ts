import { type Command, cac } from 'cac';
import type { CopyStep } from '../../application/index.js';
import { visible } from '../../domain/index.js';
import { ClientError } from './client/client-error.js';
import type { ImportStep } from './client/index.js';
import { addClientCommands } from './client-commands.js';
import { addCopyCommand, type CopyRequest } from './copy.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { type ImportRequest, isLayout, LAYOUTS, reportImport } from './import.js';
import { packageVersion } from './package-version.js';
import { droppedOption, markNumbers, unmark } from './plain-arguments.js';
import {
  RETIRED_OPTIONS,
  readDocs,
  readServeOptions,
  readStorage,
  SERVE_OPTIONS,
  type ServeConfig,
} from './serve-options.js';
import { StartError } from './start-error.js';
import { terminalOf } from './terminal.js';
import { type Checked, reportChecks, type VerifyRequest } from './verify.js';

export interface Actions {
  /** Serves until a signal stops it. */
  serve(config: ServeConfig): Promise<void>;
  /** Checks the versions of a docs directory or an object store; with `repair`, makes anew what differs. */
  verify(request: VerifyRequest): AsyncIterable<Checked>;
  /** Copies the versions of one docs directory or object store to another. */
  copy(request: CopyRequest): AsyncIterable<CopyStep>;
  /** Copies another server's versions into a docs directory. */
  importSites(request: ImportRequest): AsyncIterable<ImportStep>;
}

const USAGE =
  'usage: lectern [serve] -d <docs> [--tokens <file>] [--host 127.0.0.1] [--port 8080] | lectern init <dir> | lectern token | lectern verify -d <docs> [--repair] | lectern copy --from <place> --to <place> | lectern import <layout> <path> -d <docs> | lectern push|projects|download|delete|status … | lectern --help';

/**
 * Runs the command that the arguments name.
 * @param argv in the form of `process.argv`
 * @returns the exit code, one of `EXIT`; 2 is for usage and configuration errors
 */
export async function runCommandLine(
  argv: string[],
  env: NodeJS.ProcessEnv,
  actions: Actions,
): Promise<number> {
  let exitCode = 0;
  // `push` has its own `--version <label>`, which cac would read as its built-in switch.
  const isPush = argv[2] === 'push';
  const cli = commands(env, actions, (code) => {
    exitCode = code;
  });
  if (!isPush) cli.version(packageVersion());
  try {
    const dropped = droppedOption(argv.slice(2));
    if (dropped !== undefined) throw new UsageError(`unknown option '${dropped}'`);
    cli.parse(markNumbers(argv), { run: false });
    unmark(cli.options);
    unmark(cli.args as unknown as unknown[]);
    if (cli.options.help === true) return 0;
    if (cli.options.version === true) {
      // cac prints the version itself only when no command is named.
      if (argv[2] === cli.matchedCommand?.name) cli.outputVersion();
      return 0;
    }
    if (cli.matchedCommand === undefined) throw new UsageError(`unknown command '${cli.args.join(' ')}'`);
    assertNothingLeft(argv[2], cli.matchedCommand, cli.args, cli.options['--']);
    await cli.runMatchedCommand();
    return exitCode;
  } catch (error) {
    const isUsage = error instanceof UsageError || (error instanceof Error && error.name === 'CACError');
    if (!isUsage && !(error instanceof StartError) && !(error instanceof ClientError)) throw error;
    // The message may quote untrusted names from files and arguments.
    process.stderr.write(`lectern: ${visible((error as Error).message)}\n${isUsage ? `${USAGE}\n` : ''}`);
    if (error instanceof ClientError) return exitCodeOf(error);
    return error instanceof StartError ? error.exitCode : EXIT.usage;
  }
}

class UsageError extends Error {}

function commands(env: NodeJS.ProcessEnv, actions: Actions, exitWith: (code: number) => void) {
  const cli = cac('lectern');
  const serve = cli.command('serve', 'Serve a directory of documentation (the default command)').alias('!');
  for (const option of [...Object.values(SERVE_OPTIONS), ...Object.values(RETIRED_OPTIONS)]) {
    const given = 'default' in option ? ` (default: ${option.default})` : '';
    serve.option(option.flag, option.description + given);
  }
  serve.action((flags: Record<string, unknown>) => actions.serve(readServeOptions(flags, env)));
  cli
    .command('init <directory>', 'Make a docs directory and a tokens file, and say how to use them')
    .action(async (directory: unknown) => {
      const { init } = await import('./init.js');
      process.stdout.write(await init(String(directory)));
    });
  cli
    .command('verify', 'Check every uploaded version against its archive')
    .option(SERVE_OPTIONS.docs.flag, SERVE_OPTIONS.docs.description)
    .option(SERVE_OPTIONS.store.flag, SERVE_OPTIONS.store.description)
    .option(SERVE_OPTIONS['store-endpoint'].flag, SERVE_OPTIONS['store-endpoint'].description)
    .option(SERVE_OPTIONS['store-region'].flag, SERVE_OPTIONS['store-region'].description)
    .option(
      '--repair',
      'Unpack the versions that differ again; in an object store, make indexes and the snapshot anew',
    )
    .action(async (flags: Record<string, unknown>) => {
      const request = { storage: readStorage(flags, env), repair: flags.repair === true };
      exitWith(await reportChecks(actions.verify(request), terminalOf(env)));
    });
  addCopyCommand(cli, env, actions.copy, exitWith);
  cli.command('token', 'Print a strong random secret').action(async () => {
    const { randomSecret } = await import('./init.js');
    process.stdout.write(`${randomSecret()}\n`);
  });
  cli
    .command('import <layout> <path>', `Copy the versions of another server in: ${LAYOUTS.join(', ')}`)
    .option(SERVE_OPTIONS.docs.flag, SERVE_OPTIONS.docs.description)
    .option('--dry-run', 'Only tell what would be taken')
    .option('--with-hidden', 'Take what docat hides, too')
    .action(async (layout: string, path: string, flags: Record<string, unknown>) => {
      if (!isLayout(layout))
        throw new UsageError(`unknown layout '${layout}'; there are ${LAYOUTS.join(', ')}`);
      const dryRun = flags.dryRun === true;
      const request = {
        layout,
        path,
        dryRun,
        docs: readDocs(flags, env),
        withHidden: flags.withHidden === true,
      };
      exitWith(await reportImport(actions.importSites(request), request, terminalOf(env)));
    });
  addClientCommands(cli, env, exitWith);
  // cac adds a misleading default to `--no-…` options.
  cli.help((sections) =>
    sections.map((section) => ({ ...section, body: section.body.replaceAll(' (default: true)', '') })),
  );
  return cli;
}

function assertNothingLeft(
  first: string | undefined,
  command: Command,
  args: readonly string[],
  afterDashes: readonly string[],
): void {
  const extra = args[command.args.length] ?? afterDashes[0];
  if (extra === undefined) return;
  throw new UsageError(
    first === command.name ? `unexpected argument '${extra}'` : `unknown command '${extra}'`,
  );
}
