import { cac } from 'cac';
import { init } from './init.js';
import { packageVersion } from './package-version.js';
import { randomSecret } from './secret.js';
import { readDocs, readServeOptions, SERVE_OPTIONS, type ServeConfig } from './serve-options.js';
import { StartError } from './start-error.js';
import { type Checked, reportChecks } from './verify.js';

export interface Actions {
  /** Serves until it is told to stop. */
  serve(config: ServeConfig): Promise<void>;
  /** Checks the versions of a docs directory, and repairs them from their archives if told so. */
  verify(docs: string, options: { readonly repair: boolean }): AsyncIterable<Checked>;
}

const USAGE =
  'usage: lectern [serve] -d <docs> [--tokens <file>] [--host 127.0.0.1] [--port 8080] | lectern init <dir> | lectern token | lectern verify -d <docs> [--repair] | lectern --help';

/**
 * Runs the command that the arguments name.
 * @param argv as `process.argv`
 * @returns the exit code: 0, 1 for versions that differ, or 2 for something that the caller has to mend
 */
export async function runCommandLine(
  argv: string[],
  env: NodeJS.ProcessEnv,
  actions: Actions,
): Promise<number> {
  let exitCode = 0;
  const cli = commands(env, actions, (code) => {
    exitCode = code;
  });
  try {
    cli.parse(argv, { run: false });
    if (cli.options.help === true || cli.options.version === true) return 0;
    if (cli.matchedCommand === undefined) throw new UsageError(`unknown command '${cli.args.join(' ')}'`);
    assertNothingLeft(cli.matchedCommand.name, cli.args);
    await cli.runMatchedCommand();
    return exitCode;
  } catch (error) {
    if (error instanceof StartError) {
      process.stderr.write(`lectern: ${error.message}\n`);
      return 2;
    }
    if (error instanceof Error && (error instanceof UsageError || error.name === 'CACError')) {
      process.stderr.write(`lectern: ${error.message}\n${USAGE}\n`);
      return 2;
    }
    throw error;
  }
}

class UsageError extends Error {}

function commands(env: NodeJS.ProcessEnv, actions: Actions, exitWith: (code: number) => void) {
  const cli = cac('lectern');
  const serve = cli.command('serve', 'Serve a directory of documentation (the default command)').alias('!');
  for (const option of Object.values(SERVE_OPTIONS)) {
    const given = 'default' in option ? ` (default: ${option.default})` : '';
    serve.option(option.flag, option.description + given);
  }
  serve.action((flags: Record<string, unknown>) => actions.serve(readServeOptions(flags, env)));
  cli
    .command('init <directory>', 'Make a docs directory and a tokens file, and say how to use them')
    .action(async (directory: unknown) => {
      process.stdout.write(await init(String(directory)));
    });
  cli
    .command('verify', 'Check every uploaded version against its archive')
    .option(SERVE_OPTIONS.docs.flag, SERVE_OPTIONS.docs.description)
    .option('--repair', 'Unpack the versions that differ again')
    .action(async (flags: Record<string, unknown>) => {
      const docs = readDocs(flags, env);
      exitWith(await reportChecks(actions.verify(docs, { repair: flags.repair === true })));
    });
  cli.command('token', 'Print a strong random secret').action(() => {
    process.stdout.write(`${randomSecret()}\n`);
  });
  cli.help();
  cli.version(packageVersion());
  return cli;
}

function assertNothingLeft(command: string, args: readonly string[]): void {
  const wanted = command === 'init' ? 1 : 0;
  const extra = args[wanted];
  if (extra === undefined) return;
  throw new UsageError(command === '' ? `unknown command '${extra}'` : `unexpected argument '${extra}'`);
}
