import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { quote, visible } from '../../../domain/index.js';
import { ClientError, type LecternClient, type ProjectList, type TokenInfo } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import { textFlag } from '../options/client-settings.js';
import { StartError, startError } from '../start-error.js';
import { bytes, Progress } from '../terminal.js';
import type { Call } from './client-call.js';
import { canAsk, confirm } from './confirm.js';
import { didYouMean, namesOf, projectNamed, suggesting } from './suggestions.js';

export { callOf } from './client-call.js';
export { push } from './push.js';

export async function listProjects(call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  const term = textFlag(flags, 'search');
  const list = await client.projects(term);
  if (flags.json === true) return writeJson(list, call);
  const rows = list.projects.map(rowOf);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  for (const [name, rest] of rows) terminal.out.write(`${name.padEnd(width)}  ${rest}\n`);
  if (rows.length === 0) terminal.notes.write(`${await whyNothing(term, call)}\n`);
  return EXIT.done;
}

async function whyNothing(term: string | undefined, { client }: Call): Promise<string> {
  if (term === undefined) return 'There are no projects yet';
  const { projects } = await client.projects();
  return visible(`No project has ${quote(term)} in its name${didYouMean(term, namesOf(projects))}`);
}

function writeJson(value: unknown, { terminal }: Call): number {
  terminal.out.write(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.done;
}

/** Lists the versions of one project, newest first. */
export async function listVersions(name: string, call: Call): Promise<number> {
  if (call.flags.search !== undefined)
    throw new StartError('give the name of a project or --search, not both');
  const project = await projectNamed(call.client, name);
  if (call.flags.json === true) return writeJson(project, call);
  const { versions, latest_version_dir } = project;
  const width = Math.max(...versions.map(({ version }) => visible(version).length));
  for (const { version, directory_name, published_at = '', stable } of versions.toReversed()) {
    const time = published_at.replace(/\.\d+Z$/, 'Z');
    const mark = directory_name === latest_version_dir ? 'latest' : stable === false ? 'pre-release' : '';
    const row = `${visible(version).padEnd(width)}  ${visible(time)}  ${mark}`;
    call.terminal.out.write(`${row.trimEnd()}\n`);
  }
  return EXIT.done;
}

function rowOf(project: ProjectList['projects'][number]): readonly [string, string] {
  const { directory_name, latest_version_dir, versions, name, description } = project;
  const latest = versions.find((version) => version.directory_name === latest_version_dir)?.version ?? '';
  const count = versions.length === 1 ? '1 version' : `${versions.length} versions`;
  const about = [name === directory_name ? '' : name, description].filter((text) => text !== '').join(': ');
  return [visible(directory_name), visible([`${latest} (${count})`, about].join('  ').trimEnd())];
}

/** Writes the archive to a file whose name it prints, or with `-o -` to stdout. */
export async function download(project: string, version: string, call: Call): Promise<number> {
  const { flags, terminal } = call;
  const target = textFlag(flags, 'output');
  if (target === '-') return downloadToStdout(project, version, call);
  const file = await receive(project, version, target, call);
  terminal.out.write(`${visible(file)}\n`);
  return EXIT.done;
}

/** Downloads to a temporary file first: stdout gets an archive that is complete and checked, or nothing. */
async function downloadToStdout(project: string, version: string, call: Call): Promise<number> {
  if (process.stdout.isTTY)
    throw new StartError('-o -: this is a terminal; write the archive to a file or a pipe');
  const directory = await mkdtemp(join(tmpdir(), 'lectern-'));
  try {
    const file = await receive(project, version, join(directory, 'archive.zip'), call);
    await pipeline(createReadStream(file), process.stdout, { end: false }).catch((error: unknown) => {
      throw startError('-o -', error);
    });
    return EXIT.done;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function receive(
  project: string,
  version: string,
  target: string | undefined,
  { client, terminal }: Call,
): Promise<string> {
  const progress = new Progress(terminal, `receiving ${project} ${version}`);
  const onReceived = (done: number, total: number | undefined) => progress.show(done, total ?? done);
  const { file, bytes: size } = await suggesting(client, project, version, () =>
    client.download(project, version, { target, onReceived }),
  ).finally(() => progress.end());
  terminal.notes.write(`wrote ${bytes(size)}\n`);
  return file;
}

export async function remove(
  project: string,
  version: string,
  { client, flags, terminal }: Call,
): Promise<number> {
  client.assertToken();
  if (version.toLowerCase() === 'latest') await refuseLatest(project, client);
  if (flags.yes !== true) {
    if (!canAsk(terminal)) throw new StartError('Not a terminal: add --yes to delete without confirmation');
    if (!(await confirm(`Delete ${project} ${version} from ${client.url}?`))) {
      terminal.notes.write('Nothing was deleted\n');
      return EXIT.refused;
    }
  }
  const { message } = await suggesting(client, project, version, () => client.delete(project, version));
  terminal.notes.write(`${visible(message)}\n`);
  return EXIT.done;
}

async function refuseLatest(name: string, client: LecternClient): Promise<never> {
  const { versions, latest_version_dir } = await projectNamed(client, name);
  const latest = versions.find(({ directory_name }) => directory_name === latest_version_dir)?.version ?? '';
  throw new ClientError(
    'refused',
    `'latest' is an alias and cannot be deleted; name the version, which is ${quote(latest)} now`,
    { status: 404, code: 'version_not_found' },
  );
}

export async function status({ client, settings, terminal }: Call): Promise<number> {
  const { product, version } = await client.version();
  const { projects } = await client.projects();
  const versions = projects.reduce((sum, project) => sum + project.versions.length, 0);
  const token = settings.token === undefined ? undefined : await client.token();
  const from = `from ${settings.tokenSource}`;
  const rows: (readonly [string, string])[] = [
    ['server', client.url],
    ['version', `${product} ${version}`],
    ['projects', `${projects.length}, with ${versions} versions`],
  ];
  if (settings.token === undefined) rows.push(['token', 'none is set']);
  else if (token === undefined) rows.push(['token', `${from}; this server does not say what it may do`]);
  else if (token === 'unknown') rows.push(['token', `not known to the server (${from})`]);
  else rows.push(['token', `${token.name} (${from})`], ['may', rightsOf(token)]);
  for (const [name, value] of rows) terminal.out.write(`${name.padEnd(10)}${visible(value)}\n`);
  return token === 'unknown' ? EXIT.notAllowed : EXIT.done;
}

function rightsOf({ projects, allow_overwrite, allow_delete, existing_projects_only }: TokenInfo): string {
  const rights = ['publish', ...(allow_overwrite ? ['replace'] : []), ...(allow_delete ? ['delete'] : [])];
  const which = projects === undefined ? 'every project' : projects.join(', ') || 'no project';
  const existing = existing_projects_only ? ', if the project exists' : '';
  return `${rights.join(', ')} versions of ${which}${existing}`;
}
