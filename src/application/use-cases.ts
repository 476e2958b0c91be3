import type { RetentionRules } from '../domain/index.js';
import { ReadDocs } from './agents/read-docs.js';
import { SearchDocs } from './agents/search-docs.js';
import { Audit } from './audit/audit.js';
import { audited } from './audit/audited.js';
import { Authenticate } from './authenticate.js';
import { Changes } from './changes.js';
import { CompareVersions } from './comparison/compare-versions.js';
import { CheckLinks } from './links/check-links.js';
import { HouseLinks, type HouseOptions } from './links/house-links.js';
import { KnownLinks } from './links/known-links.js';
import { ShowLinks } from './links/show-links.js';
import type { KeepSearchIndex } from './page-search/keep-search-index.js';
import { SearchPages } from './page-search/search-pages.js';
import { DrawnPages } from './pages/drawn-pages.js';
import { FindPage, PagesByName, RedirectRules } from './pages/find-page.js';
import { GoToPage } from './pages/go-to-page.js';
import { ListPages } from './pages/list-pages.js';
import { MarkdownPages, ReadMarkdown } from './pages/read-markdown.js';
import { ReadPage } from './pages/read-page.js';
import { CanonicalPage, SiteAddresses } from './pages/site-addresses.js';
import { SuggestInstead } from './pages/suggest-instead.js';
import type { Archives } from './ports/archives.js';
import type { DocStore } from './ports/doc-store.js';
import type { LinkChecking } from './ports/link-checking.js';
import type { PageComparison } from './ports/page-comparison.js';
import type { PageMarkdown } from './ports/page-markdown.js';
import type { PeopleTokens } from './ports/people-tokens.js';
import type { SearchIndex, Synonyms } from './ports/search-index.js';
import type { DirectDownloads, LocalStore } from './ports/store-abilities.js';
import type { TokenRegistry } from './ports/token-registry.js';
import type { UsageStore } from './ports/usage-store.js';
import { ExpirePreviews, ShowPreviews } from './previews.js';
import { ListProjects } from './projects/list-projects.js';
import { ManageProject } from './projects/manage-project.js';
import { ProjectTable } from './projects/project-table.js';
import { RecentChanges } from './projects/recent-changes.js';
import { ApplyRetention } from './retention.js';
import { MakeTokens, TokensWithMade } from './tokens/made-tokens.js';
import type { CountReads } from './usage/count-reads.js';
import { ShowSearches } from './usage/show-searches.js';
import { ProjectReads, ShowUsage } from './usage/show-usage.js';
import { DeleteVersion, RestoreVersion } from './versions/delete-and-restore.js';
import { DownloadVersion } from './versions/download-version.js';
import { DEFAULT_UPLOAD_LIMITS, type UploadLimits } from './versions/upload-limits.js';
import { UploadVersion } from './versions/upload-version.js';

/** All use cases of the application. */
export type UseCases = ReturnType<typeof createUseCases>;

/** The ports that the use cases depend on. */
export interface Ports {
  readonly docs: DocStore;
  readonly tokens: TokenRegistry;
  /** Undefined: nobody signs in at an issuer of access tokens. */
  readonly people?: PeopleTokens | undefined;
  readonly archives: Archives;
  readonly comparison: PageComparison;
  readonly markdown: PageMarkdown;
  /** Undefined: links are not checked. */
  readonly linkChecking?: LinkChecking | undefined;
  /** Address of the server, and options; without them, links between its sites are not checked. */
  readonly house?: HouseOptions | undefined;
  /** The same store as `docs`, when it is on a disk. */
  readonly disk?: Pick<LocalStore, 'freeBytes'> | undefined;
  /** The same store, when clients are to download archives from it by themselves. */
  readonly direct?: DirectDownloads | undefined;
  /** Index of the pages, unless search is off. `keeper` is told of versions that are searched and have none. */
  readonly search?:
    | {
        readonly index: SearchIndex;
        readonly keeper?: Pick<KeepSearchIndex, 'want'>;
        /** Words that mean the same, both ways. */
        readonly synonyms?: Synonyms | undefined;
      }
    | undefined;
  /** Counts of reads, unless nothing is counted. */
  readonly usage?: { readonly store: UsageStore; readonly countReads: CountReads } | undefined;
  /** The record of changes. @default none */
  readonly audit?: Audit | undefined;
}

