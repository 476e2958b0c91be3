import { type VersionId, visible } from '../../../domain/index.js';
import { ClientError } from '../client/index.js';
import type { Call } from './client-call.js';

/** Prints what changed since the version before. Never throws: the version is published, whatever comes of this. */
export async function tellChanges(id: VersionId, { client, terminal }: Call): Promise<void> {
  try {
    const before = await client.versionBefore(id);
    if (before === undefined) return;
    const counts = await client.changes(id, before).catch((error: unknown) => {
      // Other servers have no comparisons; this one may need longer than the client waits.
      if (error instanceof ClientError && error.problem === 'unreachable') return undefined;
      throw error;
    });
    const pages = counts === undefined ? 'pages are still being compared' : sentenceOf(counts);
    const sentence = `since ${before}: ${pages}; see ${client.changesUrl(id, before)}`;
    terminal.notes.write(`${visible(sentence)}\n`);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
  }
}

function sentenceOf({
  changed_count: changed,
  added_count: added,
  removed_count: removed,
}: {
  readonly changed_count: number;
  readonly added_count: number;
  readonly removed_count: number;
}): string {
  return `${changed} ${changed === 1 ? 'page' : 'pages'} changed, ${added} added, ${removed} removed`;
}
