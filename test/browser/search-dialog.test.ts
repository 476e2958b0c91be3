import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { assertAccessible, assertFits, describeInBrowser, type View } from '../support/browser.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { TestServer } from '../support/server.js';

const VIEWS: readonly (readonly [string, View])[] = [
  ['390 px', { width: 390 }],
  ['1280 px, dark', { width: 1280, dark: true }],
];

describeInBrowser('The search dialog', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ search: new MemorySearchIndex() });
    await server.upload('kettle-1.0-docs.zip', {
      'index.html': '<title>Kettle</title><main><h1>Kettle</h1><p>It boils water.</p></main>',
    });
    await server.isIndexed();
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`opens on any page by its key, finds, and is used and left by keyboard alone (${name})`, () =>
      browser.see(`${server.url}/help`, view, async (page) => {
        const dialog = page.getByRole('dialog', { name: 'Search' });
        await page.keyboard.press('/');
        await dialog.waitFor();
        await page.keyboard.type('boils');
        await dialog.getByRole('status').filter({ hasText: '1 page for “boils”' }).waitFor();
        await assertAccessible(page);
        await assertFits(page);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        await page.keyboard.press('Control+k');
        await dialog.waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/kettle-latest/**');
        assert.equal(await page.title(), 'Kettle');
      }));
  }
});
