import { quote, visible } from '../../../domain/index.js';
import { ClientError } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import { textFlag } from '../options/client-settings.js';
import { bytes } from '../terminal.js';
import type { Call } from './client-call.js';

/** Lists what can be restored: of all projects of the token, or of one. */
export async function listRemoved(
  project: string | undefined,
  { client, flags, terminal }: Call,
): Promise<number> {
  const list = await client.removed();
  const removed = list.removed.filter((each) => project === undefined || each.project === project);
  if (flags.json === true) {
    terminal.out.write(`${JSON.stringify({ ...list, removed, count: removed.length }, null, 2)}\n`);
    return EXIT.done;
  }
  const rows = removed.map((each) => [
    each.project,
    each.version,
    each.archive_bytes === undefined ? 'a directory' : bytes(each.archive_bytes),
    `${each.reason} ${seconds(each.removed_at)}`,
    `until ${seconds(each.expires_at)}`,
    each.revision,
  ]);
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)),
    [],
  );
  for (const row of rows) {
    const line = row.map((cell, at) => visible(cell).padEnd(widths[at] ?? 0)).join('  ');
    terminal.out.write(`${line.trimEnd()}\n`);
  }
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

function seconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}
