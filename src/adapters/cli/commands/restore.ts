import { quote, sizeOf, visible } from '../../../domain/index.js';
import { ClientError } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import { textFlag } from '../options/option-reader.js';
import { printTable, seconds } from '../terminal.js';
import { type Call, writeJson } from './client-call.js';

/** Lists what can be restored: of all projects of the token, or of one. */
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
  if (rows.length === 0) terminal.notes.write('Nothing can be restored\n');
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
      `Add --replace to put the removed ${quote(version)} in its place; it can be undone\n`,
    );
    return EXIT.exists;
  }
}
