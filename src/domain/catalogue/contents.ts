import { parseDirectoryName } from '../names/archive-name.js';
import { isPreview, type VersionId } from '../names/version-id.js';
import type { Previews } from '../preview.js';
import type { Project } from '../project.js';
import { titleFor } from '../project-title.js';
import type { Refusal } from '../refusal/refusal.js';
import { refuse } from '../refusal/refuse.js';
import { LATEST } from '../settings/project-settings.js';
import { isNumbered, isStable, type Version } from '../version.js';

/** Versions that are tried while the index of the latest one is missing. */
const MAX_OLDER = 3;

const LATEST_SUFFIX = '-latest';

/** A version or preview and its project. */
export interface Located {
  /** Undefined for a preview of a project without versions. */
  readonly project: Project | undefined;
  readonly version: Version;
}

/** Projects, versions and previews, found by their names. Immutable. */
export class Contents {
  private sorted: readonly Project[] | undefined;

  protected constructor(
    protected readonly byName: ReadonlyMap<string, Project>,
    /** Previews are in no `Project`: a project with previews only does not count as one. */
    readonly previews: Previews,
  ) {}

  /** All projects, sorted by directory name. */
  get projects(): readonly Project[] {
    this.sorted ??= [...this.byName.values()].sort((a, b) => (a.directoryName < b.directoryName ? -1 : 1));
    return this.sorted;
  }

  project(directoryName: string): Project | undefined {
    return this.byName.get(directoryName);
  }

  /** Returns the version or preview with exactly this directory name. */
  version(directoryName: string): Version | undefined {
    const id = parseDirectoryName(directoryName);
    if (id === undefined) return undefined;
    return isPreview(id) ? this.previews.find(id) : this.byName.get(id.project)?.version(id.label);
  }

  /** Returns the version or preview with this directory name, or that of an alias: `<project>-latest`, `<project>-<alias>`. */
  resolve(directoryName: string): Version | undefined {
    const id = parseDirectoryName(directoryName);
    if (id !== undefined) {
      if (isPreview(id)) return this.previews.find(id);
      const project = this.byName.get(id.project);
      return project?.version(id.label) ?? project?.named(id.label);
    }
    if (!directoryName.endsWith(LATEST_SUFFIX)) return undefined;
    return this.byName.get(directoryName.slice(0, -LATEST_SUFFIX.length))?.latest;
  }

  /** Like `resolve`, with the project. */
  locate(directoryName: string): Located | undefined {
    const version = this.resolve(directoryName);
    return version && { project: this.byName.get(version.project), version };
  }

  /** Resolves a name inside a project: a label, an alias, `latest`, or `~<name>` of a preview. */
  named(project: string, name: string): Located | undefined {
    const found = this.byName.get(project);
    const inProject = () => (name === LATEST ? found?.latest : (found?.version(name) ?? found?.named(name)));
    const version = name.startsWith('~') ? this.version(project + name) : inProject();
    return version && { project: found, version };
  }

  /** Returns the refusal for an unknown name inside a project. */
  whyNotNamed(project: string, name: string): Refusal {
    if (name.startsWith('~')) return refuse.previewNotFound(project, name.slice(1));
    return this.byName.has(project) ? refuse.versionNotFound(project, name) : refuse.projectNotFound(project);
  }
}

/**
 * The part of the catalogue that a reader may see at one moment: no project without a right to it, no preview that has ended.
 * Code that answers readers gets this, and never a `Catalogue`. Readers get hidden versions by name only; lists show `listed`
 * (contract section 4).
 */
export class VisibleCatalogue extends Contents {
  private sortedListed: readonly Project[] | undefined;

  /** @param previews that have not expired */
  static of(reader: Reader, all: ReadonlyMap<string, Project>, previews: Previews): VisibleCatalogue {
    const maySee = (project: string) => reader.maySee(project);
    const visible = new Map<string, Project>();
    let isWhole = true;
    for (const [name, project] of all) {
      const told = maySee(name) ? toldOf(project, reader) : undefined;
      if (told !== undefined) visible.set(name, told);
      isWhole &&= told === project;
    }
    return new VisibleCatalogue(isWhole ? all : visible, previews.inProjects(maySee));
  }

  /** The projects with a version that is listed; the same array as `projects` when these are all. */
  get listed(): readonly Project[] {
    if (this.sortedListed === undefined) {
      const listed = this.projects.filter((project) => project.listed.length > 0);
      this.sortedListed = listed.length === this.projects.length ? this.projects : listed;
    }
    return this.sortedListed;
  }

