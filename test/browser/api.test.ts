import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { assertAccessible, assertFits, describeInBrowser, VIEWS } from '../support/browser.js';
import { TestServer } from '../support/server.js';

describeInBrowser('The API reference', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`can be read by everybody, and fits the screen (${name})`, () =>
      browser.see(`${server.url}/-/api`, view, async (page) => {
        await assertAccessible(page);
        await assertFits(page);
      }));
  }

  it('leads from its contents to an operation, without scripts', () =>
    browser.see(`${server.url}/-/api`, { scripts: false }, async (page) => {
      await page.getByRole('navigation', { name: 'Operations' }).getByText('Deletes a version').click();
      assert.equal(page.url(), `${server.url}/-/api#deleteVersion`);
      assert.equal(await page.locator('script').count(), 0);
    }));
});
