import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { assertAccessible, assertFits, describeInBrowser, type View } from '../support/browser.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { TestServer } from '../support/server.js';
import { assertKeyboardReachesAll } from '../support/tab-stops.js';

const VIEWS: readonly (readonly [string, View])[] = [
  ['390 px', { width: 390 }],
  ['1280 px, dark', { width: 1280, dark: true }],
];

describeInBrowser('The search dialog', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ search: new MemorySearchIndex() });
    await server.upload('kettle-1.0-docs.zip', {
      'index.html': '<title>Kettle</title><main><h1>Kettle</h1><p>It boils water.</p></main>',
    });
    await server.upload('pan-1.0-docs.zip', {
      'index.html': '<title>Pan</title><main><h1>Pan</h1><p>Water boils in it, too, with a lid.</p></main>',
    });
    await server.isIndexed();
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`opens on any page by its key, finds pages, and works by keyboard alone (${name})`, () =>
      browser.see(`${server.url}/help`, view, async (page) => {
        const dialog = page.getByRole('dialog', { name: 'Search' });
        await page.keyboard.press('/');
        await dialog.waitFor();
        await page.keyboard.type('boils');
        await dialog.getByRole('status').filter({ hasText: '2 pages for “boils”' }).waitFor();
        await assertAccessible(page);
        await assertFits(page);
        await page.keyboard.press('Control+a');
        await page.keyboard.type('kettle: boils');
        await dialog.getByText('In Kettle 1.0').waitFor();
        await dialog.getByRole('link', { name: 'Search in all projects' }).waitFor();
        await assertAccessible(page);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        await page.keyboard.press('Control+k');
        await dialog.waitFor();
        await page.keyboard.type('kettle: boils');
        await dialog.getByText('In Kettle 1.0').waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/kettle-latest/**');
        assert.equal(await page.title(), 'Kettle');
      }));
  }

  for (const [name, view] of VIEWS) {
    it(`searches in the project of the page, and in all by a button that comes after the field (${name})`, () =>
      browser.see(`${server.url}/-/projects/kettle`, view, async (page) => {
        const dialog = page.getByRole('dialog', { name: 'Search' });
        const found = dialog.locator('.hit-link');
        await page.keyboard.press('Control+k');
        await page.keyboard.type('boils');
        await dialog.getByRole('status').filter({ hasText: '1 page for “boils”' }).waitFor();
        assert.deepEqual(await found.allTextContents(), ['Kettle']);
        await page.keyboard.press('Tab');
        const scope = dialog.getByRole('button', { name: 'In Kettle', pressed: true });
        assert.ok(await scope.evaluate((button) => button.matches(':focus')));
        await page.keyboard.press('Space');
        await dialog.getByRole('status').filter({ hasText: '2 pages for “boils”' }).waitFor();
        assert.deepEqual((await found.allTextContents()).sort(), ['Kettle', 'Pan']);
        await dialog.getByRole('button', { name: 'In Kettle', pressed: false }).waitFor();
        await assertAccessible(page);
        await assertFits(page);
        await assertKeyboardReachesAll(page, 'dialog[open]');
        await dialog.getByRole('searchbox').focus();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await dialog.getByRole('status').filter({ hasText: '1 page for “boils”' }).waitFor();
      }));
  }

  it('opens by / typed with Shift, as on German keyboards, and leaves Ctrl-Shift-K to the browser', () =>
    browser.see(`${server.url}/help`, {}, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Search' });
      const press = (init: { readonly key: string; readonly ctrlKey?: true; readonly shiftKey: true }) =>
        page.evaluate((all) => {
          const event = new KeyboardEvent('keydown', { ...all, bubbles: true, cancelable: true });
          document.body.dispatchEvent(event);
          return event.defaultPrevented;
        }, init);
      assert.equal(await press({ key: 'K', ctrlKey: true, shiftKey: true }), false);
      assert.equal(await press({ key: '/', shiftKey: true }), true);
      await dialog.waitFor();
    }));

  it('leaves keys to an input method while it composes a word', () =>
    browser.see(`${server.url}/help`, {}, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Search' });
      await page.keyboard.press('Control+k');
      await page.keyboard.type('boils');
      await dialog.getByRole('status').filter({ hasText: '2 pages for “boils”' }).waitFor();
      for (const key of ['ArrowDown', 'Escape']) {
        await page.evaluate((pressed) => {
          const init = { key: pressed, isComposing: true, bubbles: true, cancelable: true };
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init));
        }, key);
        assert.equal(await page.locator(':focus').inputValue(), 'boils', key);
      }
    }));

  for (const [path, field] of [
    ['/-/projects', 'search'],
    ['/kettle-1.0/nothing.html', 'q'],
  ] as const) {
    it(`leaves \`/\` to the field of ${path}`, () =>
      browser.see(server.url + path, {}, async (page) => {
        await page.keyboard.press('/');
        assert.equal(await page.locator(':focus').getAttribute('id'), field);
        assert.equal(await page.locator('dialog[open]').count(), 0);
      }));
  }

  it('leads to the search page within the project, without scripts', () =>
    browser.see(`${server.url}/-/projects/kettle`, { scripts: false }, async (page) => {
      await page.locator('.search-link').click();
      await page.waitForURL('**/-/search?project=kettle');
    }));

  it('has the last searches of this tab below an empty field, as text, until they are cleared', () =>
    browser.see(`${server.url}/help`, {}, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Search' });
      const recent = dialog.getByRole('listitem');
      await page.keyboard.press('/');
      await dialog.waitFor();
      assert.equal(await recent.count(), 0);
      await page.keyboard.type('lid');
      await dialog.getByRole('status').filter({ hasText: '1 page for “lid”' }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/pan-latest/**');
      // Pages of sites can write them, too.
      const hostile = '<img src=x onerror=alert(1)>';
      await page.evaluate((text) => {
        const storage = (globalThis as unknown as { sessionStorage: Storage }).sessionStorage;
        const before = JSON.parse(storage.getItem('lectern.searches') ?? '[]');
        storage.setItem('lectern.searches', JSON.stringify([...before, text, 1, '2', '3', '4', '5']));
      }, hostile);
      await page.goto(`${server.url}/help`);
      await page.keyboard.press('/');
      await dialog.getByRole('heading', { name: 'Recent searches' }).waitFor();
      assert.deepEqual(await recent.allTextContents(), ['lid', hostile, '2', '3', '4']);
      await assertAccessible(page);
      await assertKeyboardReachesAll(page, 'dialog[open]');
      await dialog.getByRole('searchbox').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await dialog.getByRole('status').filter({ hasText: '1 page for “lid”' }).waitFor();
      assert.equal(await dialog.getByRole('searchbox').inputValue(), 'lid');
      await dialog.getByRole('searchbox').fill('');
      await dialog.getByRole('button', { name: 'Clear' }).click();
      assert.equal(await recent.count(), 0);
      assert.equal(await page.evaluate('localStorage.length'), 0);
      await page.reload();
      await page.keyboard.press('/');
      await dialog.waitFor();
      assert.equal(await dialog.getByRole('heading', { name: 'Recent searches' }).count(), 0);
    }));
});