  /** Like `project`, for lists and pages: undefined for a project without a listed version. */
  listedProject(directoryName: string): Project | undefined {
    const project = this.project(directoryName);
    return project?.listed.length === 0 ? undefined : project;
  }
}

/** Returns a project in which a shadowed alias counts, unless the reader may know of the project that shadows it. */
function toldOf(project: Project, { mayKnowOf }: Reader): Project {
  const { shadowed, directoryName } = project;
  if (shadowed.size === 0 || mayKnowOf === undefined) return project;
  const known = [...shadowed].filter((alias) => mayKnowOf(`${directoryName}-${alias}`));
  return known.length === shadowed.size ? project : project.withShadowed(new Set(known));
}

/**
 * Whether a version is in lists, pages, switchers, searches and search engines (contract section 4). Readers who name an
 * unlisted version may still read it.
 */
export function isListed({ project, version }: Located): boolean {
  return !isPreview(version) && project?.isHidden(version.label) !== true;
}

/** Returns the name of a version inside its project, as addresses and parameters have it: its label, `~<name>` for a preview. */
export function nameInProject(id: VersionId): string {
  return isPreview(id) ? `~${id.label}` : id.label;
}

/** Returns the name of a project in the API; for a preview of a project without versions, the name in its own docinfo. */
export function displayNameOf({ project, version }: Located): string {
  return project?.name ?? version.record.docinfo?.name ?? version.project;
}

/** Returns the title of a project on pages. */
export function projectTitle(located: Located): string {
  const { project, version } = located;
  if (project !== undefined) return project.title;
  const { docinfo, frontPage } = version.record;
  return docinfo?.name ?? titleFor(version.project, frontPage?.title);
}

/** A reader's rights. Readers see the projects that they have a right to, and nothing of any other. */
export interface Reader {
  /** Equal for readers with equal rights, and for no others. */
  readonly rights: string;
  maySee(project: string): boolean;
  /** Whether it may learn that a project exists. If absent, it may learn of every one. */
  mayKnowOf?(project: string): boolean;
}

/** A reader with a right to every project. */
export const ANYBODY: Reader = { rights: '*', maySee: () => true };

/**
 * Returns what a reader may see on the host of a project: scripts in its pages can send requests there, and are to find
 * nothing of other projects.
 * @param project undefined for a host without a site
 * @param reader who asks there
 */
export function readerOnHostOf(project: string | undefined, reader = ANYBODY): Reader {
  const rights = project ?? '';
  const maySee = (name: string) => name === project && reader.maySee(name);
  if (reader === ANYBODY) return { rights, maySee };
  return { rights: `${reader.rights} ${rights}`, maySee, mayKnowOf: (name) => reader.maySee(name) };
}

/** Versions whose pages are kept searchable: `latest` and the newest of each project, or all. */
export type SearchScope = 'latest' | 'all';

/** Versions that may answer a search for a project, best first: the latest, then the newest before it that are as stable. */
export function versionsThatAnswer({ latest, listed }: Project): readonly Version[] {
  const at = listed.indexOf(latest);
  const isAsStable = ({ label }: Version) =>
    isNumbered(label) === isNumbered(latest.label) && (isStable(label) || !isStable(latest.label));
  const older = listed.slice(0, Math.max(0, at)).filter(isAsStable).toReversed();
  return [latest, ...older.slice(0, MAX_OLDER)];
}

/** Whether the pages of a version can be searched. A preview of a project without versions decides by its own docinfo. */
export function isSearched({ project, version }: Located): boolean {
  return project?.isSearched ?? version.record.docinfo?.search !== false;
}

/** Whether a search that names no version looks into this project. */
export function isFoundAmongAll(project: Project): boolean {
  return project.isSearched && isListed({ project, version: project.latest });
}

/**
 * Versions that are to be searchable, in the order in which they are indexed: the latest of all projects, then the others.
 * Hidden ones and previews are indexed when somebody searches in them.
 */
export function versionsToIndex(projects: readonly Project[], scope: SearchScope): readonly Version[] {
  const searched = projects.filter(isFoundAmongAll);
  const others = searched.flatMap(({ latest, listed }) => {
    const newestFirst = listed.toReversed();
    return (scope === 'all' ? newestFirst : newestFirst.slice(0, 1)).filter((each) => each !== latest);
  });
  return [...searched.map(({ latest }) => latest), ...others];
}
