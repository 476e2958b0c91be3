import { parseDirectoryName, type VersionId } from './archive-name.js';
import { Project } from './project.js';
import type { Version } from './version.js';

const LATEST_SUFFIX = '-latest';

/**
 * Everything that is published, at one instant. Immutable: a change makes another catalogue that shares all
 * untouched projects, so a reader keeps one consistent view and identity tells whether anything changed.
 */
export class Catalogue {
  static readonly empty = new Catalogue(new Map());
  private sorted: readonly Project[] | undefined;

  private constructor(private readonly byName: ReadonlyMap<string, Project>) {}

  static of(versions: Iterable<Version>): Catalogue {
    const grouped = new Map<string, [Version, ...Version[]]>();
    for (const version of versions) {
      const group = grouped.get(version.project);
      if (group === undefined) grouped.set(version.project, [version]);
      else group.push(version);
    }
    return new Catalogue(new Map([...grouped].map(([name, group]) => [name, new Project(name, group)])));
  }

  /** All projects, sorted by directory name. */
  get projects(): readonly Project[] {
    this.sorted ??= [...this.byName.values()].sort((a, b) => (a.directoryName < b.directoryName ? -1 : 1));
    return this.sorted;
  }

  project(directoryName: string): Project | undefined {
    return this.byName.get(directoryName);
  }

  /** The version stored under exactly this directory name. */
  version(directoryName: string): Version | undefined {
    const id = parseDirectoryName(directoryName);
    return id === undefined ? undefined : this.byName.get(id.project)?.version(id.label);
  }

  /** The version under this directory name, or the one that the alias `<project>-latest` stands for. */
  resolve(directoryName: string): Version | undefined {
    const exact = this.version(directoryName);
    if (exact !== undefined || !directoryName.endsWith(LATEST_SUFFIX)) return exact;
    return this.byName.get(directoryName.slice(0, -LATEST_SUFFIX.length))?.latest;
  }

  /** This catalogue with one version added, or replaced by its namesake. */
  with(version: Version): Catalogue {
    const others =
      this.byName.get(version.project)?.versions.filter(({ label }) => label !== version.label) ?? [];
    return new Catalogue(
      new Map(this.byName).set(version.project, new Project(version.project, [version, ...others])),
    );
  }

  /** This catalogue without one version; a project goes with its last version. */
  without({ project, label }: Pick<VersionId, 'project' | 'label'>): Catalogue {
    const before = this.byName.get(project);
    if (before?.version(label) === undefined) return this;
    const [first, ...others] = before.versions.filter((version) => version.label !== label);
    const byName = new Map(this.byName);
    if (first === undefined) byName.delete(project);
    else byName.set(project, new Project(project, [first, ...others]));
    return new Catalogue(byName);
  }
}
