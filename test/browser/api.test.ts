import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { assertAccessible, assertFits, COLOUR_RULES, describeInBrowser, VIEWS } from '../support/browser.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

describeInBrowser('The API reference', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  it('leads from its contents to an operation, and unfolds it, without scripts', () =>
    browser.see(`${server.url}/-/api`, { scripts: false }, async (page) => {
      await page.getByRole('navigation', { name: 'API' }).getByText('Manage').click();
      assert.equal(page.url(), `${server.url}/-/api#to-manage`);
      await page.getByText('/api/delete/{project}/{version}', { exact: true }).first().click();
      await page.locator('#deleteVersion').getByText('Link to this operation').waitFor();
    }));

  for (const anchor of ['deleteVersion', 'body-ProjectList'])
    it(`shows what an address leads to, below its title, without scripts: #${anchor}`, () =>
      browser.see(`${server.url}/-/api#${anchor}`, { scripts: false }, async (page) => {
        await page.locator(`#${anchor}`).waitFor();
        assert.equal(await page.locator('details[open]').count(), 1);
        await until(async () => {
          const { y = -1 } = (await page.locator('details[open] > summary').boundingBox()) ?? {};
          return y >= 0 && y < 400;
        });
      }));

  it('copies the command of an operation', () =>
    browser.see(`${server.url}/-/api#version`, {}, async (page) => {
      await page.locator('#version').getByRole('button', { name: 'Copy: Request' }).click();
      await page.locator('#version').getByText('Copied').waitFor();
    }));

  it('has its contents beside it on a desk, where they stay', () =>
    browser.see(`${server.url}/-/api`, { width: 1280 }, async (page) => {
      assert.ok((await heightOf(page)) < 8_000);
      await page.locator('#bodies').scrollIntoViewIfNeeded();
      const box = await page.getByRole('navigation', { name: 'API' }).boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.x < 300, JSON.stringify(box));
    }));

  for (const [name, view] of VIEWS)
    it(`fits the screen and satisfies axe, unfolded (${name})`, () =>
      browser.see(`${server.url}/-/api`, view, async (page) => {
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
        await assertAccessible(page, view.dark ? COLOUR_RULES : undefined);
        await assertFits(page);
      }));
});

const heightOf = (page: { evaluate: (script: string) => Promise<unknown> }) =>
  page.evaluate('document.documentElement.scrollHeight').then(Number);