/**
 * Creates all use cases on these ports.
 * @param previewMs lifetime of a preview whose upload names none, in milliseconds; 0 keeps such previews
 * @param retention rules of retention for projects without rules of their own
 */
export function createUseCases(
  ports: Ports,
  limits: UploadLimits = DEFAULT_UPLOAD_LIMITS,
  previewMs?: number,
  retention?: RetentionRules,
) {
  const { docs, tokens, archives, comparison, markdown, linkChecking, house, disk, direct } = ports;
  const { people, search, usage, audit = new Audit() } = ports;
  const changes = new Changes(docs, audit);
  const known = new TokensWithMade(tokens, docs, changes);
  const redirects = new RedirectRules(docs);
  const byName = new PagesByName(docs);
  const pages = new FindPage(docs, redirects, byName);
  const addresses = new SiteAddresses(docs);
  const goToPage = new GoToPage(docs, pages);
  const suggestInstead = new SuggestInstead(docs, goToPage, undefined, byName);
  const drawnPages = new DrawnPages(docs, markdown);
  const markdownPages = new MarkdownPages(docs, markdown, drawnPages);
  const compareVersions = new CompareVersions(docs, comparison, pages);
  const knownLinks = linkChecking && new KnownLinks(docs);
  const checkLinks = linkChecking && new CheckLinks(docs, linkChecking, knownLinks);
  const houseLinks =
    linkChecking && checkLinks && house && new HouseLinks(docs, checkLinks, linkChecking, pages, house);
  const reads = usage && new ProjectReads(docs, usage.store);
  const listProjects = new ListProjects();
  /** Bytes that a project takes in the store, by its directory name. */
  const diskUse = (project: string) => docs.diskUse(project);
  const searchPages =
    search &&
    new SearchPages(docs, search.index, {
      onMissing: (...missing) => search.keeper?.want(...missing),
      synonyms: search.synonyms,
      reads,
    });
  const useCases = {
    audit,
    authenticate: new Authenticate(known, people),
    makeTokens: new MakeTokens(known, docs, changes),
    uploadVersion: new UploadVersion(docs, changes, archives, limits, disk, previewMs, checkLinks),
    deleteVersion: new DeleteVersion(docs, changes),
    listProjects,
    projectTable: new ProjectTable(listProjects, diskUse, knownLinks, reads),
    recentChanges: new RecentChanges(docs, changes),
    manageProject: new ManageProject(docs, changes),
    diskUse,
    showPreviews: new ShowPreviews(),
    expirePreviews: new ExpirePreviews(docs, changes),
    applyRetention: new ApplyRetention(docs, changes, retention),
    downloadVersion: new DownloadVersion(docs, direct),
    restoreVersion: new RestoreVersion({ docs, changes, disk, minFreeBytes: limits.minFreeBytes, previewMs }),
    readPage: new ReadPage(docs, pages, addresses),
    readMarkdown: new ReadMarkdown(markdown),
    listPages: new ListPages(docs, drawnPages),
    goToPage,
    siteAddresses: addresses,
    canonicalPage: new CanonicalPage(pages, addresses),
    suggestInstead,
    compareVersions,
    showLinks: new ShowLinks(checkLinks, houseLinks),
    /** Undefined: links between sites are not checked. */
    houseLinks,
    /** Undefined: links are not checked. */
    knownLinks,
    readDocs: new ReadDocs(markdownPages, markdown, drawnPages, pages, suggestInstead, usage?.countReads),
    /** Undefined: search is off. */
    searchDocs: searchPages && new SearchDocs(searchPages, markdownPages, markdown, usage?.countReads),
    /** Undefined: search is off. */
    searchPages,
    /** Undefined: nothing is counted. */
    countReads: usage?.countReads,
    /** Undefined: nothing is counted, or search is off. */
    showSearches: usage && searchPages && new ShowSearches(usage.store),
    showUsage: usage && new ShowUsage(usage.store, pages, suggestInstead),
  };
  return audited(useCases, audit);
}
