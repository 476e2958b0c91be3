import { appendFile, writeFile } from 'node:fs/promises';
import { visible } from '../../../../domain/index.js';
import { naming } from '../../start-error.js';
import type { ChangesSince } from './changes-since.js';

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

/** A code span. No name has a backtick, unless a server makes one up. */
function code(text: string): string {
  return `\`${visible(text).replaceAll('`', "'")}\``;
}

/** The address with `<`, `>` and spaces percent-encoded, so that it ends where it should. */
function href(address: string): string {
  return new URL(address).href;
}
