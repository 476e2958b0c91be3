import { parseDirectoryName, type VersionId } from './archive-name.js';
import { Project } from './project.js';
import type { Version } from './version.js';

const LATEST_SUFFIX = '-latest';

export interface Changes {
  readonly come?: Iterable<Version>;
  readonly gone?: Iterable<Pick<VersionId, 'project' | 'label'>>;
}

/** A version and its project. */
export interface Located {
  readonly project: Project;
  readonly version: Version;
}

/**
 * Snapshot of everything published. Immutable: a change makes a new catalogue that shares the unchanged projects, so a
 * reader keeps one consistent view, and comparing by identity shows whether anything changed.
 */
export class Catalogue {
  static readonly empty = new Catalogue(new Map());
  private sorted: readonly Project[] | undefined;

  private constructor(private readonly byName: ReadonlyMap<string, Project>) {}

  static of(versions: Iterable<Version>): Catalogue {
    return Catalogue.empty.changed({ come: versions });
  }

  /** All projects, sorted by directory name. */
  get projects(): readonly Project[] {
    this.sorted ??= [...this.byName.values()].sort((a, b) => (a.directoryName < b.directoryName ? -1 : 1));
    return this.sorted;
  }

  project(directoryName: string): Project | undefined {
    return this.byName.get(directoryName);
  }

  /** Returns the version with exactly this directory name. */
  version(directoryName: string): Version | undefined {
    const id = parseDirectoryName(directoryName);
    return id === undefined ? undefined : this.byName.get(id.project)?.version(id.label);
  }

  /** Returns the version with this directory name, or the latest one for the alias `<project>-latest`. */
  resolve(directoryName: string): Version | undefined {
    const exact = this.version(directoryName);
    if (exact !== undefined || !directoryName.endsWith(LATEST_SUFFIX)) return exact;
    return this.byName.get(directoryName.slice(0, -LATEST_SUFFIX.length))?.latest;
  }

  /** Like `resolve`, with the project. */
  locate(directoryName: string): Located | undefined {
    const version = this.resolve(directoryName);
    const project = version && this.byName.get(version.project);
    return version && project && { project, version };
  }

  /**
   * Returns a catalogue with several changes at once. Only the changed projects are rebuilt; removing the last version
   * removes the project.
   * @param come versions to add or replace
   */
  changed({ come = [], gone = [] }: Changes): Catalogue {
    const leaving = new Map<string, string[]>();
    for (const { project, label } of gone) {
      if (this.byName.get(project)?.version(label) !== undefined) listIn(leaving, project).push(label);
    }
    const coming = new Map<string, Version[]>();
    for (const version of come) listIn(coming, version.project).push(version);
    if (leaving.size === 0 && coming.size === 0) return this;
    const byName = new Map(this.byName);
    for (const name of new Set([...leaving.keys(), ...coming.keys()])) {
      const versions = coming.get(name) ?? [];
      const labels = new Set([...(leaving.get(name) ?? []), ...versions.map(({ label }) => label)]);
      const left = byName.get(name)?.versions.filter(({ label }) => !labels.has(label)) ?? [];
      const [first, ...others] = [...versions, ...left];
      if (first === undefined) byName.delete(name);
      else byName.set(name, new Project(name, [first, ...others]));
    }
    return new Catalogue(byName);
  }
}

function listIn<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}
