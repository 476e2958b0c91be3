import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArchiveLimits, Archives, UnpackRequest } from '../../src/application/index.js';

/** "Unpacks" the files that it was given, whatever the archive; or fails. */
export class FakeArchives implements Archives {
  beforeUnpacking: () => Promise<unknown> = async () => {};
  /** Number of archives that it was told to expect. */
  expected = 0;

  /** Of the last archive that it was given. */
  limits: ArchiveLimits | undefined;

  constructor(private readonly outcome: Readonly<Record<string, string>> | Error) {}

  expect(): void {
    this.expected += 1;
  }

  async unpack({ siteDirectory, limits }: UnpackRequest) {
    this.limits = limits;
    await this.beforeUnpacking();
    if (this.outcome instanceof Error) throw this.outcome;
    const files = Object.entries(this.outcome);
    for (const [path, text] of files) {
      await mkdir(dirname(join(siteDirectory, path)), { recursive: true });
      await writeFile(join(siteDirectory, path), text);
    }
    return { files: files.length, bytes: files.join().length, hasIndex: 'index.html' in this.outcome };
  }

  async verify(): Promise<readonly string[]> {
    return [];
  }

  async pack(_siteDirectory: string, archiveFile: string): Promise<void> {
    await writeFile(archiveFile, 'packed');
  }

  async close(): Promise<void> {}
}
