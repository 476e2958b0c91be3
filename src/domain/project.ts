import type { Corner, Docinfo, FrontPage } from './docinfo.js';
import { isPreview } from './names/version-id.js';
import { titleFor } from './project-title.js';
import { fold, type SearchTerm } from './search-term.js';
import { LATEST, NO_SETTINGS, type ProjectSettings, settingsText } from './settings/project-settings.js';
import { compareLabels, isNumbered, isStable, type Version } from './version.js';
import { newestOfSeries } from './version-series.js';

/** An alias of a project. */
export interface Alias {
  readonly alias: string;
  /** A version's label or a series. */
  readonly target: string;
  /** The version of the target now; undefined when the target is not there. */
  readonly version: Version | undefined;
  /** Whether it points to nothing now, since a project has its address. */
  readonly isShadowed: boolean;
}

/** A project with all its versions in order; at least one. */
export class Project {
  /** Oldest first, by `compareLabels`. */
  readonly versions: readonly Version[];
  /** The versions that are not hidden, oldest first; may be empty. */
  readonly listed: readonly Version[];
  /** The version that `latest` points to: the pinned one, else chosen among the listed ones, else among all. */
  readonly latest: Version;
  /** The version whose docinfo describes the project: the latest, else the newest listed one that has one. */
  private readonly described: Version | undefined;
  private cachedTitle: string | undefined;
  private cachedRevision: string | undefined;
  private cachedAliases: readonly Alias[] | undefined;
  /** The folded names, cached by the first search. */
  private foldedNames: readonly string[] | undefined;

  constructor(
    readonly directoryName: string,
    versions: readonly [Version, ...Version[]],
    readonly settings: ProjectSettings = NO_SETTINGS,
    /** Aliases that point to nothing, since a project has their address (contract section 4). */
    readonly shadowed: ReadonlySet<string> = new Set(),
  ) {
    this.versions = [...versions].sort((a, b) => compareLabels(a.label, b.label));
    this.listed =
      settings.hidden.size === 0 ? this.versions : this.versions.filter(({ label }) => !this.isHidden(label));
    this.latest = this.named(LATEST) ?? latestOf(this.listed) ?? latestOf(this.versions) ?? versions[0];
    this.described =
      this.latest.record.docinfo !== undefined
        ? this.latest
        : this.listed.findLast(({ record }) => record.docinfo !== undefined);
  }

  /** Returns the project with other shadowed aliases. */
  withShadowed(shadowed: ReadonlySet<string>): Project {
    const [first = this.latest, ...others] = this.versions;
    return new Project(this.directoryName, [first, ...others], this.settings, shadowed);
  }

  /**
   * Returns the version that an alias points to; undefined when there is no such alias, its target is not there, or a
   * project has its address.
   */
  named(alias: string): Version | undefined {
    return this.shadowed.has(alias) ? undefined : this.targetOf(alias);
  }

  private targetOf(alias: string): Version | undefined {
    const target = this.settings.aliases.get(alias);
    if (target === undefined) return undefined;
    return this.version(target) ?? newestOfSeries(target, this.listed);
  }

  /** All aliases by name; `latest` is among them when it is pinned. */
  get aliases(): readonly Alias[] {
    this.cachedAliases ??= [...this.settings.aliases]
      .map(([alias, target]) => ({
        alias,
        target,
        version: this.targetOf(alias),
        isShadowed: this.shadowed.has(alias),
      }))
      .sort((a, b) => (a.alias < b.alias ? -1 : 1));
    return this.cachedAliases;
  }

  /** Returns the aliases that point to a version now, sorted by name. */
  aliasesOf(label: string): readonly string[] {
    if (this.settings.aliases.size === 0) return [];
    return this.aliases
      .filter(({ version, isShadowed }) => version?.label === label && !isShadowed)
      .map(({ alias }) => alias);
  }

  /** Returns whether a version is in no page, switcher or search. */
  isHidden(label: string): boolean {
    return this.settings.hidden.has(label);
  }

  /** Returns the sentence for readers of a deprecated version. A preview is never deprecated, whatever its name. */
  deprecation(version: Version): string | undefined {
    return isPreview(version) ? undefined : this.settings.deprecated.get(version.label);
  }

