import type { RetentionRules } from '../domain/index.js';
import { ReadDocs } from './agents/read-docs.js';
import { SearchDocs } from './agents/search-docs.js';
import { Authenticate } from './authenticate.js';
import { Changes } from './changes.js';
import { CompareVersions } from './comparison/compare-versions.js';
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
import type { PageComparison } from './ports/page-comparison.js';
import type { PageMarkdown } from './ports/page-markdown.js';
import type { SearchIndex, Synonyms } from './ports/search-index.js';
import type { DirectDownloads, LocalStore } from './ports/store-abilities.js';
import type { TokenRegistry } from './ports/token-registry.js';
import type { UsageStore } from './ports/usage-store.js';
import { ExpirePreviews, ShowPreviews } from './previews.js';
import { ListProjects } from './projects/list-projects.js';
import { ManageProject } from './projects/manage-project.js';
import { ApplyRetention } from './retention.js';
import { MakeTokens, TokensWithMade } from './tokens/made-tokens.js';
import type { CountReads } from './usage/count-reads.js';
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
  readonly archives: Archives;
  readonly comparison: PageComparison;
  readonly markdown: PageMarkdown;
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
}

/**
 * Creates all use cases on these ports.
 * @param previewMs lifetime of a preview whose upload names none, in milliseconds; 0 keeps such previews
 * @param retention rules of retention for projects without rules of their own
 */
export function createUseCases(
  { docs, tokens, archives, comparison, markdown, disk, direct, search, usage }: Ports,
  limits: UploadLimits = DEFAULT_UPLOAD_LIMITS,
  previewMs?: number,
  retention?: RetentionRules,
) {
  const changes = new Changes(docs);
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
  const searchPages =
    search &&
    new SearchPages(docs, search.index, {
      onMissing: (...missing) => search.keeper?.want(...missing),
      synonyms: search.synonyms,
      reads: usage && new ProjectReads(docs, usage.store),
    });
  return {
    authenticate: new Authenticate(known),
    makeTokens: new MakeTokens(known, docs, changes),
    uploadVersion: new UploadVersion(docs, changes, archives, limits, disk, previewMs),
    deleteVersion: new DeleteVersion(docs, changes),
    listProjects: new ListProjects(),
    manageProject: new ManageProject(docs, changes),
    /** Bytes that a project takes in the store, by its directory name. */
    diskUse: (project: string) => docs.diskUse(project),
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
    readDocs: new ReadDocs(markdownPages, markdown, drawnPages, pages, suggestInstead, usage?.countReads),
    /** Undefined: search is off. */
    searchDocs: searchPages && new SearchDocs(searchPages, markdownPages, markdown),
    /** Undefined: search is off. */
    searchPages,
    /** Undefined: nothing is counted. */
    countReads: usage?.countReads,
    showUsage: usage && new ShowUsage(usage.store, pages, suggestInstead),
  };
}
