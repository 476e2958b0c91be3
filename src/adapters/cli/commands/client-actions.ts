import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  counted,
  coversProject,
  expiresSoon,
  quote,
  sizeOf,
  titleFor,
  visible,
  whyShadowed,
} from '../../../domain/index.js';
import type { Answer, Project } from '../client/index.js';
import { textFlag } from '../options/option-reader.js';
import { EXIT, StartError, startError } from '../start-error.js';
import { isClosedPipe, Progress, printTable, seconds } from '../terminal.js';
import { type Call, didYouMean, namesOf, projectNamed, suggesting, writeJson } from './client-call.js';
import { rightsOf } from './token-actions.js';

export { agentsMd } from '../agents/agents-md.js';
export { retention } from '../retention/set-retention.js';
export { showUsage } from '../usage/show-usage.js';
export { checkLinks } from './check-links.js';
export { callOf } from './client-call.js';
export { alias, deprecate, describe, hide } from './project-settings.js';
export { push } from './push/push.js';
export { listRemoved, remove, restore } from './removals.js';
export { search } from './search.js';

/** Lists all projects, or the versions of one. */
export async function listProjects(name: string | undefined, call: Call): Promise<number> {
  if (name !== undefined) return listVersions(name, call);
  const { client, flags, terminal } = call;
  const term = textFlag(flags, 'search');
  const list = await client.projects(term);
  if (flags.json === true) return writeJson(list, call);
  const rows = list.projects.map(rowOf);
  printTable(terminal.out, rows);
  if (rows.length === 0) terminal.notes.write(`${await whyNothing(term, call)}\n`);
  return EXIT.done;
}

async function whyNothing(term: string | undefined, { client }: Call): Promise<string> {
  if (term === undefined) return 'No projects yet';
  const { projects } = await client.projects();
  return visible(`No project has ${quote(term)} in its name${didYouMean(term, namesOf(projects))}`);
}

/** Lists the versions of one project, newest first. */
async function listVersions(name: string, call: Call): Promise<number> {
  if (call.flags.search !== undefined) throw new StartError('give a project or --search, not both');
  const project = await projectNamed(call.client, name);
  if (call.flags.json === true) return writeJson(project, call);
  const { versions, latest_version_dir } = project;
  const rows = versions.toReversed().map((each) => {
    const marks = marksOf(each, each.directory_name === latest_version_dir);
    return [each.version, seconds(each.published_at ?? ''), marks.join(', ')];
  });
  printTable(call.terminal.out, rows);
  return EXIT.done;
}

function marksOf(version: Project['versions'][number], isLatest: boolean): readonly string[] {
  const { stable, aliases = [], hidden, deprecated } = version;
  return [
    ...(isLatest ? ['latest'] : stable === false ? ['pre-release'] : []),
    ...aliases.filter((alias) => alias !== 'latest'),
    ...(hidden === true ? ['hidden'] : []),
    ...(deprecated === undefined ? [] : [`deprecated: ${deprecated}`]),
  ];
}

/** Lists the previews of one project, newest first: name, time of the last push, end. */
export async function listPreviews(project: string, call: Call): Promise<number> {
  const list = await call.client.previews(project);
  if (call.flags.json === true) return writeJson(list, call);
  const rows = list.previews.map(({ name, published_at, expires_at }) => {
    const end = expires_at === undefined ? 'kept' : `until ${seconds(expires_at)}`;
    return [name, seconds(published_at), end];
  });
  printTable(call.terminal.out, rows);
  if (list.previews.length === 0) call.terminal.notes.write(`${visible(`${project} has no previews`)}\n`);
  return EXIT.done;
}

function rowOf(project: Answer<'ProjectList'>['projects'][number]): readonly [string, string] {
  const { directory_name, latest_version_dir, versions, name, title = name, description } = project;
  const latest = versions.find((version) => version.directory_name === latest_version_dir)?.version ?? '';
  const isTold = title !== titleFor(directory_name, undefined) && title !== directory_name;
  const about = [isTold ? title : '', description].filter((text) => text !== '').join(': ');
  return [directory_name, `${latest} (${counted(versions.length, 'version')})  ${about}`];
}

/** Writes the archive to a file whose name it prints, or with `-o -` to stdout. */
export async function download(
  project: string,
  version: string,
  call: Call,
  makeDirectory: () => Promise<string>,
): Promise<number> {
  const { flags, terminal } = call;
  const target = textFlag(flags, 'output');
  if (target === '-') return downloadToStdout(project, version, call, makeDirectory);
  const file = await receive(project, version, target, call);
  terminal.out.write(`${visible(file)}\n`);
  return EXIT.done;
}

/** Downloads to a temporary file first: stdout gets an archive that is complete and checked, or nothing. */
async function downloadToStdout(
  project: string,
  version: string,
  call: Call,
  makeDirectory: () => Promise<string>,
): Promise<number> {
  if (process.stdout.isTTY)
    throw new StartError('-o -: this is a terminal; write the archive to a file or a pipe');
  const directory = await makeDirectory();
  try {
    const file = await receive(project, version, join(directory, 'archive.zip'), call);
    await pipeline(createReadStream(file), process.stdout, { end: false }).catch((error: unknown) => {
      if (!isClosedPipe(error)) throw startError('-o -', error);
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
  terminal.notes.write(`wrote ${sizeOf(size)}\n`);
  return file;
}

export async function status({ client, settings, terminal }: Call): Promise<number> {
  const { product, version } = await client.version();
  const { projects } = await client.projects();
  const versions = projects.reduce((sum, project) => sum + project.versions.length, 0);
  const isTokenless = settings.tokenSource === undefined;
  const token = isTokenless ? undefined : await client.token();
  const from = `from ${settings.tokenSource}`;
  const rows: (readonly [string, string])[] = [
    ['server', client.url],
    ['version', `${product} ${version}`],
    ['projects', `${projects.length}, with ${counted(versions, 'version')}`],
  ];
  if (isTokenless) rows.push(['token', 'not set']);
  else if (token === undefined) rows.push(['token', `${from}; this server does not report its rights`]);
  else if (token === 'unknown') rows.push(['token', `unknown to the server (${from})`]);
  else rows.push(['token', `${token.name} (${from})`], ['may', rightsOf(token)]);
  const expires = typeof token === 'object' ? token.expires : undefined;
  if (expires !== undefined) {
    const end = new Date(expires);
    rows.push([
      'expires',
      `${end.toISOString()}${expiresSoon(end, new Date()) ? ': expires soon, so request a new one' : ''}`,
    ]);
  }
  const own = typeof token === 'object' ? token.projects : undefined;
  for (const { directory_name, shadowed_aliases = [] } of projects) {
    if (!coversProject(own, directory_name)) continue;
    for (const alias of shadowed_aliases) rows.push(['aliases', whyShadowed(directory_name, alias)]);
  }
  for (const [name, value] of rows) terminal.out.write(`${name.padEnd(10)}${visible(value)}\n`);
  return token === 'unknown' ? EXIT.notAllowed : EXIT.done;
}
