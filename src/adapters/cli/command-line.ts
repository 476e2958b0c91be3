import { cac } from 'cac';
import { init } from './init.js';
import { packageVersion } from './package-version.js';
import { randomSecret } from './secret.js';
import { readServeOptions, SERVE_OPTIONS, type ServeConfig } from './serve-options.js';
import { StartError } from './start-error.js';

export interface Actions {
  /** Serves until it is told to stop. */
  serve(config: ServeConfig): Promise<void>;
}

const USAGE =
  'usage: lectern [serve] -d <docs> [--tokens <file>] [--host 127.0.0.1] [--port 8080] | lectern init <dir> | lectern token | lectern --help';

/**
 * Runs the command that the arguments name.
 * @param argv as `process.argv`
 * @returns the exit code: 0, or 2 for something that the caller has to mend
 */
export async function runCommandLine(
  argv: string[],
  env: NodeJS.ProcessEnv,
  actions: Actions,
): Promise<number> {
  const cli = commands(env, actions);
  try {
    cli.parse(argv, { run: false });
    if (cli.options.help === true || cli.options.version === true) return 0;
    if (cli.matchedCommand === undefined) throw new UsageError(`unknown command '${cli.args.join(' ')}'`);
    assertNothingLeft(cli.matchedCommand.name, cli.args);
    await cli.runMatchedCommand();
    return 0;
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

function commands(env: NodeJS.ProcessEnv, actions: Actions) {
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
