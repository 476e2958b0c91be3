import { createInterface } from 'node:readline/promises';
import type { CAC, Command } from 'cac';
import { type ReadSettings, readClientSettings, textFlag } from './client-settings.js';
import type { ClientTools, DocsClient, ListedProject } from './docs-client.js';
import { EXIT } from './exit-codes.js';
import { push } from './push.js';
import { StartError } from './start-error.js';
import { bytes, Progress, type Terminal, terminalOf, visible } from './terminal.js';

type Flags = Readonly<Record<string, unknown>>;

interface Call {
  readonly tools: ClientTools;
  readonly client: DocsClient;
  readonly settings: ReadSettings;
  readonly flags: Flags;
  readonly terminal: Terminal;
}

/** Adds the commands that talk to a server. Each exits with a code of `EXIT`. */
export function addClientCommands(
  cli: CAC,
  env: NodeJS.ProcessEnv,
  load: () => Promise<ClientTools>,
  exitWith: (code: number) => void,
): void {
  const run = async (flags: Flags, work: (call: Call) => Promise<number>) => {
    const terminal = terminalOf(env);
    const warn = (sentence: string) => terminal.notes.write(`lectern: ${visible(sentence)}\n`);
    const settings = await readClientSettings(flags, env, warn);
    const tools = await load();
    const client = tools.connect({ ...settings, report: warn });
    exitWith(await work({ tools, client, settings, flags, terminal }));
  };
  const command = (name: string, description: string): Command =>
    cli
      .command(name, description)
      .option('--url <address>', 'Address of the server; or LECTERN_URL')
      .option('--token <secret>', 'Better in LECTERN_TOKEN: the arguments of a program are no secret');

  command('push <path>', 'Publish a directory or an archive on a server')
    // cac leaves every `--version` option out of the help.
    .usage('push <path> [--project <name>] [--version <label>]')
    .option(
      '--project <name>',
      'Project, and --version its version; else guessed from the archive or the files around',
    )
    .option('--version <label>', 'Version')
    .option('--skip-existing', 'Leave a version that is there as it is, and call that success')
    .option('--dry-run', 'Ask the server everything short of publishing')
    .action((path: string, flags: Flags) =>
      run(flags, ({ tools, client, terminal }) => {
        const request = {
          path,
          project: textFlag(flags, 'project'),
          version: textFlag(flags, 'version'),
          dryRun: flags.dryRun === true,
          skipExisting: flags.skipExisting === true,
          directory: process.cwd(),
        };
        return push(request, client, tools, terminal);
      }),
    );
  command('projects', 'List the projects of a server')
    .option('--search <term>', 'Only those whose name has this in it')
    .option('--json', 'As the server says it')
    .action((flags: Flags) => run(flags, listProjects));
  command('download <project> <version>', 'Download the archive of a version, or of the latest')
    .option('-o, --output <file>', "File to write; else one of the archive's own name")
    .action((project: string, version: string, flags: Flags) =>
      run(flags, (call) => download(project, version, call)),
    );
  command('delete <project> <version>', 'Delete a version on a server')
    .option('--yes', 'Do not ask first')
    .action((project: string, version: string, flags: Flags) =>
      run(flags, (call) => remove(project, version, call)),
    );
  command('status', 'Show what a server is, and whether it knows the token').action((flags: Flags) =>
    run(flags, status),
  );
}

async function listProjects({ client, flags, terminal }: Call): Promise<number> {
  const list = await client.projects(textFlag(flags, 'search'));
  if (flags.json === true) {
    terminal.out.write(`${JSON.stringify(list, null, 2)}\n`);
    return EXIT.done;
  }
  const rows = list.projects.map(rowOf);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  for (const [name, rest] of rows) terminal.out.write(`${name.padEnd(width)}  ${rest}\n`);
  return EXIT.done;
}

function rowOf(project: ListedProject): readonly [string, string] {
  const { directory_name, latest_version_dir, versions, name, description } = project;
  const latest = versions.find((version) => version.directory_name === latest_version_dir)?.version ?? '';
  const count = versions.length === 1 ? '1 version' : `${versions.length} versions`;
  const about = [name === directory_name ? '' : name, description].filter((text) => text !== '').join(': ');
  return [visible(directory_name), visible([`${latest} (${count})`, about].join('  ').trimEnd())];
}

async function download(
  project: string,
  version: string,
  { client, flags, terminal }: Call,
): Promise<number> {
  const target = textFlag(flags, 'output');
  const progress = new Progress(terminal, `receiving ${project} ${version}`);
  const { file, bytes: size } = await client
    .download(project, version, {
      ...(target === undefined ? {} : { target }),
      onReceived: (done, total) => progress.show(done, total ?? done),
    })
    .finally(() => progress.end());
  terminal.notes.write(`wrote ${bytes(size)}\n`);
  terminal.out.write(`${visible(file)}\n`);
  return EXIT.done;
}

async function remove(project: string, version: string, { client, flags, terminal }: Call): Promise<number> {
  if (flags.yes !== true && !(await mayDelete(`${project} ${version}`, client.url, terminal))) {
    terminal.notes.write('Nothing was deleted\n');
    return EXIT.refused;
  }
  const { message } = await client.delete(project, version);
  terminal.notes.write(`${visible(message)}\n`);
  return EXIT.done;
}

async function mayDelete(what: string, url: string, terminal: Terminal): Promise<boolean> {
  if (process.stdin.isTTY !== true || terminal.notes.isTTY !== true) {
    throw new StartError('nobody can be asked whether to delete this; say --yes');
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D mean no; without the abort `question` would wait forever.
  const aborted = new AbortController();
  lines.once('SIGINT', () => aborted.abort()).once('close', () => aborted.abort());
  try {
    const question = `Delete ${visible(what)} from ${visible(url)}? [y/N] `;
    const answer = await lines.question(question, { signal: aborted.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    if (aborted.signal.aborted) return false;
    throw error;
  } finally {
    lines.close();
  }
}

async function status({ client, settings, terminal }: Call): Promise<number> {
  const { product, version } = await client.version();
  const { projects } = await client.projects();
  const versions = projects.reduce((sum, project) => sum + project.versions.length, 0);
  const known = await client.knowsToken();
  const token = {
    true: `known to the server (from ${settings.tokenSource})`,
    false: `not known to the server (from ${settings.tokenSource})`,
    undefined: settings.token === undefined ? 'none is set' : `from ${settings.tokenSource}; not tried`,
  }[`${known}`];
  const rows = [
    ['server', client.url],
    ['runs', `${product} ${version}`],
    ['holds', `${projects.length} projects, ${versions} versions`],
    ['token', token],
  ] as const;
  for (const [name, value] of rows) terminal.out.write(`${name.padEnd(8)}${visible(value)}\n`);
  return known === false ? EXIT.notAllowed : EXIT.done;
}
