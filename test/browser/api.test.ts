import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, describeInBrowser, VIEWS } from '../support/browser.js';
import { TestServer } from '../support/server.js';
import { zipOf } from '../support/zip-writer.js';

describeInBrowser('The API reference', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.upload('my-project-1.0.0-docs.zip');
  });
  after(() => server.close());
  const address = () => `${server.url}/-/api`;
  const operation = (page: Page, path: string) =>
    page.locator('.opblock').filter({ has: page.locator(`[data-path="${path}"]`) });
  const open = async (page: Page, path: string) => {
    const block = operation(page, path);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.execute').waitFor();
    return block;
  };

  for (const [name, view] of VIEWS) {
    it(`shows every operation of the description, and tries one (${name})`, async () => {
      await browser.see(address(), view, async (page) => {
        await page.locator('.opblock').first().waitFor();
        const { paths } = await server.json('/api/spec');
        assert.deepEqual(
          await page
            .locator('.opblock-summary-path')
            .evaluateAll((all) =>
              all.map((each) => (each as unknown as { dataset: Record<string, string> }).dataset.path),
            ),
          Object.entries(paths).flatMap(([path, item]) => Object.keys(item as object).map(() => path)),
        );
        const list = await open(page, '/api/projects');
        await list.getByLabel(/^search/).fill('proj');
        await list.locator('.execute').click();
        await list.locator('.live-responses-table').waitFor();
        assert.match(await list.locator('.request-url pre').innerText(), /\/api\/projects\?search=proj$/);
        assert.match(
          await list.locator('.live-responses-table').innerText(),
          /"directory_name": "my-project"/,
        );
        await list.getByRole('tab', { name: 'Schema' }).first().click();
        await list.locator('.model-box').first().waitFor();
        await assertAccessible(page);
        await assertFits(page);
      });
    });
  }

  it('uploads and deletes with the token of its field, which it keeps to itself', async () => {
    await browser.see(
      address(),
      {},
      async (page) => {
        await page.locator('.opblock').first().waitFor();
        const upload = await open(page, '/api/upload');
        const name = 'tried-1.0-docs.zip';
        const bytes = zipOf({ 'index.html': 'x' });
        await upload
          .locator('input[type=file]')
          .setInputFiles({ name, mimeType: 'application/zip', buffer: bytes });
        await upload.locator('.execute').click();
        await upload.locator('.live-responses-table').getByText('authentication_required').waitFor();
        await page.fill('#token', 'secret-admin');
        await upload.locator('.execute').click();
        await upload.locator('.live-responses-table').getByText('tried 1.0 is published').waitFor();
        const removal = await open(page, '/api/delete/{project}/{version}');
        await removal.getByLabel(/^project/).fill('tried');
        await removal.getByLabel(/^version/).fill('1.0');
        await removal.getByLabel(/^purge/).selectOption('true');
        await removal.locator('.execute').click();
        await removal.locator('.live-responses-table').getByText('tried 1.0 is deleted for good').waitFor();
        assert.deepEqual(
          await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'),
          [0, 0, ''],
        );
        assert.equal(page.url(), address());
        await assertAccessible(page);
      },
      [401],
    );
    assert.equal((await server.get('/tried-1.0/')).status, 404);
  });

  it('says that it needs scripts where there are none', async () => {
    await browser.see(address(), { scripts: false }, async (page) => {
      assert.match(await page.locator('noscript .note').innerText(), /needs JavaScript/);
      await assertFits(page);
    });
  });
});
