import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isProjectName,
  NO_SETTINGS,
  type ProjectSettings,
  parseSettings,
  SettingsError,
  settingsBody,
} from '../../../domain/index.js';
import { errnoOf, hasErrno } from '../../../node/system-errors.js';
import { NOTHING_THERE, RUN_SHORT } from '../disk.js';
import type { Layout } from '../layout.js';
import type { Report } from '../report.js';
import { DirectoryStamp } from './directory-stamp.js';

/** Files read between yields to the event loop. */
const FILES_AT_A_TIME = 200;
const SUFFIX = '.json';

/** The settings of a project as its files have them, or the reason why they cannot be read. */
type SettingsReading =
  | { readonly settings: ProjectSettings; readonly problem?: undefined }
  | { readonly settings?: undefined; readonly problem: string };

/** Reads the settings of projects. A project's description (`about`) has a file of its own. */
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
      // An unreadable file must not take all versions away.
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
    this.report('cannot read the settings of a project; they were not changed', { project, problem });
    return [];
  }
}

/** A directory with a JSON file for some projects. It may be missing. */
export class ProjectFiles {
  private readonly stamp: DirectoryStamp;
  /** The projects that had a file when it was read last. */
  private readonly known = new Set<string>();

  constructor(readonly directory: string) {
    this.stamp = new DirectoryStamp(directory);
  }

  pathOf(project: string): string {
    return join(this.directory, `${project}${SUFFIX}`);
  }

  /**
   * Begins to look for changes. Undefined: no file has changed. Else returns the projects that have a file, or had one,
   * and a function to call once all of them are read.
   * @throws an error with an errno code
   */
  look(): { readonly projects: readonly string[]; readonly isRead: () => void } | undefined {
    const mayHaveChanged = whereThere(() => this.stamp.look());
    if (mayHaveChanged === undefined) {
      // A directory that comes back, as when its disk is mounted again, may have the time stamps that it had.
      this.stamp.forget();
      return this.known.size === 0 ? undefined : { projects: [...this.known], isRead: () => {} };
    }
    if (!mayHaveChanged) return undefined;
    const isRead = this.stamp.reading();
    const names = whereThere(() => readdirSync(this.directory)) ?? [];
    const stored = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
    return { projects: [...stored.filter(isProjectName), ...this.known], isRead };
  }

  /** Returns the text of a project's file; undefined when it has none. @throws an error with an errno code */
  read(project: string): string | undefined {
    const text = whereThere(() => readFileSync(this.pathOf(project), 'utf8'));
    if (text === undefined) this.known.delete(project);
    else this.known.add(project);
    return text;
  }
}

/** Returns the result of `work`; undefined where there is nothing. @throws other errors with an errno code */
function whereThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (hasErrno(error, NOTHING_THERE)) return undefined;
    throw error;
  }
}
