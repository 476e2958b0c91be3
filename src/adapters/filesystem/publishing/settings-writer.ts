import { basename } from 'node:path';
import { type SettingsDecision, storableSettings } from '../../../application/index.js';
import { NO_SETTINGS, type ProjectSettings, refuse, settingsText } from '../../../domain/index.js';
import { syncDirectory } from '../../../node/directories.js';
import { unless } from '../../../node/system-errors.js';
import type { CatalogueWatcher } from '../catalogue/catalogue-watcher.js';
import type { DirectoryReader } from '../catalogue/directory-reader.js';
import type { ProjectFiles, SettingsFiles } from '../catalogue/settings-files.js';
import { NOTHING_THERE, withRollback, writeAndMove, writeNewFile } from '../disk.js';
import { recreateDirectories } from '../docs-directory.js';
import { otherSpelling } from '../spelling.js';
import type { Tools } from '../tools.js';
import type { PublicLinks } from './public-links.js';

/** Changes the settings of projects, and updates the catalogue and the public links. */
export class SettingsWriter {
  constructor(
    private readonly tools: Tools,
    private readonly files: SettingsFiles,
    private readonly watcher: CatalogueWatcher,
    private readonly links: PublicLinks,
    private readonly reader: Pick<DirectoryReader, 'readOne'>,
  ) {}

  /** @throws what `decide` throws; Refusal `unavailable` or `insufficient_storage` */
  async change(project: string, decide: SettingsDecision): Promise<void> {
    storableSettings(project, NO_SETTINGS);
    await this.hold(project, async (before) => {
      const after = decide(this.watcher.catalogue());
      const changed = [...after.aliases].filter(([alias, target]) => before.aliases.get(alias) !== target);
      const addresses = new Set(changed.flat().map((label) => `${project}-${label}`));
      // Nothing is published or removed under the addresses of aliases and targets meanwhile, by any process.
      await this.tools.locks.runAll([...addresses], () =>
        this.decideAndWrite(project, before, decide, addresses),
      );
    });
    await this.links.update();
  }

  /**
   * Does work while no process changes the settings of a project. The catalogue has them by then.
   * @throws Refusal `unavailable` when they are damaged
   */
  async hold<T>(project: string, work: (settings: ProjectSettings) => Promise<T>): Promise<T> {
    await recreateDirectories(this.tools);
    // No version has `~` in its name.
    return this.tools.locks.run(`${project}.settings~`, () => work(this.takeIn(project)));
  }

  /** Reads the settings of a project into the catalogue, which may be a second late. Damaged ones stay as they were. */
  refresh(project: string): void {
    const { settings } = this.files.read(project);
    if (settings !== undefined) this.watcher.setSettings([[project, settings]]);
  }

  private async decideAndWrite(
    project: string,
    before: ProjectSettings,
    decide: SettingsDecision,
    addresses: ReadonlySet<string>,
  ): Promise<void> {
    for (const address of addresses) this.watcher.set(address, await this.reader.readOne(address));
    const after = decide(this.watcher.catalogue());
    storableSettings(project, after);
    if (settingsText(after) === settingsText(before)) return;
    try {
      await this.write(project, before, after);
    } finally {
      this.takeIn(project);
    }
  }

  /** Like `refresh`. @throws Refusal `unavailable` when the settings are damaged */
  private takeIn(project: string): ProjectSettings {
    const { settings, problem } = this.files.read(project);
    if (settings === undefined) throw refuse.settingsDamaged(project, problem);
    this.watcher.setSettings([[project, settings]]);
    return settings;
  }

  private async write(project: string, before: ProjectSettings, after: ProjectSettings): Promise<void> {
    const { disk, layout } = this.tools;
    const texts = this.files.textsFor(before);
    const changed = this.files.textsFor(after).filter(({ text }, index) => text !== texts[index]?.text);
    await withRollback(async (undo) => {
      for (const { files, text } of changed) {
        const textBefore = texts.find((each) => each.files === files)?.text;
        let isNew = false;
        undo.push(async () => {
          await this.put(files, project, textBefore);
          if (isNew) await unless(['ENOTEMPTY', 'EEXIST', ...NOTHING_THERE], disk.rmdir(files.directory));
          else await syncDirectory(disk, files.directory).catch(() => {});
        });
        isNew = await this.put(files, project, text);
        for (const directory of isNew ? [layout.own, files.directory] : [files.directory]) {
          await syncDirectory(disk, directory);
        }
      }
    });
  }

  /** @returns whether the directory of the files was created */
  private async put(files: ProjectFiles, project: string, text: string | undefined): Promise<boolean> {
    const { disk } = this.tools;
    const file = files.pathOf(project);
    // Another spelling is from a project that is gone: an existing project keeps out other spellings. Renaming over the file
    // would keep its name.
    const other = await otherSpelling(this.tools, files.directory, basename(file));
    if (other !== undefined || text === undefined) await unless(NOTHING_THERE, disk.unlink(file));
    if (text === undefined) return false;
    return writeAndMove(this.tools, file, (coming) => writeNewFile(disk, coming, `${text}\n`));
  }
}
