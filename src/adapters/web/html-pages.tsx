import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Project } from '../../domain/index.js';
import { type Addresses, addressesAt } from './addresses.js';
import { badge } from './badge.js';
import { AddressesOfPage } from './components/addresses.js';
import type { Site } from './components/layout.js';
import { helpText } from './help/help-text.js';
import { ApiPage, type ApiPageProps } from './pages/api-page.js';
import { FailurePage, type FailurePageProps } from './pages/failure-page.js';
import { HelpPage, type HelpPageProps } from './pages/help-page.js';
import { IndexPage, type IndexPageProps } from './pages/index-page.js';
import { ListingPage, type ListingPageProps } from './pages/listing-page.js';
import { MissingPage, type MissingPageProps } from './pages/missing-page.js';
import { ProjectPage, type ProjectPageProps } from './pages/project-page.js';
import { UploadPage, type UploadPageProps } from './pages/upload-page.js';

/**
 * The pages that people see. Each method takes plain facts and returns a complete HTML document.
 *
 * To add a page: write a component in `pages/` that returns a `<Layout>`, give it a method here, and add it to
 * the samples in `test/web/samples.ts`, so that the rules for all pages are tried on it. Links come from
 * `addresses.ts`; colours, type and space from the tokens at the top of `public/-/assets/lectern.css`.
 */
export class HtmlPages {
  private readonly addresses: Addresses;

  /**
   * @param site the version of Lectern for the footer, whether the server has tokens, and whether pages take them
   * @param basePath what stands in front of every link: starts with `/`, and does not end with one; or empty
   */
  constructor(
    private readonly site: Site,
    basePath = '',
  ) {
    this.addresses = addressesAt(basePath);
  }

  /** `/`: the projects as given, with their versions. An empty `search` means that all of them are shown. */
  index(facts: Facts<IndexPageProps>): string {
    return this.document(<IndexPage site={this.site} {...facts} />);
  }

  /** `/-/projects/<project>`: everything that is known of one project. */
  project(facts: Facts<ProjectPageProps>): string {
    return this.document(<ProjectPage site={this.site} {...facts} />);
  }

  /** `/-/badge/<project>.svg`: an image, the only one here that is no page. */
  badge({ project }: { readonly project: Project | undefined }): string {
    return badge(project);
  }

  /** `/-/upload`; undefined when the server has no tokens, or is to have no such page. */
  upload(facts: Facts<UploadPageProps>): string | undefined {
    const { uploads, uploadPage } = this.site;
    return uploads && uploadPage ? this.document(<UploadPage site={this.site} {...facts} />) : undefined;
  }

  /** `/-/api`: what `/api/spec` says, for people, with forms to try it; undefined when left out with the upload page. */
  api(facts: Facts<ApiPageProps>): string | undefined {
    return this.site.uploadPage ? this.document(<ApiPage site={this.site} {...facts} />) : undefined;
  }

  /** `/help`, with the server's own `address` (`http://host:8080`) in every example, and the status of each error. */
  help(facts: Facts<HelpPageProps>): string {
    return this.document(<HelpPage site={this.site} {...facts} />);
  }

  /** The same as plain text, for programs. */
  helpText(facts: Facts<HelpPageProps>): string {
    return helpText({ ...this.site, ...facts });
  }

  /** 404: what is missing, and what exists instead. */
  missing(facts: Facts<MissingPageProps>): string {
    return this.document(<MissingPage site={this.site} {...facts} />);
  }

  /** The root of a site that has no `index.html`. `more` says that `files` is only the beginning. */
  listing(facts: Facts<ListingPageProps>): string {
    return this.document(<ListingPage site={this.site} {...facts} />);
  }

  /** Any other error. `message` is for people and holds no internals; `requestId` ties the page to the log. */
  failure(facts: Facts<FailurePageProps>): string {
    return this.document(<FailurePage site={this.site} {...facts} />);
  }

  private document(page: VNode): string {
    const placed = <AddressesOfPage.Provider value={this.addresses}>{page}</AddressesOfPage.Provider>;
    return `<!doctype html>\n${renderToString(placed)}\n`;
  }
}

type Facts<Props> = Omit<Props, 'site'>;
