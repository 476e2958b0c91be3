import { listIn } from '../by-key.js';
import { LruCache } from '../lru-cache.js';
import { parseDirectoryName } from '../names/archive-name.js';
import { isPreview, type VersionId } from '../names/version-id.js';
import { Previews } from '../preview.js';
import { Project } from '../project.js';
import { quote, type Refusal } from '../refusal/refusal.js';
import { refuse } from '../refusal/refuse.js';
import { isAliasName } from '../settings/parse-settings.js';
import {
  LATEST,
  MAX_ALIASES,
  NO_SETTINGS,
  type ProjectSettings,
  settingsText,
} from '../settings/project-settings.js';
import type { Version } from '../version.js';
import { Contents, nameInProject, type Reader, VisibleCatalogue } from './contents.js';

/** Max. cached views for readers with different rights. */
const MAX_VIEWS = 100;

export interface Changes {
  readonly come?: Iterable<Version>;
  readonly gone?: Iterable<VersionId>;
  /** New settings by project. */
  readonly settings?: Iterable<readonly [project: string, ProjectSettings]>;
}

/**
 * Snapshot of everything published and set. Immutable: a change makes a new catalogue that shares the unchanged projects, so a
 * reader keeps one consistent view, and comparing by identity shows whether anything changed.
 */
export class Catalogue extends Contents {
  static readonly empty = new Catalogue(new Map(), new Map(), Previews.none);
  /** The last result of `at` that lacks previews. */
  private unexpired: Catalogue | undefined;
  /** Views by the rights of readers. */
  private readonly views = new LruCache<VisibleCatalogue>(MAX_VIEWS);

  private constructor(
    byName: ReadonlyMap<string, Project>,
    /** Settings by project, also of projects without versions; projects without settings are left out. */
    readonly settings: ReadonlyMap<string, ProjectSettings>,
    previews: Previews,
  ) {
    super(byName, previews);
  }

  static of(versions: Iterable<Version>): Catalogue {
    return Catalogue.empty.changed({ come: versions });
  }

  /** Returns the settings of a project, whether it has versions or not. */
  settingsOf(project: string): ProjectSettings {
    return this.settings.get(project) ?? NO_SETTINGS;
  }

  /** All versions and all previews. */
  *all(): Generator<Version> {
    for (const { versions } of this.byName.values()) yield* versions;
    yield* this.previews.all();
  }

  /** Returns the refusal for a version or preview that is not there. */
  whyNotFound(id: VersionId): Refusal {
    return this.whyNotNamed(id.project, nameInProject(id));
  }

  /**
   * Returns the refusal of a new alias: for its name, for its number, or since a version or a project has its address.
   * @param mayKnowOf whether the caller may learn of a project; other projects shadow the alias without a refusal
   */
  whyNoAlias(
    project: string,
    alias: string,
    mayKnowOf: (project: string) => boolean = () => true,
  ): Refusal | undefined {
    if (!isAliasName(project, alias)) {
      const why = `${quote(alias)} is not a valid alias; name it like a version`;
      return refuse.invalidSettings(project, why);
    }
    if (this.settingsOf(project).aliases.size >= MAX_ALIASES) {
      return refuse.invalidSettings(
        project,
        `it already has ${MAX_ALIASES} aliases, the maximum; remove one first`,
      );
    }
    const taken = this.whyVersionHasName(project, alias);
    if (taken !== undefined) return taken;
    const directoryName = `${project}-${alias}`;
    return alias !== LATEST && this.byName.has(directoryName) && mayKnowOf(directoryName)
      ? refuse.nameTaken(directoryName, `project '${directoryName}'`)
      : undefined;
  }

  /** Returns the refusal of an alias that has the name of a version. */
  whyVersionHasName(project: string, alias: string): Refusal | undefined {
    return this.byName.get(project)?.version(alias) === undefined
      ? undefined
      : refuse.nameTaken(`${project}-${alias}`, `version '${alias}'`);
  }

  /** Returns the catalogue without expired previews: the same object again until another one expires. */
  at(now: Date): Catalogue {
    if (this.previews.nextEndMs > now.getTime()) return this;
    if (this.unexpired === undefined || this.unexpired.previews.nextEndMs <= now.getTime()) {
      this.unexpired = this.changed({ gone: this.previews.expired(now) });
    }
    return this.unexpired;
  }

