import { isPreview, parseDirectoryName, quote, visible } from '../../../domain/index.js';
import { ClientError, type LecternClient } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import { StartError } from '../start-error.js';
import type { Call } from './client-call.js';
import { canAsk, confirm } from './confirm.js';
import { projectNamed, suggesting } from './suggestions.js';

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
      `${quote(name)} is no preview, such as widgets~pr-123; to delete a version, add its label: lectern delete ${visible(name)} 1.0`,
    );
  }
  const purge = flags.purge === true;
  if (version.toLowerCase() === 'latest') await refuseLatest(name, client);
  return removeConfirmed(`${name} ${version}`, call, () =>
    suggesting(client, name, version, () => client.delete(name, version, { purge })),
  );
}

async function removeConfirmed(
  what: string,
  { client, flags, terminal }: Call,
  work: () => Promise<{ readonly message: string }>,
): Promise<number> {
  if (flags.yes !== true) {
    if (!canAsk(terminal)) throw new StartError('Not a terminal: add --yes to delete without confirmation');
    const forGood = flags.purge === true ? ' for good? This cannot be undone.' : '?';
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
