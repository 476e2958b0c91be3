import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertDocument, type ProjectDocuments } from '../../application/index.js';
import { NOTHING_THERE, refusing, syncDirectory, unless, writeNewFile } from './disk.js';
import { recreateDirectories } from './docs-directory.js';
import { writeAndMove } from './move-into.js';
import type { Tools } from './tools.js';

/** Documents of projects, each a file: `projects/<project>/<name>`. */
export class FileDocuments implements ProjectDocuments {
  constructor(private readonly tools: Tools) {}

  async read(project: string, name: string): Promise<string | undefined> {
    assertDocument(project, name);
    const file = join(this.tools.layout.projects, project, name);
    return refusing(() => unless(NOTHING_THERE, readFile(file, 'utf8')));
  }

  async write(project: string, name: string, text: string | undefined): Promise<void> {
    assertDocument(project, name, text);
    const home = join(this.tools.layout.projects, project);
    const file = join(home, name);
    await refusing(async () => {
      await recreateDirectories(this.tools);
      await (text === undefined ? this.remove(home, file) : this.replace(home, file, text));
    });
  }

  private async replace(home: string, file: string, text: string): Promise<void> {
    const { disk, layout } = this.tools;
    const isNew = await writeAndMove(this.tools, file, (coming) => writeNewFile(disk, coming, text));
    if (isNew) await syncDirectory(disk, layout.projects);
    // ENOENT: another process has removed the directory.
    await unless(['ENOENT'], syncDirectory(disk, home));
  }

  private async remove(home: string, file: string): Promise<void> {
    const { disk } = this.tools;
    const removed = disk.unlink(file).then(() => true);
    if ((await unless(NOTHING_THERE, removed)) === undefined) return;
    await unless(['ENOENT'], syncDirectory(disk, home));
    await disk.rmdir(home).catch(() => {});
  }
}
