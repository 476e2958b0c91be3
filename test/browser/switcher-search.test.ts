import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, describeInBrowser, VIEWS } from '../support/browser.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { TestServer } from '../support/server.js';

const page = (title: string, body: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title>
<style>* { font-size: 40px !important } input, .hit { display: none !important }</style>
<main><h1>${title}</h1>${body}</main></html>`;
/** A site that has the key for a field of its own, as most builders' themes do. */
const OWN_KEY = `<input id="own" style="display: block !important" aria-label="Own search">
<script>addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.id === 'own') return;
  document.querySelector('#own').focus();
  event.preventDefault();
});
window.keys = 0;
document.addEventListener('keydown', () => { window.keys += 1; });</script>`;

const button = (seen: Page) => seen.getByRole('button', { name: 'Search in Tool' });
const field = (seen: Page) => seen.getByRole('searchbox', { name: /^Search in Tool/ });
const sentence = (seen: Page, text: string) => seen.getByRole('status').filter({ hasText: text }).waitFor();
const focused = (seen: Page) =>
  seen.evaluate<string>('document.activeElement.shadowRoot.activeElement.textContent');

describeInBrowser('The search of the switcher', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ switcher: true, search: new MemorySearchIndex(), basePath: '/docs' });
    for (const label of ['1.0.0', '2.0.0']) {
      await server.upload(`tool-${label}-docs.zip`, {
        'index.html': page('Start', `<p>A tool of version ${label}.</p>`),
        'guide/index.html': page(
          'Guide',
          '<p>How to hold the hammer.</p><h2 id="nail">The nail</h2><p>Hit the nail with the hammer.</p>',
        ),
        'own.html': page('Own', `<p>Its own key.</p>${OWN_KEY}`),
      });
    }
    await server.upload('other-1.0-docs.zip', { 'index.html': page('Other', '<p>Another hammer.</p>') });
    await server.isIndexed();
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`finds pages of the version being read, over any style (${name})`, () =>
      browser.see(`${server.url}/docs/tool-1.0.0/`, view, async (seen) => {
        await button(seen).click();
        await field(seen).fill('hammer');
        await sentence(seen, '1 page for “hammer”');
        await assertAccessible(seen);
        const { x = -1, width = 0 } = (await seen.locator('.finder').boundingBox()) ?? {};
        assert.ok(x >= 0 && x + width <= (view.width ?? 0));
        const size = `getComputedStyle(document.querySelector('lectern-switcher').shadowRoot.querySelector('.hit-link')).fontSize`;
        assert.equal(await seen.evaluate(size), '14px');
        await seen.getByRole('link', { name: 'Guide' }).click();
        await seen.waitForURL(/\/docs\/tool-1\.0\.0\/guide\//);
      }));
  }

  it('keeps its results in the directory being read: a version, or the latest', async () => {
    for (const directory of ['tool-2.0.0', 'tool-latest']) {
      await browser.see(`${server.url}/docs/${directory}/`, {}, async (seen) => {
        await button(seen).click();
        await field(seen).fill('nail');
        await sentence(seen, '1 page for “nail”');
        const href = await seen.locator('.hit-link').getAttribute('href');
        assert.ok(href?.startsWith(`${server.url}/docs/${directory}/guide/#nail`), href ?? '');
      });
    }
  });

  it('finds pages of the preview being read, and keeps the reader in it', async () => {
    const publish = (project: string) =>
      server.upload(`${project}~pr-1-docs.zip`, {
        'index.html': page('Start', '<p>A proposal.</p>'),
        'nail.html': page('New nail', '<p>A shorter nail.</p>'),
      });
    for (const project of ['tool', 'alone']) {
      await publish(project);
      await browser.see(`${server.url}/docs/${project}~pr-1/`, {}, async (seen) => {
        await seen.getByRole('button', { name: `Search in ${project}` }).click();
        await seen.getByRole('searchbox', { name: `Search in ${project} pr-1` }).fill('nail');
        await sentence(seen, '1 page for “nail”');
        await seen.getByRole('link', { name: 'New nail' }).click();
        await seen.waitForURL(`**/docs/${project}~pr-1/nail.html**`);
      });
    }
  });

  it("is offered on a site's own 404 page, for the words of the address", async () => {
    await server.upload('lost-1.0-docs.zip', {
      'index.html': page('Start', '<p>Where the spare nails are.</p>'),
      '404.html': page('Lost', '<p>No such page.</p>'),
    });
    await server.isIndexed();
    await browser.see(`${server.url}/docs/lost-1.0/guide/spare-nails.html`, {}, async (seen) => {
      await seen.getByRole('link', { name: 'Search for “guide spare nails”' }).click();
      await seen.waitForURL('**/docs/-/search?project=lost&version=1.0&q=guide+spare+nails');
      assert.deepEqual(await seen.locator('.hit-link').allTextContents(), ['Start']);
    });
  });

  it('opens by its key, works by keys alone, and closes by Escape', () =>
    browser.see(`${server.url}/docs/tool-1.0.0/guide/`, {}, async (seen) => {
      await button(seen).waitFor();
      await seen.keyboard.press('/');
      await field(seen).waitFor();
      await seen.keyboard.type('version/1');
      await sentence(seen, '1 page for “version/1”');
      await seen.keyboard.press('ArrowDown');
      assert.equal(await focused(seen), 'Start');
      await seen.keyboard.press('ArrowUp');
      await seen.keyboard.press('Escape');
      assert.equal(await field(seen).isVisible(), false);
      assert.equal(await button(seen).getAttribute('aria-expanded'), 'false');
      await seen.keyboard.press('/');
      await field(seen).waitFor();
      await seen.keyboard.type('version');
      await sentence(seen, '1 page for “version”');
      await seen.keyboard.press('Enter');
      await seen.waitForURL(/\/docs\/tool-1\.0\.0\/(?:#|$)/);
    }));

  it('leaves keys to an input method while it composes a word', () =>
    browser.see(`${server.url}/docs/tool-1.0.0/guide/`, {}, async (seen) => {
      await button(seen).click();
      await field(seen).fill('version');
      await sentence(seen, '1 page for “version”');
      for (const key of ['ArrowDown', 'Enter', 'Escape']) {
        await field(seen).evaluate((input, pressed) => {
          const init = { key: pressed, isComposing: true, bubbles: true, composed: true, cancelable: true };
          input.dispatchEvent(new KeyboardEvent('keydown', init));
        }, key);
        assert.ok(await field(seen).evaluate((input) => input.matches(':focus')), key);
      }
      assert.match(seen.url(), /\/tool-1\.0\.0\/guide\/$/);
    }));

  it('leaves the key to a site that uses it, and to text fields', () =>
    browser.see(`${server.url}/docs/tool-1.0.0/own.html`, {}, async (seen) => {
      await button(seen).waitFor();
      await seen.keyboard.press('/');
      assert.equal(await seen.locator(':focus').getAttribute('id'), 'own');
      await seen.keyboard.press('/');
      assert.equal(await seen.locator('#own').inputValue(), '/');
      assert.equal(await field(seen).count(), 0);
    }));

  it('hides typed text from the site', () =>
    browser.see(`${server.url}/docs/tool-1.0.0/own.html`, {}, async (seen) => {
      await button(seen).click();
      await field(seen).waitFor();
      await seen.evaluate('window.keys = 0');
      await seen.keyboard.type('a/b');
      assert.equal(await field(seen).inputValue(), 'a/b');
      assert.equal(await seen.evaluate('window.keys'), 0);
    }));

  it('gives way to the menu of versions, and loads only when opened', () =>
    browser.see(`${server.url}/docs/tool-1.0.0/`, {}, async (seen) => {
      const asked: string[] = [];
      seen.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await seen.reload();
      await button(seen).waitFor();
      assert.ok(asked.some((path) => /search-button/.test(path)));
      assert.ok(!asked.some((path) => /finder|find-pages/.test(path)));
      await button(seen).click();
      await field(seen).waitFor();
      await seen.getByRole('button', { name: /^Version / }).click();
      assert.equal(await field(seen).isVisible(), false);
      await button(seen).click();
      await field(seen).waitFor();
      assert.equal(await seen.locator('lectern-switcher .menu').isVisible(), false);
    }));

  it('is absent where pages are not searchable', async () => {
    const without = await TestServer.start({ switcher: true });
    await without.upload('tool-1.0-docs.zip', { 'index.html': page('Start', '') });
    await browser.see(`${without.url}/tool-1.0/`, {}, async (seen) => {
      await seen.getByRole('button', { name: /^Version / }).waitFor();
      await seen.keyboard.press('/');
      assert.equal(await button(seen).count(), 0);
    });
    await without.close();
  });
});
