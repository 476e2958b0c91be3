import {
  NO_SETTINGS,
  type ProjectSettings,
  parseSettings,
  SettingsError,
  settingsBody,
} from '../../../domain/index.js';
import { errnoOf } from '../../../node/system-errors.js';
import { RUN_SHORT } from '../disk.js';
import type { Layout } from '../layout.js';
import type { Report } from '../report.js';
import { ProjectFiles } from './project-files.js';

/** Files read between yields to the event loop. */
const FILES_AT_A_TIME = 200;

/** The settings of a project as its files have them, or the reason why they cannot be read. */
export type SettingsReading =
  | { readonly settings: ProjectSettings; readonly problem?: undefined }
  | { readonly settings?: undefined; readonly problem: string };

/** Reads the settings of projects. What is said of a project (`about`) has a file of its own. */
export class SettingsFiles {
  private readonly rest: ProjectFiles;
  private readonly about: ProjectFiles;
  /** Texts of the files that were read last, by project. */
  private readonly texts = new Map<string, string>();

  constructor(
    layout: Layout,
    private readonly report: Report = () => {},
  ) {
    this.rest = new ProjectFiles(layout.projects);
    this.about = new ProjectFiles(layout.about);
  }

  /**
   * Reads all files, if any may have changed. Yields to the event loop after each batch, never between reading a file
   * and telling of it: what the listener hears is never older than what this process has done.
   * @param changed is called with the projects whose files have another text than before
   * @throws an error with an errno code
   */
  async refresh(changed: (settings: readonly (readonly [string, ProjectSettings])[]) => void): Promise<void> {
    const looks = [this.rest, this.about].flatMap((files) => files.look() ?? []);
    const projects = [...new Set(looks.flatMap((look) => look.projects))];
    for (let at = 0; at < projects.length; at += FILES_AT_A_TIME) {
      if (at > 0) await new Promise(setImmediate);
      const batch = projects.slice(at, at + FILES_AT_A_TIME);
      changed(batch.flatMap((project) => this.ifChanged(project)));
    }
    for (const { isRead } of looks) isRead();
  }

  /** Reads the files of one project. @throws an error with an errno code when the process or machine runs short */
  read(project: string): SettingsReading {
    let texts: readonly (string | undefined)[];
    try {
      texts = [this.rest.read(project), this.about.read(project)];
    } catch (error) {
      // One unreadable file must not take all versions away.
      const code = errnoOf(error) ?? '';
      if (RUN_SHORT.includes(code)) throw error;
      this.texts.set(project, code);
      return { problem: code };
    }
    const [rest, about] = texts;
    if (rest === undefined && about === undefined) {
      this.texts.delete(project);
      return { settings: NO_SETTINGS };
    }
    this.texts.set(project, JSON.stringify(texts));
    try {
      const settings = parseSettings(project, JSON.parse(rest ?? '{}'));
      if (about === undefined) return { settings };
      return {
        settings: parseSettings(project, { ...settingsBody(settings), about: JSON.parse(about) }),
      };
    } catch (error) {
      return { problem: error instanceof SettingsError ? error.message : 'expected JSON' };
    }
  }

  /** Returns the texts that files have for settings; undefined: there is to be no file. */
  textsFor(
    settings: ProjectSettings,
  ): readonly { readonly files: ProjectFiles; readonly text: string | undefined }[] {
    const { about, ...rest } = settingsBody(settings);
    const text = JSON.stringify(rest);
    return [
      { files: this.rest, text: text === '{}' ? undefined : text },
      { files: this.about, text: about && JSON.stringify(about) },
    ];
  }

  private ifChanged(project: string): readonly (readonly [string, ProjectSettings])[] {
    const before = this.texts.get(project);
    const { settings, problem } = this.read(project);
    if (this.texts.get(project) === before) return [];
    if (settings !== undefined) return [[project, settings]];
    this.report('the settings of a project cannot be read, and are left as they were', { project, problem });
    return [];
  }
}
