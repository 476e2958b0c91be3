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

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Texts of the open menu's versions, with their marks. */
const versionsIn = (seen: Page) => seen.locator('lectern-switcher .versions .label').allTextContents();

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
    it(`shows the version, the other versions and a notice, once, over any style (${name})`, () =>
      browser.see(`${server.url}/tool-1.0.0/guide/`, view, async (seen) => {
        await toggle(seen).waitFor();
        assert.equal(await seen.locator('lectern-switcher').count(), 1);
        assert.match(
          (await banner(seen).textContent()) ?? '',
          /This is 1\.0\.0\. The latest version is 2\.0\.0\./,
        );
        const { width: room = 0 } = view;
        const assertInside = async (box: string) => {
          const { x = -1, width = 0 } = (await seen.locator(`lectern-switcher ${box}`).boundingBox()) ?? {};
          assert.ok(x >= 0 && x + width <= room, box);
        };
        await assertInside('.banner');
        await toggle(seen).click();
        // On a small screen the menu takes the place of the notice.
        assert.equal(await banner(seen).isVisible(), room > 480);
        assert.deepEqual(await versionsIn(seen), [
          '3.0.0rc1 pre-release',
          '2.0.0 latest',
          '1.0.0',
          'main branch',
        ]);
        const [day] = await seen.locator('lectern-switcher .versions time').allTextContents();
        assert.match(day ?? '', DAY);
        assert.equal(await seen.locator('lectern-switcher .title').textContent(), HOSTILE);
        const size = `getComputedStyle(document.querySelector('lectern-switcher').shadowRoot.querySelector('.versions a')).fontSize`;
        assert.equal(await seen.evaluate(size), '14px');
        await assertInside('.menu');
        await assertInside('.toggle');
        await assertAccessible(seen);
        await seen.getByRole('link', { name: '3.0.0rc1' }).click();
        await seen.waitForURL('**/tool-3.0.0rc1/guide/');
      }));
  }

  it('shows a deprecation and its reason as plain text until dismissed', async () => {
    for (const label of ['1.0', '2.0'])
      await server.upload(`a-${label}-docs.zip`, { 'index.html': page(label) });
    const response = await fetch(`${server.url}/api/deprecated/a/2.0`, {
      method: 'PUT',
      headers: { 'X-Token': 'secret-manager', 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: `Loses data ${HOSTILE}` }),
    });
    assert.equal(response.status, 200);
    await browser.see(`${server.url}/a-2.0/`, {}, async (seen) => {
      await banner(seen).waitFor();
      const text = (await banner(seen).locator('p').textContent()) ?? '';
      assert.equal(text, `2.0 is deprecated: Loses data ${HOSTILE}`);
      await assertAccessible(seen);
      await seen.getByRole('button', { name: 'Dismiss' }).click();
      await seen.reload();
      await toggle(seen).waitFor();
      assert.equal(await banner(seen).count(), 0);
      await seen.goto(`${server.url}/a-1.0/`);
      await toggle(seen).click();
      assert.deepEqual(await versionsIn(seen), ['2.0 latest deprecated', '1.0']);
    });
  });

  it('promises the same page where it exists, and links to it', () =>
    browser.see(`${server.url}/tool-1.0.0/guide/?q=1#part`, {}, async (seen) => {
      await seen.getByRole('link', { name: 'Read this page in 2.0.0' }).click();
      await seen.waitForURL('**/tool-latest/guide/?q=1#part');
      await toggle(seen).waitFor();
      await seen.waitForLoadState('networkidle');
      assert.equal(await banner(seen).count(), 0);
      assert.equal(await toggle(seen).textContent(), '2.0.0');
    }));

  for (const [name, view] of VIEWS) {
    it(`links to the nearest page of a version that lacks the page, and says so there (${name})`, () =>
      browser.see(`${server.url}/tool-1.0.0/guide/old.html?q=1#part`, view, async (seen) => {
        await seen.getByRole('link', { name: 'Go to 2.0.0' }).click();
        await seen.waitForURL('**/tool-latest/guide/#part');
        await banner(seen).waitFor();
        assert.equal(
          await banner(seen).locator('p').textContent(),
          'guide/old.html isn’t in 2.0.0.It is in 1.0.0',
        );
        await assertAccessible(seen);
        await seen.getByRole('link', { name: '1.0.0' }).click();
        await seen.waitForURL('**/tool-1.0.0/guide/old.html');
        await seen.goBack();
        // From the menu, to a version that has a notice of its own.
        await seen.goto(`${server.url}/tool-1.0.0/guide/old.html`);
        await toggle(seen).click();
        await seen.getByRole('link', { name: '3.0.0rc1' }).click();
        await seen.waitForURL('**/tool-3.0.0rc1/guide/');
        await banner(seen).nth(1).waitFor();
        assert.deepEqual(await banner(seen).locator('p').allTextContents(), [
          'guide/old.html isn’t in 3.0.0rc1.It is in 1.0.0',
          'This is 3.0.0rc1, a pre-release. The latest stable version is 2.0.0.Read this page in 2.0.0',
        ]);
      }));
  }

  it('follows redirects of the latest version in both directions, and equates a moved page', async () => {
    const pages = { 'index.html': page('front'), 'kept.html': page('kept') };
    await server.upload('moved-1.0-docs.zip', { ...pages, 'install.html': page('install') });
    await server.upload('moved-2.0-docs.zip', {
      ...pages,
      'guide/install.html': page('install'),
      _redirects: '/install.html /guide/install.html#steps\n',
    });
    await browser.see(`${server.url}/moved-1.0/install.html`, {}, async (seen) => {
      await seen.getByRole('link', { name: 'Read this page in 2.0' }).click();
      await seen.waitForURL('**/moved-latest/guide/install.html#steps');
      await toggle(seen).click();
      await seen.waitForLoadState('networkidle');
      assert.equal(await banner(seen).count(), 0);
      await seen.getByRole('link', { name: '1.0' }).click();
      await seen.waitForURL('**/moved-1.0/install.html#steps');
      await banner(seen).waitFor();
      assert.equal(
        await banner(seen).locator('p').textContent(),
        'This is 1.0. The latest version is 2.0.Read this page in 2.0',
      );
    });
  });

  it('says nothing about a page that the reader has not requested here', () =>
    browser.see(`${server.url}/tool-1.0.0/guide/old.html`, {}, async (seen) => {
      // A link of the site, not one of the switcher.
      await seen.evaluate(`location.href = '${server.url}/tool-2.0.0/'`);
      await seen.waitForURL('**/tool-2.0.0/');
      await toggle(seen).waitFor();
      await seen.waitForLoadState('networkidle');
      assert.equal(await banner(seen).count(), 0);
    }));

  it("offers only existing versions on a site's own 404 page, at any depth", async () => {
    const own =
      '<html lang="en"><head><title>Gone</title><link rel="stylesheet" href="a/own.css"></head><main><h1>Gone</h1></main>';
    for (const label of ['1.0', '2.0']) {
      await server.upload(`lost-${label}-docs.zip`, {
        'index.html': page(label),
        '404.html': own,
        'a/own.css': 'h1 { letter-spacing: 7px }',
        'guide/install.html': page('install'),
        ...(label === '2.0' ? { 'guide/new page.html': page('new') } : {}),
      });
    }
    const spacing = `getComputedStyle(document.querySelector('h1')).letterSpacing`;
    for (const [path, says] of [
      ['/lost-1.0/guide/instal.html', 'This page isn’t in 1.0.Did you mean guide/install.html'],
      ['/lost-latest/x/y/install/', 'This page isn’t in 2.0.Did you mean guide/install.html'],
      ['/lost-1.0/guide/new%20page.html', 'This page isn’t in 1.0.It is in 2.0'],
      ['/lost-1.0/zebra', 'This page isn’t in 1.0. All versions of this project'],
    ] as const) {
      await browser.see(server.url + path, {}, async (seen) => {
        await banner(seen).waitFor();
        assert.equal(await banner(seen).locator('p').textContent(), says);
        assert.equal(await seen.evaluate(spacing), '7px');
        await assertAccessible(seen);
        const target = await banner(seen).locator('a').first().getAttribute('href');
        assert.equal((await fetch(server.url + target)).status, 200);
      });
    }
  });

  it('labels pre-releases and branches', async () => {
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

  it('stays hidden once dismissed, until the latest version changes', async () => {
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

  it('works by keys alone, and hides them from the site', () =>
    browser.see(`${server.url}/tool-1.0.0/`, {}, async (seen) => {
      await toggle(seen).focus();
      await seen.keyboard.press('Enter');
      assert.equal(await toggle(seen).getAttribute('aria-expanded'), 'true');
      const focused = () =>
        seen.evaluate<string>(`document.activeElement.shadowRoot.activeElement.firstChild.textContent`);
      await seen.evaluate('window.keys = 0');
      await seen.keyboard.press('ArrowDown');
      assert.equal(await focused(), '1.0.0');
      await seen.keyboard.press('ArrowUp');
      assert.equal(await focused(), '2.0.0 latest');
      await seen.keyboard.press('Escape');
      assert.equal(await focused(), '1.0.0');
      assert.equal(await toggle(seen).getAttribute('aria-expanded'), 'false');
      assert.equal(await seen.evaluate('window.keys'), 0);
    }));

  it('follows a site that changes its address and body without loading', () =>
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

  it('is hidden in print', () =>
    browser.see(`${server.url}/tool-1.0.0/`, {}, async (seen) => {
      await toggle(seen).waitFor();
      await seen.emulateMedia({ media: 'print' });
      assert.equal(await seen.locator('lectern-switcher .toggle').isVisible(), false);
      assert.equal(await seen.locator('lectern-switcher .banner').isVisible(), false);
    }));

  it('passes the data of the Read the Docs addons to themes', () =>
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

  describe('The version switcher on real sites', () => {
    const SITES: readonly (readonly [size: CorpusSize, generator: string, page: string])[] = [
      ['small', 'Sphinx', 'quickstart.html'],
      ['medium', 'DocBook', 'sql-select.html'],
    ];
    for (const [size, generator, path] of SITES) {
      it(`takes no room on a site by ${generator}, and is visible`, async (test) => {
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
