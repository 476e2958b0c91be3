import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { ask } from '../../support/ask-host.js';
import { describeInBrowser } from '../../support/browser.js';
import { builtSite } from '../../support/builders/built-sites.js';
import { builtFor, publish } from '../../support/builders/published.js';
import { PAGES, type PageName, SITES_WITH_A_ROUTER } from '../../support/builders/sites-with-a-router.js';
import { assertShows } from '../../support/builders/walk-through.js';
import type { TestServer } from '../../support/server.js';
import { DOMAIN, startWithHosts } from '../../support/server-with-hosts.js';

const MAX_REDIRECTS = 2;

interface End {
  readonly address: string;
  readonly type: string;
  readonly text: string;
}

/** All that the server hands out links in. */
class Links {
  constructor(
    private readonly server: TestServer,
    private readonly main: string,
    private readonly project: string,
    private readonly addressOf: (page: PageName) => string,
  ) {}

  /** Follows redirects, and asserts that they are few, go nowhere twice, and end at something. */
  async end(address: string): Promise<End> {
    const seen: string[] = [];
    for (let next = address; ; ) {
      const { host, pathname, search } = new URL(next, this.main);
      const here = `http://${host}${pathname}${search}`;
      assert.ok(!seen.includes(here) && seen.length <= MAX_REDIRECTS, `${address}: ${[...seen, here]}`);
      seen.push(here);
      const { status, headers, body } = await ask(this.server, host, pathname + search);
      if (status < 300 || status > 399) {
        assert.equal(status, 200, `${address}: ${seen}`);
        return { address: here, type: headers['content-type'] ?? '', text: body };
      }
      next = new URL(headers.location ?? '', here).href;
    }
  }

  /** Addresses of pages, by what has them. */
  async all(): Promise<Readonly<Record<string, readonly string[]>>> {
    const { project, addressOf } = this;
    const pages = Object.keys(PAGES) as PageName[];
    const directories = ['1.0', 'latest', 'stable'].map((version) => `${project}-${version}`);
    const sitemap = `/sitemap.xml?project=${project}`;
    return {
      index: await this.hrefs('/'),
      'page of the project': await this.hrefs(`/-/projects/${project}`),
      'page of results': await this.hrefs(`/-/search?q=Vinegar&project=${project}`),
      search: (await Promise.all(pages.map((page) => this.results(PAGES[page].text)))).flat(),
      'canonical addresses': await Promise.all(pages.map((page) => this.canonical(addressOf(page)))),
      sitemap: this.matches((await this.end(sitemap)).text, /<loc>([^<]+)<\/loc>/g),
      'llms.txt': (await Promise.all(directories.map((each) => this.listed(`/${each}/llms.txt`)))).flat(),
      'addresses of /-/go/': directories.flatMap((each) =>
        pages.map((page) => encodeURI(`/-/go/${each}/${addressOf(page)}`)),
      ),
      // A theme appends the path of a page.
      'versions.json': this.matches(
        (await this.end(`/-/projects/${project}/versions.json?format=pydata`)).text,
        /"url":"([^"]+-1\.0\/)"/g,
      ).flatMap((url) => pages.map((page) => encodeURI(url + addressOf(page)))),
    };
  }

  private matches(text: string, pattern: RegExp): string[] {
    return [...text.matchAll(pattern)].map(([, found = '']) => found.replaceAll('&amp;', '&'));
  }

  private async hrefs(path: string): Promise<string[]> {
    const { text } = await this.end(path);
    const { project } = this;
    const isOfSite = (href: string) => {
      const { host, pathname } = new URL(href, this.main);
      if (pathname.endsWith('.zip') || pathname.startsWith('/-/')) return false;
      return (
        new RegExp(`^/${project}-(?:1\\.0|latest|stable)/`).test(pathname) ||
        new RegExp(`^(?:1-0--|stable--)?${project}\\.`).test(host)
      );
    };
    return this.matches(text, /href="([^"]+)"/g).filter(isOfSite);
  }

  private async results(text: string): Promise<string[]> {
    const { results } = await this.server.json(
      `/api/search?q=${encodeURIComponent(`"${text}"`)}&project=${this.project}`,
    );
    assert.ok(results.length > 0, text);
    return results.map(({ url }: { url: string }) => url);
  }

  private async canonical(page: string): Promise<string> {
    const { address } = await this.end(encodeURI(`/${this.project}-1.0/${page}`));
    const { host, pathname } = new URL(address);
    const { headers } = await ask(this.server, host, pathname);
    const [, canonical] = /<([^>]+)>; rel="canonical"/.exec(String(headers.link)) ?? [];
    return canonical ?? assert.fail(`${address} has no canonical address: ${headers.link}`);
  }

  private async listed(path: string): Promise<string[]> {
    const { address, text } = await this.end(path);
    return this.matches(text, /\]\(([^)]+)\)/g).map((link) => new URL(link, address).href);
  }
}

