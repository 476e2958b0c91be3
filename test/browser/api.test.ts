import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeInBrowser } from '../support/browser.js';
import { TestServer } from '../support/server.js';

describeInBrowser('The API reference', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  it('leads from its contents to an operation, without scripts', () =>
    browser.see(`${server.url}/-/api`, { scripts: false }, async (page) => {
      await page.getByRole('navigation', { name: 'Operations' }).getByText('Deletes a version').click();
      assert.equal(page.url(), `${server.url}/-/api#deleteVersion`);
      assert.equal(await page.locator('script').count(), 0);
    }));
});
