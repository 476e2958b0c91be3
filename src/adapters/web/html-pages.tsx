import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Version } from '../../domain/index.js';
import { type Addresses, addressesAt } from './addresses.js';
import { badge } from './badge.js';
import { PageContext, type Site } from './components/page-context.js';
import { helpText } from './help/help-text.js';
import { ApiPage, type ApiPageProps } from './pages/api-page.js';
import { ComparedPagePage, type ComparedPageProps } from './pages/compared-page.js';
import { ComparisonPage, type ComparisonPageProps } from './pages/comparison-page.js';
import { FailurePage, type FailurePageProps } from './pages/failure-page.js';
import { HelpPage, type HelpPageProps } from './pages/help-page.js';
import { IndexPage, type IndexPageProps } from './pages/index-page.js';
import { ListingPage, type ListingPageProps } from './pages/listing-page.js';
import { MissingPage, type MissingPageProps } from './pages/missing-page.js';
import { ProjectPage, type ProjectPageProps } from './pages/project-page.js';
import { SearchPage, type SearchPageProps } from './pages/search-page.js';
import { UploadPage, type UploadPageProps } from './pages/upload-page.js';
import { UsagePage, type UsagePageProps } from './pages/usage-page.js';

/**
 * The HTML pages. Each method takes plain facts and returns a complete document.
 *
 * To add a page: write a component in `pages/` that returns a `<Layout>`, give it a method here, and add it to
 * the samples in `test/web/samples.ts`, so that the tests for all pages cover it. Links come from
 * `addresses.ts`; colours, type and space from the tokens at the top of `public/-/assets/lectern.css`.
 */
export class HtmlPages {
  private readonly addresses: Addresses;

  /**
   * @param site the version of Lectern for the footer, whether the server has tokens, whether pages take them, and
   *   whether pages can be searched for
   * @param to returns the address of a path on this server, for links; by default the path
   */
  constructor(
    private readonly site: Site,
    to = (path: string) => path,
  ) {
    this.addresses = addressesAt(to);
  }

  /** `/`: the given projects with their latest versions. */
  index(facts: IndexPageProps): string {
    return this.document(<IndexPage {...facts} />);
  }

  /** `/-/projects/<project>`: one project with all its versions. */
  project(facts: ProjectPageProps): string {
    return this.document(<ProjectPage {...facts} />);
  }

  /** `/-/search`: the pages that a search has found. */
  search(facts: SearchPageProps): string {
    return this.document(<SearchPage {...facts} />);
  }

  /** `/-/badge/<project>.svg`: an image, not a page. */
  badge({ version }: { readonly version: Version | undefined }): string {
    return badge(version);
  }

  /** `/-/upload`; undefined when the server has no tokens, or the page is turned off. */
  upload(facts: UploadPageProps): string | undefined {
    const { uploads, uploadPage } = this.site;
    return uploads && uploadPage ? this.document(<UploadPage {...facts} />) : undefined;
  }

  /** `/-/api`: the API description, with a command and examples for each operation. */
  api(facts: ApiPageProps): string {
    return this.document(<ApiPage {...facts} />);
  }

  /** `/help`, with the server's own `address` (`http://host:8080`) in every example, and the status of each error. */
  help(facts: HelpPageProps): string {
    return this.document(<HelpPage {...facts} />);
  }

  /** The help as plain text. */
  helpText(facts: HelpPageProps): string {
    return helpText({ ...this.site, ...facts });
  }

  /** 404: the missing part of the address, with suggestions. */
  missing(facts: MissingPageProps): string {
    return this.document(<MissingPage {...facts} />);
  }

  /** The root of a site without `index.html`. `more`: the site has more files than `files`. */
  listing(facts: ListingPageProps): string {
    return this.document(<ListingPage {...facts} />);
  }

  /** `/-/compare/<project>/<version>/<version>`: the pages in which two versions differ. */
  comparison(facts: ComparisonPageProps): string {
    return this.document(<ComparisonPage {...facts} />);
  }

  /** `/-/compare/<project>/<version>/<version>/<page>`: what a page says in both. */
  comparedPage(facts: ComparedPageProps): string {
    return this.document(<ComparedPagePage {...facts} />);
  }

  /** `/-/projects/<project>/usage`: how a project is read. */
  usage(facts: UsagePageProps): string {
    return this.document(<UsagePage {...facts} />);
  }

  /** Any other error. `message` is for people and holds no internals; `requestId` ties the page to the log. */
  failure(facts: FailurePageProps): string {
    return this.document(<FailurePage {...facts} />);
  }

  private document(page: VNode): string {
    const { site, addresses } = this;
    const placed = <PageContext.Provider value={{ site, addresses }}>{page}</PageContext.Provider>;
    return `<!doctype html>\n${renderToString(placed)}\n`;
  }
}
