import { appendFile, writeFile } from 'node:fs/promises';
import { counted, type VersionId, visible } from '../../../../domain/index.js';
import { ClientError, type LecternClient } from '../../client/index.js';
import { naming } from '../../start-error.js';

/** The comparison of what was published with a version before it. */
interface ChangesSince {
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

/** One line for people. */
export function sentenceOf({ before, counts, url }: ChangesSince): string {
  return `since ${before}: ${counts}; see ${url}`;
}

/** The file of `--comment`. Without a path, nothing is written. */
export class CommentFile {
  constructor(private readonly path: string | undefined) {}

  /** Creates the file if need be, so that nothing is published when it cannot be written. @throws StartError */
  async create(): Promise<void> {
    await this.put(appendFile, '');
  }

  /** Replaces what is in the file. @throws StartError */
  async write(name: string, address: string, changes?: ChangesSince): Promise<void> {
    await this.put(writeFile, commentOn(name, address, changes));
  }

  private async put(write: (path: string, text: string) => Promise<void>, text: string): Promise<void> {
    const { path } = this;
    if (path === undefined) return;
    await naming(path, write(path, text));
  }
}

/**
 * Returns Markdown for a comment on a pull request: the address of what was published, and what changed. Names stand in code
 * spans, where neither Markdown nor mentions such as `@everyone` work, and addresses in angle brackets.
 * @param name what was published, such as `widgets~pr-7`
 */
export function commentOn(name: string, address: string, changes?: ChangesSince): string {
  const published = `Documentation of ${code(name)}: <${href(address)}>\n`;
  if (changes === undefined) return published;
  const { before, counts, url } = changes;
  return `${published}\nSince ${code(before)}: ${counts}. [See what changed](<${href(url)}>)\n`;
}

function countsOf({
  changed_count: changed,
  added_count: added,
  removed_count: removed,
}: Awaited<ReturnType<LecternClient['changes']>>): string {
  return `${counted(changed, 'page')} changed, ${added} added, ${removed} removed`;
}

/** A code span. No name has a backtick, unless a server makes one up. */
function code(text: string): string {
  return `\`${visible(text).replaceAll('`', "'")}\``;
}

/** The address with `<`, `>` and spaces percent-encoded, so that it ends where it should. */
function href(address: string): string {
  return new URL(address).href;
}