for (const isRedirecting of [false, true]) {
  const where = isRedirecting ? 'that redirect to hosts' : 'beside hosts';
  describeInBrowser(`Links to sites with a router, with path addresses ${where},`, (browser) => {
    let server: TestServer;
    let main: string;
    before(async () => {
      ({ server, main } = await startWithHosts(isRedirecting));
    });
    after(() => server.close());

    for (const site of SITES_WITH_A_ROUTER) {
      for (const base of ['version', ...site.bases.filter((each) => each === 'root')] as const) {
        const title = `lead to their pages: ${site.setting}, built for ${base === 'root' ? 'the root of a host' : 'the address of its version'}`;
        it(title, async (test) => {
          const build = builtFor(site, base);
          const built = await builtSite(build.builder);
          if ('unavailable' in built) return test.skip(built.unavailable);
          const { project } = build;
          // An older version, from which the switcher leads to the latest one.
          const old = `<!doctype html><html lang="en"><title>old</title><link rel="icon" href="data:,"><main><h1>Old</h1><p>Old.</p></main>`;
          await server.upload(`${project}-0.9-docs.zip`, { 'index.html': old, 'guide.html': old });
          await publish(server, build, await built.zip());
          await server.isIndexed();

          const links = new Links(server, main, project, site.addressOf);
          /** Pages by the address at which one is: as links of the site have it, and by the names of files. */
          const ends = new Map<string, PageName>();
          const others = new Map<string, PageName>();
          for (const [source, addresses] of Object.entries(await links.all())) {
            assert.ok(addresses.length > 0, `${source}: no links`);
            for (const address of new Set(addresses)) {
              const { address: end, type, text } = await links.end(address);
              const path = decodeURI(new URL(end).pathname);
              const name = path.replace(base === 'root' ? /^\// : `/${build.directory}/`, '');
              const page = name.replace(
                /(?:^index\.html|\/index\.html|\.html|\/)?(?:\.md)?$/,
                '',
              ) as PageName;
              assert.ok(page in PAGES, `${source}: ${address} ends at ${end}`);
              assert.ok(text.includes(PAGES[page].text), `${source}: ${end}`);
              if (type.startsWith('text/html'))
                (name === site.addressOf(page) ? ends : others).set(end, page);
            }
          }
          // At `guide.html` Docusaurus without slashes shows the page, but React says that it renders it anew (its error 418).
          if (others.size > 0) {
            await browser.see('about:blank', { foreign: true }, async (seen) => {
              for (const [address, page] of others) {
                await seen.goto(address);
                await assertShows(seen, site, page);
              }
            });
          }
          await browser.see(
            'about:blank',
            { hosts: DOMAIN },
            async (seen) => {
              for (const [address, page] of ends) {
                await seen.goto(address);
                await assertShows(seen, site, page);
              }
              await seen.goto(
                isRedirecting ? `http://0-9--${project}.${new URL(main).host}/` : `${main}/${project}-0.9/`,
              );
              await seen.getByRole('link', { name: 'Read this page in 1.0' }).click();
              await assertShows(seen, site, '');
            },
            [],
          );
        });
      }
    }
  });
}
