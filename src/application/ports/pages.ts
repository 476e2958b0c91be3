import type {
  DueVersion,
  Facet,
  Located,
  Project,
  ProjectFilter,
  ProjectOrder,
  RetentionRules,
  SearchTerm,
  Source,
  Version,
} from '../../domain/index.js';
import type { ErrorCode, OpenApi } from '../../formats/index.js';
import type { FoundPages } from '../page-search/found-pages.js';
import type { Missing } from '../pages/read-page.js';
import type { Suggestions } from '../pages/suggest-instead.js';
import type { DiskUse } from '../ports/sites.js';
import type { TableModel } from '../projects/project-table.js';
import type { RecentChange } from '../projects/recent-changes.js';

/** Models of the pages. The names of the pages are the methods of `Pages`. */
export interface PageModels {
  /** `/`: all projects, those of a group or tag, or the results of a search. */
  readonly index: {
    /** Projects to show, sorted and filtered. */
    readonly projects: readonly Project[];
    /** Number of projects found, of which `projects` may be the first ones. */
    readonly found: number;
    /** Whether a search has few projects here, since pages follow; `all=true` gives more. @default false */
    readonly isShort?: boolean;
    /** The empty term when there is no search. */
    readonly search: SearchTerm;
    readonly filter: ProjectFilter;
    /** Groups and tags of all projects. */
    readonly facets: { readonly groups: readonly Facet[]; readonly tags: readonly Facet[] };
    readonly order: ProjectOrder;
    /** Address of the server, for the commands of a first upload. */
    readonly address: string;
  };
  /** `/-/projects`: projects with the numbers that operators ask for. */
  readonly table: TableModel;
  /** `/-/projects/<project>`: one project with all its versions. */
  readonly project: {
    readonly project: Project;
    /** Newest first. */
    readonly previews: readonly Version[];
    readonly diskUse: DiskUse;
    /** Rules by which versions are removed, and the listed ones that go, the first one in front. */
    readonly retention: { readonly rules: RetentionRules; readonly plan: readonly DueVersion[] };
    /** Number of dead links of the latest version, where it has been checked. */
    readonly deadLinks?: number | undefined;
    /** Sources of versions and previews, by directory name, as far as the reader may see them. */
    readonly sources?: ReadonlyMap<string, Source>;
    /** Address of the server, for snippets; undefined where only the reader's browser knows it. */
    readonly address: string | undefined;
  };
  /** `/-/search`: the pages that a search has found. */
  readonly search: {
    readonly query: string;
    /** The only version that is searched in; the latest where all versions of a project are. */
    readonly place: Located | undefined;
    /** The name that the search has for this version; undefined means the latest. */
    readonly version: string | undefined;
    /** The projects that are searched in. */
    readonly filter: ProjectFilter;
    /** Whether a project that the words name does not count. */
    readonly isEverywhere: boolean;
    /** Undefined before anything is searched for. */
    readonly found: FoundPages | undefined;
    /** Number of results before the first of these. */
    readonly offset: number;
    /** Offsets of the results before and after these; undefined where there are none. */
    readonly previous: number | undefined;
    readonly next: number | undefined;
  };
  /** `/-/upload`, with the address of the server for the equivalent command. */
  readonly upload: {
    readonly address: string;
    /** The versions that were published last, of those that the reader may see. */
    readonly recent: readonly RecentChange[];
  };
  /** `/-/manage/<project>`: forms to manage a project, of which the page itself knows no more than the name. */
  readonly manage: { readonly project: string };
  /** `/-/api`: the API description, with the address of the server for the commands. */
  readonly api: { readonly description: OpenApi; readonly address: string };
  /** `/help`, the help for readers. */
  readonly help: {
    /** Address of the server, for example `http://docs.example.com:8080`, for the examples. */
    readonly address: string;
    /** The HTTP status of each error. */
    readonly statuses: Readonly<Record<ErrorCode, number>>;
  };
  /** `/-/help/publish`, the help for those who publish. */
  readonly publishing: PageModels['help'];
  /** 404: the missing part of the address, with suggestions. */
  readonly missing: {
    readonly missing: Missing;
    readonly suggestions: Suggestions;
    /** Where the reader can sign in, who may see more then. */
    readonly signIn?: string | undefined;
  };
  /** The root of a site without `index.html`. */
  readonly listing: {
    /** Undefined for a preview of a project without versions. */
    readonly project: Project | undefined;
    readonly version: Version;
    /** Paths inside the site. */
    readonly files: readonly string[];
    /** In bytes, in the same order. */
    readonly sizes: readonly number[];
    /** Whether the site has more files than these. */
    readonly more: boolean;
    readonly hasSwitcher: boolean;
  };
  /** Any error that is not a missing page. */
  readonly failure: {
    readonly status: number;
    readonly title: string;
    /** For people: what happened and what to do, without internals. */
    readonly message: string;
    /** Id of the request, to quote to the operator. */
    readonly requestId?: string;
    /** Where the reader can sign in, who may see more then. */
    readonly signIn?: string | undefined;
  };
}

/** A feed; all addresses are absolute. */
export interface FeedModel {
  /** Address of the feed, its page, and that of the page that it is about. */
  readonly self: string;
  readonly page: string;
  /** Undefined for all projects. */
  readonly project: Project | undefined;
  /** Newest first. */
  readonly entries: readonly { readonly id: string; readonly link: string; readonly change: RecentChange }[];
}

/** The page of a feature: a component, of which only the adapter that renders it knows more. */
export type PageOf<Model> = (model: Model) => unknown;

/** Renders the server's own pages as complete HTML documents, and what else is made of the same facts. */
export type Pages = {
  readonly [Name in Exclude<keyof PageModels, 'upload' | 'manage'>]: (model: PageModels[Name]) => string;
} & {
  /** Renders the page of a feature. */
  of<Model extends object>(page: PageOf<Model>, model: Model): string;
  /** Undefined when uploads, or the pages that take a token, are turned off. */
  upload(model: PageModels['upload']): string | undefined;
  /** Undefined when `upload` is. */
  manage(model: PageModels['manage']): string | undefined;
  /** The part of the index that changes as people type: its title, count and list. */
  indexPart(model: PageModels['index']): string;
  /** The part of the search page that changes as people type: its sentence and its list. */
  searchPart(model: PageModels['search']): string;
  /** The OpenSearch description of the search. @param model the public address, absolute, without a trailing `/` */
  openSearch(model: { readonly address: string }): string;
  /** The Atom feed of the versions of a project, or of all. */
  feed(model: FeedModel): string;
  /** The help as plain text, for programs. */
  helpText(model: PageModels['help']): string;
  /** A version as an SVG image; without one it says that there is none. */
  badge(version: Version | undefined): string;
};
