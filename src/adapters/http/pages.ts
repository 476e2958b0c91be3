import type {
  ComparedPage,
  ComparisonPart,
  DiskUse,
  FoundPages,
  Missing,
  ShownUsage,
  Suggestions,
  VersionComparison,
} from '../../application/index.js';
import type {
  DueVersion,
  Facet,
  Located,
  Project,
  ProjectFilter,
  ProjectOrder,
  RetentionRules,
  SearchTerm,
  Version,
} from '../../domain/index.js';
import type { OpenApi } from '../../formats/index.js';
import type { ErrorCode } from './errors.js';

interface HelpModel {
  address: string;
  /** The HTTP status of each error. */
  statuses: Readonly<Record<ErrorCode, number>>;
}

/** Renders the pages for people, as complete HTML documents. Implemented by an adapter. */
export interface Pages {
  index(model: {
    projects: readonly Project[];
    found: number;
    search: SearchTerm;
    filter: ProjectFilter;
    /** Groups and tags of all projects. */
    facets: { readonly groups: readonly Facet[]; readonly tags: readonly Facet[] };
    order: ProjectOrder;
    address: string;
  }): string;
  /** `address` is undefined where only the reader's browser knows it. */
  project(model: {
    project: Project;
    /** Names of the tokens that published versions, by label. */
    publishers: ReadonlyMap<string, string>;
    previews: readonly Version[];
    /** Rules by which versions are removed, and the listed ones that go, the first one in front. */
    diskUse: DiskUse;
    retention: { readonly rules: RetentionRules; readonly plan: readonly DueVersion[] };
    address: string | undefined;
  }): string;
  /** `found` is undefined before anything is searched for; `previous` and `next` are offsets of other results. */
  search(model: {
    query: string;
    /** Where it was searched, if a project was named; and the version as it was named. */
    place: Located | undefined;
    version: string | undefined;
    found: FoundPages | undefined;
    offset: number;
    previous: number | undefined;
    next: number | undefined;
  }): string;
  /** The latest version as an SVG image; without a project it says that there is none. */
  badge(model: { version: Version | undefined }): string;
  /** Undefined when uploads or the upload page are turned off. */
  upload(model: { address: string }): string | undefined;
  /** `address` is that of the server, for commands. */
  api(model: { description: OpenApi; address: string }): string;
  help(model: HelpModel): string;
  /** The help as plain text, for programs. */
  helpText(model: HelpModel): string;
  missing(model: { missing: Missing; suggestions: Suggestions }): string;
  listing(model: {
    project: Project | undefined;
    version: Version;
    files: readonly string[];
    sizes: readonly number[];
    more: boolean;
    hasSwitcher: boolean;
  }): string;
  /** The pages in which two versions differ, from `offset` of each list on. */
  comparison(model: { comparison: VersionComparison; part: ComparisonPart; offset: number }): string;
  /** What a page says in two versions. */
  comparedPage(model: { compared: ComparedPage; isSideBySide: boolean }): string;
  /** How a project is read, in the last `days`. */
  usage(model: { usage: ShownUsage; days: number }): string;
  failure(model: { status: number; title: string; message: string; requestId?: string }): string;
}