  /** Returns whether a version is the latest one. A preview is not, whatever its name. */
  isLatest(version: Version): boolean {
    return version.directoryName === this.latest.directoryName;
  }

  /** Description of the project: fields that were set for it, else those of its docinfo. */
  get docinfo(): Docinfo {
    const docinfo = this.described?.record.docinfo ?? {};
    return this.settings.about === undefined ? docinfo : { ...docinfo, ...this.settings.about };
  }

  /** Name from the docinfo, else the directory name (contract section 4). */
  get name(): string {
    return this.docinfo.name ?? this.directoryName;
  }

  /** The name on pages: the title that was set for it, else the docinfo's name, else `ownTitle`. */
  get title(): string {
    return this.settings.about?.title ?? this.docinfo.name ?? this.ownTitle;
  }

  /** The title by which the front page, or the directory name, calls it. */
  get ownTitle(): string {
    this.cachedTitle ??= titleFor(this.directoryName, this.frontPage.title);
    return this.cachedTitle;
  }

  get description(): string {
    return this.docinfo.description ?? '';
  }

  /** The description on pages, which may be the front page's. */
  get summary(): string {
    return this.docinfo.description ?? this.frontPage.description ?? '';
  }

  /** The logo, or the icon of the front page: a path inside the site of one version. */
  get logo(): { readonly version: Version; readonly path: string } | undefined {
    const { logo } = this.docinfo;
    if (this.described !== undefined && logo !== undefined) return { version: this.described, path: logo };
    const { icon } = this.frontPage;
    return icon === undefined ? undefined : { version: this.latest, path: icon };
  }

  /** Title, description and icon of the latest version's front page. */
  private get frontPage(): FrontPage {
    return this.latest.record.frontPage ?? {};
  }

  /** The docinfo's `switcher`; undefined leaves the choice to the server. */
  get switcher(): boolean | undefined {
    return this.docinfo.switcher;
  }

  /** The docinfo's `switcher_corner`; undefined leaves the choice to the switcher. */
  get switcherCorner(): Corner | undefined {
    return this.docinfo.switcherCorner;
  }

  /** Whether full-text search finds the project's pages. */
  get isSearched(): boolean {
    return this.docinfo.search !== false;
  }

  /** Changes whenever a version is added, removed or replaced, with the settings, and with the aliases that count. */
  get revision(): string {
    const revisions = () => this.versions.map(({ revision }) => revision).join(' ');
    this.cachedRevision ??= [revisions(), settingsText(this.settings), ...this.shadowed].join(' ');
    return this.cachedRevision;
  }

  version(label: string): Version | undefined {
    return this.versions.find((version) => version.label === label);
  }

  /** Returns whether the name or the directory name contains the term, ignoring case (contract section 6). */
  matches({ folded: wanted }: SearchTerm): boolean {
    this.foldedNames ??= [fold(this.name), fold(this.directoryName)];
    return this.foldedNames.some((name) => name.includes(wanted));
  }
}

/**
 * Returns the newest stable version, else the newest pre-release, else the version published last
 * (contract section 3).
 * @param sorted by `compareLabels`
 */
export function latestOf<V extends Pick<Version, 'label' | 'record'>>(sorted: readonly V[]): V | undefined {
  const numbered = sorted.filter((version) => isNumbered(version.label));
  return (
    numbered.findLast((version) => isStable(version.label)) ??
    numbered.at(-1) ??
    sorted.reduce<V | undefined>(
      (last, version) =>
        last === undefined || version.record.publishedAt >= last.record.publishedAt ? version : last,
      undefined,
    )
  );
}

/** Returns a sentence on an alias that stands for nothing, for its owner. */
export function whyShadowed(project: string, alias: string): string {
  return `The alias '${alias}' is shadowed by the project '${project}-${alias}', which has its address`;
}

/** Status of a version relative to the latest one of its project. */
export type ReleaseStatus = 'latest' | 'older' | 'pre-release' | 'unreleased';

/** Returns a version's status. `unreleased`: a branch or commit in a project with numbered versions. */
export function releaseStatusOf({ latest }: Project, version: Version): ReleaseStatus {
  if (version.label === latest.label) return 'latest';
  if (isNumbered(latest.label) && !isNumbered(version.label)) return 'unreleased';
  return isStable(latest.label) && !isStable(version.label) ? 'pre-release' : 'older';
}
