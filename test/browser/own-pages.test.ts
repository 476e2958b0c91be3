import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, COLOUR_RULES, describeInBrowser } from '../support/browser.js';
import { everyRoute, requestTo } from '../support/every-route.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';
import { OWN_PAGES, startWithPages } from '../support/own-pages.js';
import type { TestServer } from '../support/server.js';
import { assertKeyboardReachesAll } from '../support/tab-stops.js';
import { until } from '../support/until.js';

/** Widths of a telephone and of a desk. */
const WIDTHS = [390, 1280];

describeInBrowser('The own pages', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await startWithPages(new MemorySearchIndex(), new MemoryUsageStore());
  });
  after(() => server.close());
  /** Waits until scripts have added what they add by themselves: the pages that a search finds, and stars. */
  const settled = (page: Page) =>
    until(
      async () =>
        (await page.locator('[aria-busy]').count()) === 0 &&
        (await page.locator('#found .project').count()) === (await page.locator('#found .star').count()),
    );
  const isOwn = (html: string) => html.includes('class="skip-link"');
  const routeOf = (path: string) => path.replace(/\?.*/, '');

  it('are all listed in this test', async () => {
    const listed = new Set(Object.values(OWN_PAGES).map(routeOf));
    const routes = everyRoute().filter(({ method, host }) => method === 'GET' && host === 'main');
    assert.ok(routes.length > 40);
    for (const route of routes) {
      const { path } = requestTo(route, 'sample');
      const response = await server.get(path);
      if (!isOwn(await response.text()) || response.status !== 200) continue;
      assert.ok(listed.has(routeOf(path)), path);
    }
    for (const path of listed) assert.ok(isOwn(await (await server.get(path)).text()), path);
  });

  for (const [name, path] of Object.entries(OWN_PAGES)) {
    it(`satisfy axe in light and dark, fit the screen, and are usable by Tab alone with a visible focus: ${name}`, (test) =>
      browser.see(server.url + path, {}, async (page) => {
        await settled(page);
        for (const width of WIDTHS) {
          await test.test(`${width} px`, async () => {
            await page.setViewportSize({ width, height: 800 });
            await page.emulateMedia({ colorScheme: 'light' });
            await assertAccessible(page);
            await assertFits(page);
            await page.emulateMedia({ colorScheme: 'dark' });
            await assertAccessible(page, COLOUR_RULES);
            await assertFits(page);
          });
        }
        for (const width of WIDTHS) {
          await test.test(`by Tab, ${width} px`, async () => {
            await page.setViewportSize({ width, height: 800 });
            await assertKeyboardReachesAll(page);
          });
        }
      }));
  }

  describe('Opened elements of own pages', () => {
    const focused = (page: Page) => page.locator(':focus');

    it('open the search by its link, and return the focus there after Escape', () =>
      browser.see(`${server.url}/help`, {}, async (page) => {
        const link = page.locator('.search-link');
        await link.focus();
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Search' });
        await dialog.waitFor();
        assert.equal(await focused(page).getAttribute('type'), 'search');
        await page.keyboard.press('Tab');
        assert.equal(await focused(page).textContent(), 'Esc');
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        assert.equal(await focused(page).getAttribute('class'), await link.getAttribute('class'));
      }));

    it('manage a project by Tab alone, and return the focus to the button after a question', () =>
      browser.see(`${server.url}/-/manage/sample`, {}, async (page) => {
        await page.fill('#token', 'secret-admin');
        await page.keyboard.press('Enter');
        await page.locator('#managed').waitFor();
        await assertKeyboardReachesAll(page);
        for (const button of ['Delete 2.0', 'Deprecate 2.0']) {
          await page.getByRole('button', { name: button, exact: true }).focus();
          await page.keyboard.press('Enter');
          await page.locator('#question[open]').waitFor();
          await assertKeyboardReachesAll(page, 'dialog[open]');
          await page.keyboard.press('Escape');
          await page.locator('#question').waitFor({ state: 'hidden' });
          assert.equal(await focused(page).getAttribute('aria-label'), button);
        }
      }));
  });
});
