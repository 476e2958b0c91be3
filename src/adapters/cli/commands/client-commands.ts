import type { CAC, Command } from 'cac';
import { SERVE_OPTIONS } from '../options/serve-option-table.js';
import { namingPath, StartError } from '../start-error.js';
import { terminalOf } from '../terminal.js';
import {
  type CountedLog,
  type CountLogsRequest,
  readCountLogsRequest,
  reportLogs,
  usageOptions,
} from '../usage/count-logs.js';
import type { Call } from './client-call.js';

type Flags = Call['flags'];
type ClientActions = typeof import('./client-actions.js');

const NEEDS_PACKAGE =
  'this file is only the client; --access-log needs the full program, on the machine with the docs directory';

/** Work of these commands on this machine. */
export interface ClientWork {
  /** Counts what access logs say was read, for `usage`; not in the client's file. */
  countLogs?(request: CountLogsRequest): AsyncIterable<CountedLog>;
  /** Makes a temporary directory, which the caller removes. The next one removes what killed commands left. */
  temporaryDirectory(): Promise<string>;
}

/** Adds the commands that talk to a server. Each exits with a code of `EXIT`. */
export function addClientCommands(
  cli: CAC,
  env: NodeJS.ProcessEnv,
  exitWith: (code: number) => void,
  local: ClientWork,
): void {
  // Loaded by the commands, so that a server starts without the client.
  const run = async (flags: Flags, work: (actions: ClientActions, call: Call) => Promise<number>) => {
    const actions = await import('./client-actions.js');
    const call = await actions.callOf(flags, env);
    const code = await work(actions, call).catch((error: unknown) => {
      throw namingPath(error);
    });
    exitWith(code);
  };
  /** Runs an action with the arguments of its command; cac passes the flags last. */
  const running =
    <Given extends readonly unknown[]>(
      actionIn: (actions: ClientActions) => (...given: [...Given, Call]) => Promise<number>,
    ) =>
    (...given: [...Given, Flags]) => {
      const [flags, args] = [given.at(-1) as Flags, given.slice(0, -1) as unknown as Given];
      return run(flags, (actions, call) => actionIn(actions)(...args, call));
    };
  const command = (name: string, description: string): Command =>
    withServerOptions(cli.command(name, description));

  command('push <path>', 'Publish a directory or an archive on a server')
    // cac leaves every `--version` option out of the help.
    .usage('push <path> [--project <name>] [--version <label> | --preview <name>]')
    .option(
      '--project <name>',
      'Project, and its version with --version; default: from the archive name, the CI job, manifests and git',
    )
    .option('--version <label>', 'Version')
    .option('--preview <name>', 'Publish a preview instead of a version; each push replaces it')
    .option('--expires <time>', 'Lifetime of the preview, such as 12h or 14d; default: set by the server')
    .option(
      '--replace',
      'Replace an existing version; without it, push asks on a terminal and refuses elsewhere',
    )
    .option('--skip-existing', 'Skip a version that already exists, with exit code 0')
    .option('--strict', 'Publish nothing if the site has warnings, with exit code 7')
    .option(
      '--strict-links',
      'Publish nothing if there are dead links that the previous release does not have, with exit code 8',
    )
    .option('--verbose', 'List all skipped symbolic links, not only the first')
    .option('--dry-run', 'Check everything without publishing')
    .option(
      '--comment <file>',
      'Write the address and a summary of changes to a file, as Markdown for a comment',
    )
    .example(
      '  $ lectern push build/html --project widgets --version 1.10\n  $ lectern push build/html --preview pr-123 --expires 14d',
    )
    .action(running(({ push }) => push));
  command('projects [name]', 'List projects, or the versions of a project')
    .option('--search <term>', 'List only projects whose name contains the term')
    .option('--json', 'Print the response as JSON')
    .example('  $ lectern projects --search widg\n  $ lectern projects widgets')
    .action(running(({ listProjects }) => listProjects));
  command('search [...words]', 'Search pages')
    .usage(
      'search <words> [--project <name>] [--version <label>] [--all-projects] [--group <name>] [--tag <name>] [--owner <name>]',
    )
    .option(
      '--project <name>',
      'Search one project, or one of its versions with --version; default: the latest version of every project',
    )
    .option('--version <label>', "Version, '~<name>' for a preview, or all")
    .option('--all-projects', 'Search all projects, even if the words begin with a project name')
    .option('--group <name>', 'Search projects in a group')
    .option('--tag <name>', 'Search projects with a tag')
    .option('--owner <name>', 'Search projects of an owner')
    .option('--limit <number>', 'Number of results, at most 50; default: 20')
    .option('--json', 'Print the response as JSON')
    .example('  $ lectern search install plugin\n  $ lectern search \'"exact phrase"\' --project widgets')
    .action(running(({ search }) => search));
  command('previews <project>', 'List the previews of a project')
    .option('--json', 'Print the response as JSON')
    .example('  $ lectern previews widgets')
    .action(running(({ listPreviews }) => listPreviews));
  command('usage [project]', 'Show reads of a project, or count them from the access log of a web server')
    .usage('usage <project> [--days <number>]\n  $ lectern usage --access-log <file> -d <docs>')
    .option('--days <number>', 'Days to count back; default: 30')
    .option('--json', 'Print the response as JSON')
    .option('--csv', 'Print CSV, one row per day, version and path')
    .option(
      '--access-log <file>',
      'Access log of a web server that sends pages itself, plain or gzip, or - for stdin; repeatable',
    )
    .option(SERVE_OPTIONS.docs.flag, SERVE_OPTIONS.docs.description)
    .option(usageOptions.table['usage-dir'].flag, 'Directory for the counts; default: in the docs directory')
    .option(SERVE_OPTIONS['base-path'].flag, 'Path prefix of the addresses in the log, such as /docs')
    .example(
      '  $ lectern usage widgets --days 90\n  $ lectern usage --access-log lectern-own.log -d data/docs',
    )
    .action(async (project: string | undefined, flags: Flags) => {
      if (flags.accessLog === undefined) {
        return run(flags, ({ showUsage }, call) => showUsage(project, call));
      }
      if (local.countLogs === undefined) throw new StartError(NEEDS_PACKAGE);
      exitWith(await reportLogs(local.countLogs(readCountLogsRequest(flags, env)), terminalOf(env)));
    });
  command('check <project> [version]', 'List dead links of a version; default: the latest')
    .option('--json', 'Print the response as JSON')
    .example('  $ lectern check widgets\n  $ lectern check widgets "~pr-123"')
    .action(running(({ checkLinks }) => checkLinks));
  command('download <project> [version]', 'Download the archive of a version; default: the latest')
    .option('-o, --output <file>', "File to write, or - for stdout; default: the archive's own name")
    .example('  $ lectern download widgets\n  $ lectern download widgets 1.0 -o - | bsdtar -x')
    .action((project: string, version: string | undefined, flags: Flags) =>
      run(flags, ({ download }, call) =>
        download(project, version ?? 'latest', call, local.temporaryDirectory),
      ),
    );
  command('delete <project> [version]', 'Delete a version or a preview')
    .option('--purge', 'Delete permanently: nothing is kept, and this cannot be undone')
    .option('--yes', 'Delete without confirmation')
    .example(
      '  $ lectern delete widgets 1.0\n  $ lectern delete widgets 1.0 --purge\n  $ lectern delete widgets~pr-123',
    )
    .action(running(({ remove }) => remove));
  command('alias <project> <alias> [target]', 'Point an alias, such as stable, to a version')
    .option('--undo', 'Remove the alias')
    .example('  $ lectern alias widgets stable 1.10\n  $ lectern alias widgets lts 1.x')
    .action(running(({ alias }) => alias));
  command('pin <project> [target]', 'Pin the latest version')
    .option('--undo', 'Unpin it: the newest version is the latest again')
    .example('  $ lectern pin widgets 1.x')
    .action((project: string, target: string | undefined, flags: Flags) =>
      run(flags, ({ alias }, call) => alias(project, 'latest', target, call)),
    );
  command('hide <project> <version>', 'Hide a version from all lists; its pages stay readable')
    .option('--undo', 'Show it again')
    .example('  $ lectern hide widgets 1.1')
    .action(running(({ hide }) => hide));
  command(
    'deprecate <project> <version> [message]',
    'Mark a version as deprecated, with a message for readers',
  )
    .option('--undo', 'Remove the mark')
    .example("  $ lectern deprecate widgets 1.0 'Loses data; use 1.1'")
    .action(running(({ deprecate }) => deprecate));
  command(
    'describe [project]',
    'Show or set the title, group, tags and owner of projects, overriding their docinfo',
  )
    .usage('describe <project> [--title <text>] …\n  $ lectern describe --from <file> [--dry-run]')
    .option('--title <text>', 'Title on pages')
    .option('--description <text>', 'Description, in one sentence')
    .option('--group <text>', 'Group in the index')
    .option('--tag <text>', 'Tag to filter by; repeatable, replaces all tags')
    .option('--owner <text>', 'Person or team responsible for the project')
    .option('--repository <address>', 'Address of the source repository')
    .option('--contact <address>', 'Where to ask questions: web or email address')
    .option('--undo', 'Remove all of these: the docinfo applies again')
    .option('--from <file>', 'Describe the projects in a YAML file, or in a Backstage catalog-info.yaml')
    .option('--dry-run', 'With --from: check the file and show what would change, without changing anything')
    .example(
      "  $ lectern describe flask --title Flask --group Web --tag python --tag http\n  $ lectern describe flask --group ''\n  $ lectern describe --from projects.yaml --dry-run",
    )
    .action(running(({ describe }) => describe));
  command('retention <project>', 'Show or set the retention rules of a project')
    .option('--keep-per-minor <number>', 'Number of newest releases to keep per minor version (1.2.x)')
    .option('--keep-pre-releases <number>', 'Number of last published pre-releases to keep')
    .option('--pre-release-days <days>', 'Days to keep pre-releases after their final version')
    .option('--max-age-days <days>', 'Days to keep versions after their publication')
    .option('--copied-in', 'Also remove copied-in directories')
    .option('--keep-all', 'Keep all versions, whatever the server rules say')
    .option('--undo', 'Remove the rules: the server rules apply again')
    .option('--dry-run', 'Show what would be removed, without changing anything')
    .example(
      '  $ lectern retention widgets --keep-per-minor 3 --keep-pre-releases 5 --dry-run\n  $ lectern retention widgets',
    )
    .action(running(({ retention }) => retention));
  command(
    'removed [project]',
    'List deleted and replaced versions, and expired previews, that can be restored',
  )
    .option('--json', 'Print the response as JSON')
    .example('  $ lectern removed widgets')
    .action(running(({ listRemoved }) => listRemoved));
  command('restore <project> <version>', 'Restore a deleted or replaced version, or an expired preview')
    .option('--replace', 'Replace the existing version, to undo a replacement')
    .option('--revision <revision>', 'Revision to restore; default: the last removed')
    .example(
      '  $ lectern restore widgets 1.0\n  $ lectern restore widgets 1.0 --replace\n  $ lectern restore widgets "~pr-123"',
    )
    .action(running(({ restore }) => restore));
  command('agents-md [...projects]', 'Print a section of AGENTS.md, for coding agents')
    .usage('agents-md [<project>[@<version>] …] [--group <name>] [--tag <name>]')
    .option('--group <name>', 'Projects in a group')
    .option('--tag <name>', 'Projects with a tag')
    .example('  $ lectern agents-md flask@^2.2 postgres@15 >> AGENTS.md')
    .action(running(({ agentsMd }) => agentsMd));
  command('status', 'Show the server, and the rights of the token')
    .example('  $ lectern status --url https://docs.example.org')
    .action(running(({ status }) => status));
}

/** Adds the options of every command that talks to a server. */
export function withServerOptions(command: Command): Command {
  return command
    .option('--url <address>', 'Server address; or LECTERN_URL')
    .option(
      '--token <secret>',
      'Token; LECTERN_TOKEN is safer, since other users can see command-line arguments',
    )
    .option(
      '--header <header>',
      "Header to send with every request, as 'Name: value'; repeatable, or LECTERN_HEADERS",
    );
}
