import { visible } from '../../domain/index.js';
import type { ProjectList } from './client/index.js';
import type { Call } from './client-call.js';
import { textFlag } from './client-settings.js';
import { canAsk, confirm } from './confirm.js';
import { EXIT } from './exit-codes.js';
import { StartError } from './start-error.js';
import { bytes, Progress } from './terminal.js';

export { callOf } from './client-call.js';
export { push } from './push.js';

export async function listProjects({ client, flags, terminal }: Call): Promise<number> {
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

function rowOf(project: ProjectList['projects'][number]): readonly [string, string] {
  const { directory_name, latest_version_dir, versions, name, description } = project;
  const latest = versions.find((version) => version.directory_name === latest_version_dir)?.version ?? '';
  const count = versions.length === 1 ? '1 version' : `${versions.length} versions`;
  const about = [name === directory_name ? '' : name, description].filter((text) => text !== '').join(': ');
  return [visible(directory_name), visible([`${latest} (${count})`, about].join('  ').trimEnd())];
}

export async function download(
  project: string,
  version: string,
  { client, flags, terminal }: Call,
): Promise<number> {
  const target = textFlag(flags, 'output');
  const progress = new Progress(terminal, `receiving ${project} ${version}`);
  const { file, bytes: size } = await client
    .download(project, version, {
      target,
      onReceived: (done, total) => progress.show(done, total ?? done),
    })
    .finally(() => progress.end());
  terminal.notes.write(`wrote ${bytes(size)}\n`);
  terminal.out.write(`${visible(file)}\n`);
  return EXIT.done;
}

export async function remove(
  project: string,
  version: string,
  { client, flags, terminal }: Call,
): Promise<number> {
  if (flags.yes !== true) {
    if (!canAsk(terminal)) throw new StartError('Not a terminal: add --yes to delete without confirmation');
    if (!(await confirm(`Delete ${project} ${version} from ${client.url}?`))) {
      terminal.notes.write('Nothing was deleted\n');
      return EXIT.refused;
    }
  }
  const { message } = await client.delete(project, version);
  terminal.notes.write(`${visible(message)}\n`);
  return EXIT.done;
}

export async function status({ client, settings, terminal }: Call): Promise<number> {
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
