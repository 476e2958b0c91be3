import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type CorpusSize, CorpusUnavailable, corpus } from '../../bench/corpus.js';
import { assertAccessible, describeInBrowser, VIEWS } from '../support/browser.js';
import { TestServer } from '../support/server.js';

const HOSTILE = '<img src=x onerror=alert(1)>';
/** A site that has a style for everything, keys of its own, and the tag already. */
const page = (label: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${label}</title>
<style>* { color: red !important; font-size: 40px !important } a, button, nav, div, lectern-switcher { display: none !important }
  html { display: grid; grid-template-columns: 1fr 1fr } li { float: left; width: 50% } main { height: 3000px }</style>
<script>document.addEventListener('keydown', () => { window.keys = (window.keys ?? 0) + 1 })</script>
<script type="module" src="/-/switcher.js"></script>
<main><h1>${label}</h1></main></html>`;

const toggle = (seen: Page) => seen.getByRole('button', { name: /^Version / });
const banner = (seen: Page) => seen.locator('lectern-switcher .banner');

describeInBrowser('The version switcher', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ switcher: true });
    for (const label of ['1.0.0', '2.0.0', '3.0.0rc1', 'main']) {
      await server.upload(`tool-${label}-docs.zip`, {
        'index.html': page(label),
        'guide/index.html': page(`${label} guide`),
        ...(label === '1.0.0' ? { 'guide/old.html': page('old') } : {}),
        'docinfo.json': JSON.stringify({ name: HOSTILE }),
      });
    }
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`shows the version, the others, and a notice, once, over any style (${name})`, () =>
      browser.see(`${server.url}/tool-1.0.0/guide/`, view, async (seen) => {
        await toggle(seen).waitFor();
        assert.equal(await seen.locator('lectern-switcher').count(), 1);
        assert.match(
          (await banner(seen).textContent()) ?? '',
          /This is 1\.0\.0\. The latest version is 2\.0\.0\./,
        );
        await toggle(seen).click();
        const versions = seen.locator('lectern-switcher .versions a');
        assert.deepEqual(await versions.allTextContents(), [
          '3.0.0rc1pre-release',
          '2.0.0latest',
          '1.0.0',
          'main',
        ]);
        assert.equal(await seen.locator('lectern-switcher .title').textContent(), HOSTILE);
        const size = `getComputedStyle(document.querySelector('lectern-switcher').shadowRoot.querySelector('.versions a')).fontSize`;
        assert.equal(await seen.evaluate(size), '14px');
        for (const box of ['.menu', '.banner', '.toggle']) {
          const { x = -1, width = 0 } = (await seen.locator(`lectern-switcher ${box}`).boundingBox()) ?? {};
          assert.ok(x >= 0 && x + width <= (view.width ?? 0), box);
        }
        await assertAccessible(seen);
        await seen.getByRole('link', { name: '3.0.0rc1' }).click();
        await seen.waitForURL('**/tool-3.0.0rc1/guide/');
      }));
  }

  it('leads to the same page in the latest version, or to the nearest', () =>
    browser.see(`${server.url}/tool-1.0.0/guide/old.html?q=1#part`, {}, async (seen) => {
      await seen.getByRole('link', { name: 'Read this page in 2.0.0' }).click();
      await seen.waitForURL('**/tool-latest/guide/#part');
      await toggle(seen).waitFor();
      assert.equal(await banner(seen).count(), 0);
      assert.equal(await toggle(seen).textContent(), '2.0.0');
    }));

  it('says what a pre-release and a branch are', async () => {
    await browser.see(`${server.url}/tool-3.0.0rc1/`, {}, async (seen) => {
      assert.match(
        (await banner(seen).textContent()) ?? '',
        /a pre-release\. The latest stable version is 2\.0\.0/,
      );
    });
    await browser.see(`${server.url}/tool-main/`, {}, async (seen) => {
      assert.match((await banner(seen).textContent()) ?? '', /main, which is not a release/);
    });
  });

  it('stays away once it was dismissed, until there is another latest version', async () => {
    const publish = (label: string) =>
      server.upload(`moving-${label}-docs.zip`, { 'index.html': page(label), 'a.html': page('a') });
    await publish('1.0.0');
    await publish('2.0.0');
    await browser.see(`${server.url}/moving-1.0.0/`, {}, async (seen) => {
      await seen.getByRole('button', { name: 'Dismiss' }).click();
      assert.equal(await banner(seen).count(), 0);
      await seen.goto(`${server.url}/moving-1.0.0/a.html`);
      await toggle(seen).waitFor();
      assert.equal(await banner(seen).count(), 0);
      await publish('2.1.0');
      await seen.reload();
      await banner(seen).waitFor();
    });
  });

  it('is worked with keys alone, and keeps them from the site', () =>
    browser.see(`${server.url}/tool-1.0.0/`, {}, async (seen) => {
      await toggle(seen).focus();
      await seen.keyboard.press('Enter');
      assert.equal(await toggle(seen).getAttribute('aria-expanded'), 'true');
      const focused = () =>
        seen.evaluate<string>(`document.activeElement.shadowRoot.activeElement.textContent`);
      await seen.evaluate('window.keys = 0');
      await seen.keyboard.press('ArrowDown');
      assert.equal(await focused(), '1.0.0');
      await seen.keyboard.press('ArrowUp');
      assert.equal(await focused(), '2.0.0latest');
      await seen.keyboard.press('Escape');
      assert.equal(await focused(), '1.0.0');
      assert.equal(await toggle(seen).getAttribute('aria-expanded'), 'false');
      assert.equal(await seen.evaluate('window.keys'), 0);
    }));

  it('follows a site that changes its address and its body without loading', () =>
    browser.see(`${server.url}/tool-1.0.0/`, {}, async (seen) => {
      await toggle(seen).waitFor();
      await seen.evaluate(`history.pushState(null, '', '/tool-1.0.0/guide/');
        document.body.replaceWith(document.createElement('body'))`);
      await toggle(seen).click();
      const link = seen.getByRole('link', { name: '2.0.0', exact: false }).first();
      assert.match((await link.getAttribute('href')) ?? '', /^\/-\/go\/[^/]+\/guide\/$/);
      await seen.evaluate(`document.querySelector('lectern-switcher').remove()`);
      await toggle(seen).waitFor();
    }));

  it('is not printed', () =>
    browser.see(`${server.url}/tool-1.0.0/`, {}, async (seen) => {
      await toggle(seen).waitFor();
      await seen.emulateMedia({ media: 'print' });
      assert.equal(await seen.locator('lectern-switcher .toggle').isVisible(), false);
      assert.equal(await seen.locator('lectern-switcher .banner').isVisible(), false);
    }));

  it('hands themes the data of the Read the Docs addons', () =>
    browser.see(`${server.url}/tool-1.0.0/guide/`, {}, async (seen) => {
      const data = await seen.evaluate<{ current: string; urls: string[] }>(`new Promise((resolve) => {
        document.addEventListener('readthedocs-addons-data-ready', ({ detail }) => {
          const { versions } = detail.data();
          resolve({ current: versions.current.slug, urls: versions.active.map(({ urls }) => urls.documentation) });
        });
        const script = document.createElement('script');
        script.type = 'module';
        script.src = '/-/readthedocs.js';
        document.head.append(script);
      })`);
      assert.equal(data.current, '1.0.0');
      assert.equal(data.urls[1], `${server.url}/-/go/tool-2.0.0/guide/`);
    }));

  describe('on real sites', () => {
    const SITES: readonly (readonly [size: CorpusSize, generator: string, page: string])[] = [
      ['small', 'Sphinx', 'quickstart.html'],
      ['medium', 'DocBook', 'sql-select.html'],
    ];
    for (const [size, generator, path] of SITES) {
      it(`takes no room in one by ${generator}, and is there`, async (test) => {
        const site = await corpus(size).catch((error: unknown) => {
          if (error instanceof CorpusUnavailable && process.env.CI !== 'true') return error.message;
          throw error;
        });
        if (typeof site === 'string') return test.skip(site);
        const plain = await TestServer.start();
        const bytes = await readFile(site.zip);
        for (const host of [plain, server]) await host.upload(site.fileName, bytes);
        const boxes: unknown[] = [];
        for (const host of [plain, server]) {
          await browser.see(
            `${host.url}/${site.project}-${site.version}/${path}`,
            { width: 360 },
            async (seen) => {
              if (host === server) await toggle(seen).waitFor();
              boxes.push(
                await seen.evaluate(`[...document.body.querySelectorAll('*')].slice(0, 500).map((element) =>
                Object.values(element.getBoundingClientRect().toJSON()).join()).join(' ')
                + document.documentElement.scrollWidth + ' ' + document.documentElement.scrollHeight`),
              );
            },
          );
        }
        await plain.close();
        assert.equal(boxes[0], boxes[1]);
      });
    }
  });
});
