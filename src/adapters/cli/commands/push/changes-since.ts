import { counted, type VersionId } from '../../../../domain/index.js';
import { ClientError, type LecternClient } from '../../client/index.js';

/** The comparison of what was published with a version before it. */
export interface ChangesSince {
  /** Label of the version before. */
  readonly before: string;
  /** Numbers of pages in words; while the server still compares, that. */
  readonly counts: string;
  /** Address of the comparison. */
  readonly url: string;
}

/**
 * Returns what changed since the version before; undefined when there is none, or the server does not compare. Never
 * throws because of the server: the version is published, whatever comes of this.
 */
export async function changesSince(id: VersionId, client: LecternClient): Promise<ChangesSince | undefined> {
  try {
    const before = await client.versionBefore(id);
    if (before === undefined) return undefined;
    const compared = await client.changes(id, before).catch((error: unknown) => {
      // Other servers have no comparisons; this one may need longer than the client waits.
      if (error instanceof ClientError && error.problem === 'unreachable') return undefined;
      throw error;
    });
    const counts = compared === undefined ? 'pages are still being compared' : countsOf(compared);
    return { before, counts, url: client.changesUrl(id, before) };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return undefined;
  }
}

function countsOf({
  changed_count: changed,
  added_count: added,
  removed_count: removed,
}: Awaited<ReturnType<LecternClient['changes']>>): string {
  return `${counted(changed, 'page')} changed, ${added} added, ${removed} removed`;
}

/** One line for people. */
export function sentenceOf({ before, counts, url }: ChangesSince): string {
  return `since ${before}: ${counts}; see ${url}`;
}
