import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, describeInBrowser, VIEWS, type View } from '../support/browser.js';
import { builtSite } from '../support/builders/built-sites.js';
import { VITEPRESS_CLEAN } from '../support/builders/sites-with-a-router.js';
import type { TestServer } from '../support/server.js';
import { DOMAIN, startWithHosts } from '../support/server-with-hosts.js';

/** Folder for a picture of each page in each view, to look at. */
const PICTURES = process.env.LECTERN_PICTURES;

async function picture(seen: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await seen.screenshot({ path: `${PICTURES}/hosts-${name}.png` });
}

/** A site as Docusaurus and its like build it for the root of a host: all links begin with `/`. */
const page = (title: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title><link rel="stylesheet" href="/assets/main.css"></head>
<body><main><h1>${title}</h1><p>Cold water, up to the line.</p><a href="/guide/">Guide</a></main>
<script type="module" src="/assets/main.js"></script></body></html>`;

async function started(isRedirecting: boolean) {
  const { server, main, on } = await startWithHosts(isRedirecting);
  for (const label of ['1.0', '2.0']) {
    await server.upload(`tool-${label}-docs.zip`, {
      'index.html': page(`front ${label}`),
      'guide/index.html': page(`guide ${label}`),
      '404.html': page('nothing here'),
      ...(label === '1.0' ? { 'old/index.html': page('old') } : {}),
      'assets/main.css': 'body { background: rgb(250, 240, 230) }',
      'assets/main.js': "document.body.dataset.ran = 'yes'",
      'logo.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>',
      'docinfo.json': '{"name":"Tool","logo":"logo.svg"}',
    });
  }
  await server.upload('files-1.0-docs.zip', { 'a.txt': 'a' });
  await server.isIndexed();
  return { server, at: (label: string) => (label === '' ? main : on(label)) };
}

const isStyled = async (seen: Page) =>
  (await seen.evaluate(
    "getComputedStyle(document.body).backgroundColor + ' ' + document.body.dataset.ran",
  )) === 'rgb(250, 240, 230) yes';

describeInBrowser('A server with project hosts', (browser) => {
  let server: TestServer;
  let at: (label: string) => string;
  before(async () => {
    ({ server, at } = await started(false));
  });
  after(() => server.close());
  const see = (url: string, view: View, look: (seen: Page) => Promise<void>) =>
    browser.see(url, { ...view, hosts: DOMAIN }, look);

  it('serves a site built for the root of a host with its styles and scripts, and redirects its path there', async () => {
    await see(`${at('tool')}/`, {}, async (seen) => {
      await seen.waitForFunction('document.body?.dataset.ran');
      assert.ok(await isStyled(seen));
      await seen.getByRole('link', { name: 'Guide' }).click();
      await seen.waitForURL(`${at('tool')}/guide/`);
      assert.ok(await isStyled(seen));
    });
    await see(`${at('')}/tool-2.0/`, {}, async (seen) => {
      assert.equal(seen.url(), `${at('2-0--tool')}/`);
      assert.ok(await isStyled(seen));
    });
  });

  for (const [name, view] of VIEWS) {
    it(`switches to the same page on the hosts of other versions (${name})`, () =>
      see(`${at('1-0--tool')}/guide/?q=1#top`, view, async (seen) => {
        await seen.getByRole('button', { name: 'Version 1.0' }).click();
        const links = seen.locator('lectern-switcher .more a');
        assert.deepEqual(
          await links.evaluateAll((all) => all.map((each) => (each as unknown as { href: string }).href)),
          [`${at('')}/-/projects/tool`, `${at('')}/`],
        );
        await picture(seen, `switcher-${name}`);
        await assertAccessible(seen);
        await seen.locator('lectern-switcher .versions').getByText('2.0').click();
        await seen.waitForURL(`${at('2-0--tool')}/guide/?q=1#top`);
        assert.equal(await seen.locator('h1').innerText(), 'guide 2.0');
      }));

    it(`shows a message and a link to the main host on a host without a site (${name})`, () =>
      see(`${at('nothing')}/guide/`, view, async (seen) => {
        assert.match(await seen.locator('main').innerText(), /Nothing is published at this host/);
        await assertFits(seen);
        await assertAccessible(seen);
        await picture(seen, `nothing-${name}`);
        await seen.getByRole('link', { name: 'All projects' }).click();
        await seen.waitForURL(`${at('')}/`);
      }));

    it(`lists the files of a version without a front page (${name})`, () =>
      see(`${at('files')}/`, view, async (seen) => {
        await seen.getByRole('button', { name: 'Version 1.0' }).waitFor();
        await assertFits(seen);
        await assertAccessible(seen);
        await picture(seen, `files-${name}`);
        await seen.getByRole('link', { name: 'a.txt' }).click();
        await seen.waitForURL(`${at('files')}/a.txt`);
      }));
  }

  it("links from the notice on the front page to the project's host", () =>
    see(`${at('1-0--tool')}/`, {}, async (seen) => {
      await seen.getByRole('link', { name: 'Read this page in 2.0' }).click();
      await seen.waitForURL(`${at('tool')}/`);
    }));

  it('names the versions that have a missing page', () =>
    see(`${at('tool')}/old/`, {}, async (seen) => {
      await seen.locator('lectern-switcher .banner').getByRole('link', { name: '1.0' }).click();
      await seen.waitForURL(`${at('1-0--tool')}/old/`);
    }));

  it("keeps the switcher's search on the host", () =>
    see(`${at('2-0--tool')}/`, {}, async (seen) => {
      await seen.getByRole('button', { name: 'Search in Tool' }).click();
      await seen.getByRole('searchbox').fill('guide');
      await seen.locator('.hit-link').first().click();
      await seen.waitForURL(`${at('2-0--tool')}/guide/**`);
    }));

  it('passes the versions with absolute addresses to the script for themes', () =>
    see(`${at('1-0--tool')}/guide/`, {}, async (seen) => {
      await seen.evaluate("import('/-/readthedocs.js')");
      const address = 'ReadTheDocsEventData.data().versions.active[0].urls.documentation';
      assert.equal(await seen.evaluate(address), `${at('1-0--tool')}/-/go/tool-2.0/guide/`);
    }));

  it('isolates a site from the main host and other sites, and from their browser storage', () =>
    browser.see(`${at('tool')}/`, { foreign: true }, async (seen) => {
      await seen.evaluate("localStorage.setItem('mine', '1')");
      for (const address of [`${at('')}/`, `${at('')}/api/projects`, `${at('1-0--tool')}/`]) {
        const read = `fetch('${address}').then((answer) => answer.status, () => 'refused')`;
        assert.equal(await seen.evaluate(read), 'refused', address);
      }
      await seen.goto(`${at('1-0--tool')}/`);
      assert.equal(await seen.evaluate("localStorage.getItem('mine')"), null);
    }));

  it('serves a site built by VitePress with its default base', async (t) => {
    const site = await builtSite(VITEPRESS_CLEAN.at('/'));
    if ('unavailable' in site) return t.skip(site.unavailable);
    await server.upload('kettle-1.0-docs.zip', await site.zip());
    await see(`${at('kettle')}/`, {}, async (seen) => {
      await seen.getByRole('button', { name: 'Version 1.0' }).waitFor();
      await seen.getByRole('link', { name: 'Cleaning' }).first().click();
      await seen.getByText('Vinegar.').waitFor();
      assert.match(seen.url(), /\/cleaning/);
      await picture(seen, 'vitepress');
      const font = await seen.evaluate('getComputedStyle(document.querySelector("main h1")).fontFamily');
      assert.match(String(font), /Inter/);
    });
  });
});

