import { fold, type SearchTerm } from './search-term.js';
import { compareLabels, isNumbered, isStable, type Version } from './version.js';

/** A project: all its versions in order, and what follows from them. Never without a version. */
export class Project {
  /** Oldest first, by the one order of versions. */
  readonly versions: readonly Version[];
  /** The version that `latest` stands for. */
  readonly latest: Version;
  /** The version whose docinfo describes the project: the latest, else the newest that has one. */
  private readonly described: Version | undefined;
  private joined: string | undefined;
  /** The names as a search compares them, from the first search on. */
  private folded: readonly string[] | undefined;

  constructor(
    readonly directoryName: string,
    versions: readonly [Version, ...Version[]],
  ) {
    this.versions = [...versions].sort((a, b) => compareLabels(a.label, b.label));
    this.latest = latestOf(this.versions, versions[0]);
    this.described =
      this.latest.docinfo !== undefined
        ? this.latest
        : this.versions.findLast((version) => version.docinfo !== undefined);
  }

  /** For people; the directory name when no docinfo says another. */
  get name(): string {
    return this.described?.docinfo?.name ?? this.directoryName;
  }

  get description(): string {
    return this.described?.docinfo?.description ?? '';
  }

  /** Where the logo is: a path inside the site of one version. */
  get logo(): { readonly version: Version; readonly path: string } | undefined {
    const path = this.described?.docinfo?.logo;
    return this.described === undefined || path === undefined ? undefined : { version: this.described, path };
  }

  /** Whether the project wants the version switcher on its pages; undefined when it leaves that to the server. */
  get switcher(): boolean | undefined {
    return this.described?.docinfo?.switcher;
  }

  /** Changes whenever a version comes, goes, or is published anew. */
  get revision(): string {
    this.joined ??= this.versions.map(({ revision }) => revision).join(' ');
    return this.joined;
  }

  version(label: string): Version | undefined {
    return this.versions.find((version) => version.label === label);
  }

  /** Whether the term is part of the name or the directory name, whatever the case (contract section 6). */
  matches({ folded: wanted }: SearchTerm): boolean {
    this.folded ??= [fold(this.name), fold(this.directoryName)];
    return this.folded.some((name) => name.includes(wanted));
  }
}

/**
 * The newest stable version; when every numbered one is a pre-release, the newest of those; when none has a
 * number, the one published last (contract section 3).
 */
function latestOf(sorted: readonly Version[], any: Version): Version {
  const numbered = sorted.filter((version) => isNumbered(version.label));
  return (
    numbered.findLast((version) => isStable(version.label)) ??
    numbered.at(-1) ??
    sorted.reduce((last, version) => (version.publishedAt >= last.publishedAt ? version : last), any)
  );
}
