import type { ComponentType } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { FeedModel, PageModels, PageOf, Pages } from '../../application/index.js';
import { type Addresses, addressesAt } from './addresses.js';
import { PageContext, type Site, takesTokens } from './components/page-context.js';
import { helpText } from './help/help-content.js';
import { ApiPage } from './pages/api-page.js';
import { HelpPage, PublishingPage } from './pages/help-page.js';
import { IndexPage, IndexPart } from './pages/index-page.js';
import { ListingPage } from './pages/listing-page.js';
import { ManagePage } from './pages/manage-page.js';
import { FailurePage, MissingPage } from './pages/missing-page.js';
import { ProjectPage } from './pages/project-page.js';
import { SearchPage, SearchPart } from './pages/search-page.js';
import { TablePage } from './pages/table-page.js';
import { UploadPage } from './pages/upload-page.js';
import { atomFeed, badge, openSearchDescription } from './xml.js';

/**
 * The HTML pages: the component of each page.
 *
 * To add a page: declare what it shows in `PageModels`, write a component in `pages/` that returns a `<Layout>`, name it
 * here, and add it to the samples in `test/web/samples.ts`, so that the tests for all pages cover it. Links come from
 * `addresses.ts`; colours, type and space from the tokens at the top of `public/-/assets/lectern.css`.
 */
export class HtmlPages implements Pages {
  readonly index = this.page(IndexPage);
  readonly indexPart = this.part(IndexPart);
  readonly table = this.page(TablePage);
  readonly project = this.page(ProjectPage);
  readonly search = this.page(SearchPage);
  readonly searchPart = this.part(SearchPart);
  readonly api = this.page(ApiPage);
  readonly help = this.page(HelpPage);
  readonly publishing = this.page(PublishingPage);
  readonly missing = this.page(MissingPage);
  readonly listing = this.page(ListingPage);
  readonly failure = this.page(FailurePage);
  readonly badge = badge;

  private readonly uploadPage = this.page(UploadPage);
  private readonly managePage = this.page(ManagePage);
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

  of<Model extends object>(page: PageOf<Model>, model: Model): string {
    return this.page(page as ComponentType<Model>)(model);
  }

  upload(model: PageModels['upload']): string | undefined {
    return takesTokens(this.site) ? this.uploadPage(model) : undefined;
  }

  manage(model: PageModels['manage']): string | undefined {
    return takesTokens(this.site) ? this.managePage(model) : undefined;
  }

  openSearch({ address }: { readonly address: string }): string {
    const { title = 'Lectern', logo } = this.site.identity ?? {};
    const icon = logo ?? '/-/assets/favicon.svg';
    return openSearchDescription(title, { search: `${address}/-/search`, icon: address + icon });
  }

  feed(model: FeedModel): string {
    return atomFeed(this.site.identity?.title ?? 'Lectern', model);
  }

  helpText(model: PageModels['help']): string {
    return helpText({ ...this.site, ...model });
  }

  private page<Model extends object>(Page: ComponentType<Model>): (model: Model) => string {
    const render = this.part(Page);
    return (model) => `<!doctype html>\n${render(model)}\n`;
  }

  private part<Model extends object>(Part: ComponentType<Model>): (model: Model) => string {
    return (model) => {
      const { site, addresses } = this;
      return renderToString(
        <PageContext.Provider value={{ site, addresses }}>
          <Part {...model} />
        </PageContext.Provider>,
      );
    };
  }
}
