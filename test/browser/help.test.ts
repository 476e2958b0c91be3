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
      const addresses: string[] = [];
      for (const path of ['/help', '/-/help/publish']) {
        await browser.see(server.url + path, view, async (page) => {
          await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
          const examples = await page.locator('pre').allInnerTexts();
          addresses.push(...examples.flatMap((text) => text.match(/https?:\/\/[^\s"/]+/g) ?? []));
          await assertAccessible(page);
          await assertFits(page);
        });
      }
      assert.deepEqual([...new Set(addresses)], [server.url]);
      assert.ok(addresses.length >= 8);
    });
  }

  it('leads from reading to a chapter about publishing', () =>
    browser.see(`${server.url}/help#ci`, { scripts: false }, async (page) => {
      await page.getByRole('link', { name: 'From GitHub and GitLab' }).click();
      assert.equal(page.url(), `${server.url}/-/help/publish#ci`);
    }));

  it('unfolds the chapter that an address or the contents lead to, below its title, without scripts', () =>
    browser.see(`${server.url}/-/help/publish#errors`, { scripts: false }, async (page) => {
      await page.getByText('version_exists').first().waitFor();
      const title = await page.locator('details[open] > summary').boundingBox();
      assert.ok(title !== null && title.y >= 0, JSON.stringify(title));
      await page.getByRole('link', { name: 'Delete and restore' }).click();
      await page.locator('#delete').waitFor();
      assert.equal(await page.locator('details[open]').count(), 2);
    }));
});
