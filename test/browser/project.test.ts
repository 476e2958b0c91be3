import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  assertAccessible,
  assertFits,
  describeInBrowser,
  VIEWS,
  type View,
  WIDTHS,
} from '../support/browser.js';
import { TestServer } from '../support/server.js';

const HOSTILE = `<script>alert(1)</script>"'&amp;${'long'.repeat(40)}`;

describeInBrowser('The page of a project in a browser', (browser) => {
  let server: TestServer;
  let url: string;
  before(async () => {
    server = await TestServer.start();
    url = `${server.url}/-/projects/my-project`;
    const docinfo = JSON.stringify({ name: HOSTILE, description: HOSTILE });
    for (const label of ['1.0.0', '2.0.0', '3.0.0rc1']) {
      const files = { 'index.html': label, 'guide/index.html': label, 'docinfo.json': docinfo };
      await server.upload(`my-project-${label}-docs.zip`, files);
    }
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`shows all versions and what there is to copy (${name})`, () =>
      browser.see(url, view, async (page) => {
        assert.equal(await page.locator('h1').textContent(), HOSTILE);
        assert.deepEqual(await page.locator('.version-label > a').allTextContents(), [
          '3.0.0rc1',
          '2.0.0',
          '1.0.0',
        ]);
        assert.ok((await page.evaluate<number>(`document.querySelector('.badge').naturalWidth`)) > 40);
        await page.getByText('sha256 of 2.0.0').click();
        assert.match((await page.locator('.checksum[open] code').textContent()) ?? '', /^[0-9a-f]{64}$/);
        await assertAccessible(page);
        await assertFits(page);
      }));

    it(`helps on where there is no such page, version or project (${name})`, () => helpsOn(view));
  }

  for (const width of WIDTHS) {
    it(`is all there without scripts (${width} px)`, () =>
      browser.see(url, { width, scripts: false }, async (page) => {
        await page.getByText('sha256 of 2.0.0').click();
        assert.match(await page.locator('.checksum[open] code').innerText(), /^[0-9a-f]{64}$/);
        assert.equal(await page.getByRole('button').count(), 0);
        await assertFits(page);
        await page.getByRole('link', { name: 'Read 2.0.0' }).click();
        await page.waitForURL('**/my-project-latest/');
      }));

    it(`helps on without scripts (${width} px)`, () => helpsOn({ width, scripts: false }));
  }

  async function helpsOn(view: View): Promise<void> {
    await browser.see(`${server.url}/my-projct-1.0.0/`, view, async (page) => {
      const check = async () => {
        await assertFits(page);
        if (view.scripts !== false) await assertAccessible(page);
      };
      assert.equal(await page.locator('.project-name').textContent(), HOSTILE);
      await check();
      await page.goto(`${server.url}/my-project-9.9/guide/`);
      await check();
      await page.getByRole('link', { name: 'This page in the latest version' }).click();
      assert.ok(page.url().endsWith('/my-project-latest/guide/'));
      await page.goto(`${server.url}/my-project-1.0.0/guide/nothing.html`);
      await check();
      await page.getByRole('link', { name: 'The nearest page' }).click();
      assert.ok(page.url().endsWith('/my-project-1.0.0/guide/'));
    });
  }

  it('copies a command, and says so', () =>
    browser.see(url, {}, async (page) => {
      await page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
      await page.getByRole('button', { name: 'Copy: Download the latest version' }).click();
      await page.getByText('Copied').waitFor();
      assert.equal(
        await page.evaluate('window.copied'),
        `curl -OJ ${server.url}/api/download/my-project/latest`,
      );
    }));
});
