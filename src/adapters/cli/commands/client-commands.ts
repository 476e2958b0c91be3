import type { CAC, Command } from 'cac';
import type { Call } from './client-call.js';

type Flags = Call['flags'];
type Actions = typeof import('./client-actions.js');

/** Adds the commands that talk to a server. Each exits with a code of `EXIT`. */
export function addClientCommands(cli: CAC, env: NodeJS.ProcessEnv, exitWith: (code: number) => void): void {
  // Loaded by the commands, so that a server starts without the client.
  const run = async (flags: Flags, work: (actions: Actions, call: Call) => Promise<number>) => {
    const actions = await import('./client-actions.js');
    exitWith(await work(actions, await actions.callOf(flags, env)));
  };
  const command = (name: string, description: string): Command =>
    cli
      .command(name, description)
      .option('--url <address>', 'Address of the server; or LECTERN_URL')
      .option(
        '--token <secret>',
        'Token; LECTERN_TOKEN is safer, since other users see the arguments of a program',
      )
      .option(
        '--header <header>',
        "Sent with every request, as 'Name: value'; repeatable, or LECTERN_HEADERS",
      );

  command('push <path>', 'Publish a directory or an archive on a server')
    // cac leaves every `--version` option out of the help.
    .usage('push <path> [--project <name>] [--version <label>]')
    .option(
      '--project <name>',
      'Project, and --version its version; default: from the name of the archive, manifests and git',
    )
    .option('--version <label>', 'Version')
    .option(
      '--replace',
      'Replace an existing version; without it, push asks on a terminal and refuses elsewhere',
    )
    .option('--skip-existing', 'Leave an existing version as it is, with exit code 0')
    .option('--dry-run', 'Check everything without publishing')
    .example('  $ lectern push build/html --project widgets --version 1.10')
    .action((path: string, flags: Flags) => run(flags, ({ push }, call) => push(path, call)));
  command('projects [name]', 'List the projects of a server, or the versions of one')
    .option('--search <term>', 'List only projects with this in their name')
    .option('--json', 'Print the response of the server as JSON')
    .example('  $ lectern projects --search widg\n  $ lectern projects widgets')
    .action((name: string | undefined, flags: Flags) =>
      run(flags, ({ listProjects, listVersions }, call) =>
        name === undefined ? listProjects(call) : listVersions(name, call),
      ),
    );
  command('download <project> [version]', 'Download the archive of a version, or of the latest')
    .option('-o, --output <file>', "File to write, or - for stdout; default: the archive's own name")
    .example('  $ lectern download widgets\n  $ lectern download widgets 1.0 -o - | bsdtar -x')
    .action((project: string, version: string | undefined, flags: Flags) =>
      run(flags, ({ download }, call) => download(project, version ?? 'latest', call)),
    );
  command('delete <project> <version>', 'Delete a version on a server')
    .option('--yes', 'Delete without confirmation')
    .example('  $ lectern delete widgets 1.0')
    .action((project: string, version: string, flags: Flags) =>
      run(flags, ({ remove }, call) => remove(project, version, call)),
    );
  command('status', 'Show what a server is, and what the token may do')
    .example('  $ lectern status --url https://docs.example.org')
    .action((flags: Flags) => run(flags, ({ status }, call) => status(call)));
}
