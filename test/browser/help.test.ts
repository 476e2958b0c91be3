import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { assertAccessible, assertFits, describeInBrowser, VIEWS } from '../support/browser.js';
import { TestServer } from '../support/server.js';

describeInBrowser('The help', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ client: true });
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`shows this server's address in every example (${name})`, async () => {
      await browser.see(`${server.url}/help`, view, async (page) => {
        const examples = await page.locator('pre').allInnerTexts();
        const addresses = examples.flatMap((text) => text.match(/https?:\/\/[^\s"/]+/g) ?? []);
        assert.deepEqual([...new Set(addresses)], [server.url]);
        assert.ok(addresses.length >= 8);
        await page.getByRole('link', { name: 'From GitHub and GitLab' }).click();
        assert.equal(new URL(page.url()).hash, '#ci');
        await assertAccessible(page);
        await assertFits(page);
      });
    });
  }
});
