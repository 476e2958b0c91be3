import { readdirSync, readFileSync } from 'node:fs';
import {
  isProjectName,
  NO_SETTINGS,
  type ProjectSettings,
  parseSettings,
  SettingsError,
} from '../../../domain/index.js';
import { errnoOf, NOTHING_THERE, RUN_SHORT } from '../disk.js';
import type { Layout } from '../layout.js';
import type { Report } from '../report.js';
import { DirectoryStamp } from './directory-stamp.js';

/** Files read between yields to the event loop. */
const FILES_AT_A_TIME = 200;
const SUFFIX = '.json';

/** The settings of a project as its file has them, or the reason why it cannot be read. */
export type SettingsReading =
  | { readonly settings: ProjectSettings; readonly problem?: undefined }
  | { readonly settings?: undefined; readonly problem: string };

/** Reads the settings of projects, a file each. */
export class SettingsFiles {
  private readonly stamp: DirectoryStamp;
  /** Texts of the files that were read last, by project. */
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly layout: Layout,
    private readonly report: Report = () => {},
  ) {
    this.stamp = new DirectoryStamp(layout.projects);
  }

  /**
   * Reads all files, if any may have changed. Yields to the event loop after each batch, never between reading a file
   * and telling of it: what the listener hears is never older than what this process has done.
   * @param changed is called with the projects whose files have another text than before
   * @throws an error with an errno code
   */
  async refresh(changed: (settings: readonly (readonly [string, ProjectSettings])[]) => void): Promise<void> {
    // A read-only docs directory may have none.
    const mayHaveChanged = whereThere(() => this.stamp.look());
    // One that comes back, as a disk that is mounted again, may have the time stamps that it had.
    if (mayHaveChanged === undefined) this.stamp.forget();
    if (!(mayHaveChanged ?? this.texts.size > 0)) return;
    const isRead = this.stamp.reading();
    const projects = [...new Set([...this.stored(), ...this.texts.keys()])];
    for (let at = 0; at < projects.length; at += FILES_AT_A_TIME) {
      if (at > 0) await new Promise(setImmediate);
      const batch = projects.slice(at, at + FILES_AT_A_TIME);
      changed(batch.flatMap((project) => this.ifChanged(project)));
    }
    if (mayHaveChanged !== undefined) isRead();
  }

  /** Reads the file of one project. @throws an error with an errno code when the process or machine runs short */
  read(project: string): SettingsReading {
    let text: string | undefined;
    try {
      text = whereThere(() => readFileSync(this.layout.settings(project), 'utf8'));
    } catch (error) {
      // One unreadable file must not take all versions away.
      const code = errnoOf(error) ?? '';
      if (RUN_SHORT.includes(code)) throw error;
      this.texts.set(project, code);
      return { problem: code };
    }
    if (text === undefined) {
      this.texts.delete(project);
      return { settings: NO_SETTINGS };
    }
    this.texts.set(project, text);
    try {
      return { settings: parseSettings(project, JSON.parse(text)) };
    } catch (error) {
      return { problem: error instanceof SettingsError ? error.message : 'expected JSON' };
    }
  }

  private ifChanged(project: string): readonly (readonly [string, ProjectSettings])[] {
    const before = this.texts.get(project);
    const { settings, problem } = this.read(project);
    if (this.texts.get(project) === before) return [];
    if (settings !== undefined) return [[project, settings]];
    this.report('the settings of a project cannot be read, and are left as they were', { project, problem });
    return [];
  }

  /** The projects that have a file. */
  private stored(): readonly string[] {
    const names = whereThere(() => readdirSync(this.layout.projects)) ?? [];
    return names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length))
      .filter(isProjectName);
  }
}

/** Returns the result of `work`; undefined where there is nothing. @throws other errors with an errno code */
function whereThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (NOTHING_THERE.includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
