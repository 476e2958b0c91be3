import { isPreview, parseDirectoryName, quote, sizeOf, visible } from '../../../domain/index.js';
import { ClientError, type LecternClient } from '../client/index.js';
import { textFlag } from '../options/option-reader.js';
import { EXIT, StartError } from '../start-error.js';
import { canAsk, confirm, printTable, seconds } from '../terminal.js';
import { type Call, projectNamed, suggesting, writeJson } from './client-call.js';

/**
 * Runs `lectern delete`.
 * @param version undefined where `name` is that of a preview: `widgets~pr-123`
 */
export async function remove(name: string, version: string | undefined, call: Call): Promise<number> {
  const { client, flags } = call;
  client.assertToken();
  const id = parseDirectoryName(name);
  const preview = id !== undefined && isPreview(id) ? id : undefined;
  if (preview !== undefined && version === undefined) {
    return removeConfirmed(name, call, () => client.deletePreview(preview));
  }
  if (version === undefined) {
    throw new StartError(
      `${quote(name)} is not a preview, such as widgets~pr-123; to delete a version, add its label: lectern delete ${visible(name)} 1.0`,
    );
  }
  const purge = flags.purge === true;
  if (version.toLowerCase() === 'latest') await refuseLatest(name, client);
  return removeConfirmed(`${name} ${version}`, call, () =>
    suggesting(client, name, version, () => client.delete(name, version, { purge })),
  );
}

/** Lists versions that can be restored, of one project or of all projects of the token. */
export async function listRemoved(project: string | undefined, call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  const list = await client.removed();
  const removed = list.removed.filter((each) => project === undefined || each.project === project);
  if (flags.json === true) return writeJson({ ...list, removed, count: removed.length }, call);
  const rows = removed.map((each) => [
    each.project,
    each.version,
    each.archive_bytes === undefined ? 'a directory' : sizeOf(each.archive_bytes),
    `${each.reason} ${seconds(each.removed_at)}`,
    `until ${seconds(each.expires_at)}`,
    each.revision,
  ]);
  printTable(terminal.out, rows);
  if (rows.length === 0) terminal.notes.write('Nothing to restore\n');
  return EXIT.done;
}

export async function restore(
  project: string,
  version: string,
  { client, flags, terminal }: Call,
): Promise<number> {
  const replace = flags.replace === true;
  try {
    const restored = await client.restore(
      { project, label: version },
      { replace, revision: textFlag(flags, 'revision') },
    );
    terminal.notes.write(`${visible(restored.message)}\n`);
    terminal.out.write(`${visible(restored.url)}\n`);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'version_exists' || replace) throw error;
    terminal.notes.write(`lectern: ${visible(error.message)}\n`);
    terminal.notes.write(
      `Add --replace to put the removed ${quote(version)} in its place; this can be undone\n`,
    );
    return EXIT.exists;
  }
}

async function removeConfirmed(
  what: string,
  { client, flags, terminal }: Call,
  work: () => Promise<{ readonly message: string }>,
): Promise<number> {
  if (flags.yes !== true) {
    if (!canAsk(terminal)) throw new StartError('Not a terminal: add --yes to delete without confirmation');
    const forGood = flags.purge === true ? ' permanently? This cannot be undone.' : '?';
    if (!(await confirm(`Delete ${what} from ${client.url}${forGood}`))) {
      terminal.notes.write('Nothing was deleted\n');
      return EXIT.refused;
    }
  }
  const { message } = await work();
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
