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
  'this file is only the client; --access-log takes the whole program, on the machine with the docs directory';

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
      'Project, and --version its version; default: from the name of the archive, the CI job, manifests and git',
    )
    .option('--version <label>', 'Version')
    .option('--preview <name>', 'Publish a preview instead of a version; each push replaces it')
    .option('--expires <time>', 'Time until the preview is removed: 12h, 14d; else the server decides')
    .option(
      '--replace',
      'Replace an existing version; without it, push asks on a terminal and refuses elsewhere',
    )
    .option('--skip-existing', 'Leave an existing version as it is, with exit code 0')
    .option('--strict', 'Refuse a site with warnings before anything is published, with exit code 7')
    .option('--verbose', 'Name all symbolic links that are skipped, not only the first')
    .option('--dry-run', 'Check everything without publishing')
    .option('--comment <file>', 'Write the address and what changed into a file, as Markdown for a comment')
    .example(
      '  $ lectern push build/html --project widgets --version 1.10\n  $ lectern push build/html --preview pr-123 --expires 14d',
    )
    .action(running(({ push }) => push));
  command('projects [name]', 'List the projects of a server, or the versions of one')
    .option('--search <term>', 'List only projects with this in their name')
    .option('--json', 'Print the response of the server as JSON')
    .example('  $ lectern projects --search widg\n  $ lectern projects widgets')
    .action(running(({ listProjects }) => listProjects));
  command('search [...words]', 'Search the pages of a server')
    .usage(
      'search <words> [--project <name>] [--version <label>] [--group <name>] [--tag <name>] [--owner <name>]',
    )
    .option(
      '--project <name>',
      'Search in one project, and --version in one of its versions; default: the latest of all',
    )
    .option('--version <label>', "Version, '~<name>' for a preview, or all")
    .option('--group <name>', 'Search in the projects of a group')
    .option('--tag <name>', 'Search in the projects with a tag')
    .option('--owner <name>', 'Search in the projects of an owner')
    .option('--limit <number>', 'Results to print, at most 50; default: 20')
    .option('--json', 'Print the response of the server as JSON')
    .example('  $ lectern search install plugin\n  $ lectern search \'"exact phrase"\' --project widgets')
    .action(running(({ search }) => search));
  command('previews <project>', 'List the previews of a project')
    .option('--json', 'Print the response of the server as JSON')
    .example('  $ lectern previews widgets')
    .action(running(({ listPreviews }) => listPreviews));
  command('usage [project]', 'Show how a project is read, or count the access log of a web server')
    .usage('usage <project> [--days <number>]\n  $ lectern usage --access-log <file> -d <docs>')
    .option('--days <number>', 'Days to count back; default: 30')
    .option('--json', 'Print the response of the server as JSON')
    .option('--csv', 'Print a row for each day, version and path')
    .option(
      '--access-log <file>',
      'Count what a web server in front has sent itself, from its access log, plain or gzip, or - for stdin; repeatable',
    )
    .option(SERVE_OPTIONS.docs.flag, SERVE_OPTIONS.docs.description)
    .option(usageOptions.table['usage-dir'].flag, 'Directory for the counts; else one in the docs directory')
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
  command('download <project> [version]', 'Download the archive of a version, or of the latest')
    .option('-o, --output <file>', "File to write, or - for stdout; default: the archive's own name")
    .example('  $ lectern download widgets\n  $ lectern download widgets 1.0 -o - | bsdtar -x')
    .action((project: string, version: string | undefined, flags: Flags) =>
      run(flags, ({ download }, call) =>
        download(project, version ?? 'latest', call, local.temporaryDirectory),
      ),
    );
  command('delete <project> [version]', 'Delete a version, or a preview, on a server')
    .option('--purge', 'Delete for good: nothing is kept, and it cannot be undone')
    .option('--yes', 'Delete without confirmation')
    .example(
      '  $ lectern delete widgets 1.0\n  $ lectern delete widgets 1.0 --purge\n  $ lectern delete widgets~pr-123',
    )
    .action(running(({ remove }) => remove));
  command('alias <project> <alias> [target]', 'Give a version another name, such as stable')
    .option('--undo', 'Remove the alias')
    .example('  $ lectern alias widgets stable 1.10\n  $ lectern alias widgets lts 1.x')
    .action(running(({ alias }) => alias));
  command('pin <project> [target]', 'Pin the latest version')
    .option('--undo', 'Unpin it: the order of versions decides again')
    .example('  $ lectern pin widgets 1.x')
    .action((project: string, target: string | undefined, flags: Flags) =>
      run(flags, ({ alias }, call) => alias(project, 'latest', target, call)),
    );
  command('hide <project> <version>', 'Hide a version: it can be read, but is listed nowhere')
    .option('--undo', 'Show it again')
    .example('  $ lectern hide widgets 1.1')
    .action(running(({ hide }) => hide));
  command(
    'deprecate <project> <version> [sentence]',
    'Tell readers that a version should not be used any more',
  )
    .option('--undo', 'Remove the sentence')
    .example("  $ lectern deprecate widgets 1.0 'Loses data; use 1.1'")
    .action(running(({ deprecate }) => deprecate));
  command(
    'describe <project>',
    'Show or set title, group, tags and owner of a project, in place of its docinfo',
  )
    .option('--title <text>', 'Name on pages')
    .option('--description <text>', 'What it is, in a sentence')
    .option('--group <text>', 'Heading in the index')
    .option('--tag <text>', 'Word to filter by (repeat for several; all are replaced)')
    .option('--owner <text>', 'Person or team responsible for it')
    .option('--repository <address>', 'Where the source is')
    .option('--contact <address>', 'Where to ask')
    .option('--undo', 'Remove all of it: pages show the docinfo again')
    .example(
      "  $ lectern describe flask --title Flask --group Web --tag python --tag http\n  $ lectern describe flask --group ''",
    )
    .action(running(({ describe }) => describe));
  command('retention <project>', 'Show or set the rules by which versions of a project are removed')
    .option('--keep-per-minor <number>', 'Keep the newest releases of each minor (1.2.x)')
    .option('--keep-pre-releases <number>', 'Keep the pre-releases that were published last')
    .option('--pre-release-days <days>', 'Keep pre-releases for days after their final version')
    .option('--max-age-days <days>', 'Keep versions for days after their publication')
    .option('--copied-in', 'Remove copied-in directories as well')
    .option('--keep-all', 'Keep all versions, whatever the rules of the server are')
    .option('--undo', 'Remove the rules: those of the server apply')
    .option('--dry-run', 'Say what would be removed, and change nothing')
    .example(
      '  $ lectern retention widgets --keep-per-minor 3 --keep-pre-releases 5 --dry-run\n  $ lectern retention widgets',
    )
    .action(running(({ retention }) => retention));
  command(
    'removed [project]',
    'List deleted and replaced versions, and expired previews, that can be restored',
  )
    .option('--json', 'Print the response of the server as JSON')
    .example('  $ lectern removed widgets')
    .action(running(({ listRemoved }) => listRemoved));
  command('restore <project> <version>', 'Restore a deleted or replaced version, or an expired preview')
    .option('--replace', 'Replace the version that is there now, to undo a replacement')
    .option('--revision <revision>', 'Which of several; default: the one that was removed last')
    .example(
      '  $ lectern restore widgets 1.0\n  $ lectern restore widgets 1.0 --replace\n  $ lectern restore widgets "~pr-123"',
    )
    .action(running(({ restore }) => restore));
  command('agents-md [...projects]', 'Print a section for AGENTS.md, for coding agents')
    .usage('agents-md [<project>[@<version>] …] [--group <name>] [--tag <name>]')
    .option('--group <name>', 'The projects of a group')
    .option('--tag <name>', 'The projects with a tag')
    .example('  $ lectern agents-md flask@^2.2 postgres@15 >> AGENTS.md')
    .action(running(({ agentsMd }) => agentsMd));
  command('status', 'Show what a server is, and what the token may do')
    .example('  $ lectern status --url https://docs.example.org')
    .action(running(({ status }) => status));
}

/** Adds the options of every command that talks to a server. */
export function withServerOptions(command: Command): Command {
  return command
    .option('--url <address>', 'Address of the server; or LECTERN_URL')
    .option(
      '--token <secret>',
      'Token; LECTERN_TOKEN is safer, since other users see the arguments of a program',
    )
    .option('--header <header>', "Sent with every request, as 'Name: value'; repeatable, or LECTERN_HEADERS");
}
