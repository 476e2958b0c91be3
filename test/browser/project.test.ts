import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertFits,
  describeInBrowser,
  VIEWS,
  type View,
  WIDTHS,
} from '../support/browser.js';
import { publishIn } from '../support/docs-with-versions.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

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
    const set = await fetch(`${server.url}/api/retention/my-project`, {
      method: 'PUT',
      headers: { 'X-Token': 'secret-deleter', 'Content-Type': 'application/json' },
      body: '{"keep_per_minor":3,"max_age_days":365}',
    });
    assert.equal(set.status, 200);
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`shows all versions and the commands to copy (${name})`, () =>
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
        await page.getByText('Retention').click();
        assert.match(
          (await page.locator('.retention[open] p').textContent()) ?? '',
          /^Next to be removed: 1\.0\.0, on \d{4}-/,
        );
        await assertAccessible(page);
        await assertFits(page);
      }));

    it(`suggests alternatives to a missing page, version or project (${name})`, () => helpsOn(view));
  }

  for (const width of WIDTHS) {
    it(`is complete without scripts (${width} px)`, () =>
      browser.see(url, { width, scripts: false }, async (page) => {
        await page.getByText('sha256 of 2.0.0').click();
        assert.match(await page.locator('.checksum[open] code').innerText(), /^[0-9a-f]{64}$/);
        assert.equal(await page.getByRole('button').count(), 0);
        await assertFits(page);
        await page.getByRole('link', { name: 'Read 2.0.0' }).click();
        await page.waitForURL('**/my-project-latest/');
      }));

    it(`suggests alternatives without scripts (${width} px)`, () => helpsOn({ width, scripts: false }));
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
      await page.locator('main a[href$="/my-project-1.0.0/guide/"]').first().click();
      assert.ok(page.url().endsWith('/my-project-1.0.0/guide/'));
    });
  }

  describe('The page of a project with many versions', () => {
    let many: string;
    before(async () => {
      many = `${server.url}/-/projects/many`;
      await publishIn(
        server.docs,
        Object.fromEntries(
          [1, 2, 3].flatMap((major) =>
            Array.from({ length: 9 }, (_, minor) => [
              `many-${major}.${minor}${minor === 8 ? 'rc1' : ''}`,
              { 'index.html': '' },
            ]),
          ),
        ),
      );
      await until(async () => (await server.json('/api/projects/many')).versions?.length === 27);
      await server.upload('many~pr-1-docs.zip');
    });
    const shown = (page: Page) =>
      page
        .locator('.version-label > a')
        .evaluateAll((links) =>
          links.filter((link) => link.checkVisibility()).map((link) => link.textContent),
        );

    for (const [name, view] of VIEWS) {
      it(`folds old versions and pre-releases, and filters by the typed text (${name})`, () =>
        browser.see(many, view, async (page) => {
          const latest = ['3.7', '3.6', '3.5', '3.4', '3.3', '3.2', '3.1', '3.0'];
          assert.deepEqual(await shown(page), latest);
          await assertAccessible(page);
          await assertFits(page);
          await page.getByRole('searchbox', { name: 'Filter versions' }).fill('8RC');
          assert.deepEqual(await shown(page), ['3.8rc1', '2.8rc1', '1.8rc1']);
          await page.getByText('3 of 27 versions').waitFor();
          await assertAccessible(page);
          await page.getByRole('searchbox').fill('');
          assert.deepEqual(await shown(page), latest);
          // Only versions are filtered.
          assert.equal(await page.getByText('1 preview', { exact: true }).isVisible(), true);
          await page.locator('summary', { hasText: '1.x' }).press('Enter');
          assert.equal((await shown(page)).length, 16);
        }));
    }

    it('unfolds old versions without scripts', () =>
      browser.see(many, { scripts: false }, async (page) => {
        assert.equal(await page.getByRole('searchbox').count(), 0);
        await page.getByText('1 pre-release').first().click();
        assert.ok(await page.getByRole('link', { name: '3.8rc1', exact: true }).isVisible());
        assert.match((await page.locator('.version time').first().textContent()) ?? '', /^\d{4}-\d\d-\d\d$/);
      }));
  });

  it('shows the age of a version, with the exact time as a tooltip', () =>
    browser.see(url, {}, async (page) => {
      const time = page.locator('.version time').first();
      assert.match((await time.textContent()) ?? '', /^just now$|^\d+ minutes? ago$/);
      assert.match((await time.getAttribute('title')) ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(.* UTC\)$/);
      assert.match((await page.locator('.version-facts').first().textContent()) ?? '', /^by admin/);
    }));

  const opacityOfLinks = (page: Page) =>
    page
      .locator('.version-facts')
      .evaluateAll((facts) =>
        facts.map((each) => getComputedStyle(each.querySelector('a') as unknown as Element).opacity),
      );

  it("shows the links of the latest version, and other versions' links on hover or focus", () =>
    browser.see(url, { alone: true }, async (page) => {
      await page.locator('h1').hover();
      assert.deepEqual(await opacityOfLinks(page), ['0', '1', '0']);
      await page.locator('.version').last().hover();
      assert.deepEqual(await opacityOfLinks(page), ['0', '1', '1']);
      await page.locator('h1').hover();
      await page.locator('.version-label > a').first().focus();
      assert.deepEqual(await opacityOfLinks(page), ['1', '1', '0']);
      await page.keyboard.press('Tab');
      assert.deepEqual(await opacityOfLinks(page), ['1', '1', '0']);
    }));

  it('shows the links of all versions on a touch screen', () =>
    browser.see(url, { width: 390, phone: true }, async (page) => {
      assert.deepEqual(await opacityOfLinks(page), ['1', '1', '1']);
    }));

  it('copies a command, and confirms it', () =>
    browser.see(url, {}, async (page) => {
      await page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
      await page.locator('.tab > summary', { hasText: 'Download' }).click();
      await page.getByRole('button', { name: 'Copy: Latest version, as a zip' }).click();
      await page.getByText('Copied').waitFor();
      assert.equal(
        await page.evaluate('window.copied'),
        `curl -OJ ${server.url}/api/download/my-project/latest`,
      );
    }));
});

interface Element {
  querySelector(selector: string): Element | null;
}
declare const getComputedStyle: (element: Element) => { readonly opacity: string };