  /** Returns what a reader may see now: the same object again for readers with equal rights until something changes. */
  seenBy(reader: Reader, now: Date): VisibleCatalogue {
    const all = this.at(now);
    const { rights } = reader;
    const known = all.views.get(rights);
    return known ?? all.views.set(rights, VisibleCatalogue.of(reader, all.byName, all.previews));
  }

  /**
   * Returns a catalogue with several changes at once. Only the changed projects are rebuilt; removing the last version
   * removes the project, but not its settings.
   * @param come versions and previews to add or replace
   */
  changed({ come = [], gone = [], settings = [] }: Changes): Catalogue {
    const [arriving, departing] = [Array.from(come), Array.from(gone)];
    const previews = this.previews.changed(arriving.filter(isPreview), departing.filter(isPreview));
    const leaving = new Map<string, string[]>();
    for (const { project, label } of departing.filter(isVersion)) {
      if (this.byName.get(project)?.version(label) !== undefined) listIn(leaving, project).push(label);
    }
    const coming = new Map<string, Version[]>();
    for (const version of arriving.filter(isVersion)) listIn(coming, version.project).push(version);
    const set = new Map(
      [...settings].filter(([name, each]) => settingsText(each) !== settingsText(this.settingsOf(name))),
    );
    if (leaving.size === 0 && coming.size === 0 && set.size === 0 && previews === this.previews) return this;
    const settingsNow = set.size === 0 ? this.settings : withSettings(this.settings, set);
    const byName = new Map(this.byName);
    const touched = new Set([...leaving.keys(), ...coming.keys(), ...set.keys()]);
    for (const name of touched) {
      const versions = coming.get(name) ?? [];
      const labels = new Set([...(leaving.get(name) ?? []), ...versions.map(({ label }) => label)]);
      const left = byName.get(name)?.versions.filter(({ label }) => !labels.has(label)) ?? [];
      const [first, ...others] = [...versions, ...left];
      if (first === undefined) byName.delete(name);
      else byName.set(name, new Project(name, [first, ...others], settingsNow.get(name)));
    }
    // A new project shadows an alias of the same address, which counts again once the project is gone.
    const owners = [...touched].map((name) => parseDirectoryName(name)?.project ?? '');
    for (const name of new Set([...touched, ...owners])) {
      const project = byName.get(name);
      if (project === undefined) continue;
      const shadowed = shadowedIn(project, byName);
      if (!isSameSet(shadowed, project.shadowed)) byName.set(name, project.withShadowed(shadowed));
    }
    return new Catalogue(byName, settingsNow, previews);
  }
}

/**
 * Returns the refusal of a version that is about to be published: it is there and must not be replaced, or an alias of its
 * project has its name. Stores ask under the lock under which they publish.
 * @param isThere whether something has the address of the version, where a store knows that better than its catalogue
 */
export function whyNotPublished(
  catalogue: Catalogue,
  id: VersionId,
  replace: boolean,
  isThere = catalogue.version(id.directoryName) !== undefined,
): Refusal | undefined {
  const { project, label, directoryName } = id;
  if (isThere) return replace ? undefined : refuse.versionExists(project, label, '');
  const isAlias = !isPreview(id) && catalogue.settingsOf(project).aliases.has(label);
  return isAlias ? refuse.nameTaken(directoryName, `an alias of project '${project}'`) : undefined;
}

/** Returns the aliases of a project whose address is that of another one. */
function shadowedIn(
  { directoryName, settings: { aliases } }: Project,
  projects: ReadonlyMap<string, Project>,
): ReadonlySet<string> {
  const isShadowed = (alias: string) => alias !== LATEST && projects.has(`${directoryName}-${alias}`);
  return new Set([...aliases.keys()].filter(isShadowed).sort());
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each));
}

function isVersion(id: VersionId): boolean {
  return !isPreview(id);
}

function withSettings(
  before: ReadonlyMap<string, ProjectSettings>,
  set: ReadonlyMap<string, ProjectSettings>,
): ReadonlyMap<string, ProjectSettings> {
  const after = new Map([...before, ...set]);
  for (const [name, settings] of set) if (settingsText(settings) === '{}') after.delete(name);
  return after;
}
