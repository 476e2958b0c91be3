import { fold, type SearchTerm } from './search-term.js';
import { compareLabels, isNumbered, isStable, type Version } from './version.js';

/** A project with all its versions in order; at least one. */
export class Project {
  /** Oldest first, by `compareLabels`. */
  readonly versions: readonly Version[];
  /** The version that `latest` stands for. */
  readonly latest: Version;
  /** The version whose docinfo describes the project: the latest, else the newest that has one. */
  private readonly described: Version | undefined;
  private cachedRevision: string | undefined;
  /** The folded names, cached by the first search. */
  private foldedNames: readonly string[] | undefined;

  constructor(
    readonly directoryName: string,
    versions: readonly [Version, ...Version[]],
  ) {
    this.versions = [...versions].sort((a, b) => compareLabels(a.label, b.label));
    this.latest = latestOf(this.versions) ?? versions[0];
    this.described =
      this.latest.docinfo !== undefined
        ? this.latest
        : this.versions.findLast((version) => version.docinfo !== undefined);
  }

  /** Display name from the docinfo, else the directory name. */
  get name(): string {
    return this.described?.docinfo?.name ?? this.directoryName;
  }

  get description(): string {
    return this.described?.docinfo?.description ?? '';
  }

  /** The logo: a path inside the site of one version. */
  get logo(): { readonly version: Version; readonly path: string } | undefined {
    const path = this.described?.docinfo?.logo;
    return this.described === undefined || path === undefined ? undefined : { version: this.described, path };
  }

  /** The docinfo's `switcher`; undefined leaves the choice to the server. */
  get switcher(): boolean | undefined {
    return this.described?.docinfo?.switcher;
  }

  /** Changes whenever a version is added, removed or replaced. */
  get revision(): string {
    this.cachedRevision ??= this.versions.map(({ revision }) => revision).join(' ');
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
export function latestOf<V extends Pick<Version, 'label' | 'publishedAt'>>(
  sorted: readonly V[],
): V | undefined {
  const numbered = sorted.filter((version) => isNumbered(version.label));
  return (
    numbered.findLast((version) => isStable(version.label)) ??
    numbered.at(-1) ??
    sorted.reduce<V | undefined>(
      (last, version) => (last === undefined || version.publishedAt >= last.publishedAt ? version : last),
      undefined,
    )
  );
}