describeInBrowser('A server with redirects to project hosts', (browser) => {
  it('shows logos on the index, and links to the hosts', async (t) => {
    const { server, at } = await started(true);
    t.after(() => server.close());
    await browser.see(`${at('')}/`, { hosts: DOMAIN }, async (seen) => {
      const logo = `img[src="${at('2-0--tool')}/logo.svg"]`;
      await seen.locator(logo).waitFor();
      await seen.waitForFunction(`document.querySelector('${logo}')?.naturalWidth > 0`);
      await seen.goto(`${at('')}/tool-1.0/guide/#top`);
      assert.equal(seen.url(), `${at('1-0--tool')}/guide/#top`);
      assert.ok(await isStyled(seen));
    });
  });

  it('shows a page beside its changes, with links to its anchors', async (t) => {
    const { server, at } = await started(true);
    t.after(() => server.close());
    for (const [label, text] of [
      ['1.0', 'cold'],
      ['2.0', 'warm'],
    ]) {
      await server.upload(`cup-${label}-docs.zip`, {
        'index.html': `<!doctype html><title>Cup</title><main><h1>Cup</h1><h2 id="water">Water</h2><p>It is ${text}.</p></main>`,
      });
    }
    // The console says that the switcher does not run in the frame.
    const view = { hosts: DOMAIN, foreign: true };
    await browser.see(`${at('')}/-/compare/cup/1.0/2.0/?view=page`, view, async (seen) => {
      await seen.frameLocator('iframe').getByText('It is warm.').waitFor();
      await seen.locator('.compared-change').click();
      await seen.frame({ name: 'compared-page' })?.waitForURL(`${at('2-0--cup')}/#water`);
    });
  });
});
