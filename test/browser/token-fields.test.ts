import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertFits,
  describeInBrowser,
  PLAIN_HTTP_HOST,
  VIEWS,
} from '../support/browser.js';
import { TestServer } from '../support/server.js';

/** What the page says of why it takes no token. */
const note = (page: Page) => page.locator('#plain-http');

describeInBrowser('The page that takes a token', (browser) => {
  let server: TestServer;
  let plain: string;
  before(async () => {
    server = await TestServer.start();
    await server.upload('there-1.0-docs.zip');
    plain = `http://${PLAIN_HTTP_HOST}:${new URL(server.url).port}`;
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`takes none over plain HTTP, and says why and what to do (${name})`, () =>
      browser.see(`${plain}/-/upload`, view, async (page) => {
        await note(page).waitFor();
        assert.match(await note(page).innerText(), /plain HTTP.*https:\/\/.*lectern push/s);
        assert.equal(await page.locator('#token').isEnabled(), false);
        assert.equal(await page.locator('#send').isEnabled(), false);
        assert.equal(await page.locator('#archive').isEnabled(), false);
        await page.locator('#token').click({ force: true });
        await page.keyboard.type('secret-admin');
        assert.equal(await page.inputValue('#token'), '');
        await assertAccessible(page);
        await assertFits(page);
      }));
  }

  it('ignores what is dropped on it over plain HTTP', () =>
    browser.see(`${plain}/-/upload`, {}, async (page) => {
      await note(page).waitFor();
      await page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['x'], 'my-project-1.0-docs.zip'));
        dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
      })()`);
      assert.equal(await page.inputValue('#project'), '');
      assert.equal(await page.locator('#chosen').isVisible(), false);
    }));

  it('takes one on the addresses of this machine, without that note', async () => {
    const { port } = new URL(server.url);
    for (const host of ['127.0.0.1', 'localhost']) {
      await browser.see(`http://${host}:${port}/-/upload`, {}, async (page) => {
        await page.fill('#token', 'secret-admin');
        assert.equal(await note(page).isVisible(), false, host);
      });
    }
  });

  it('is disabled until its scripts run, and says that it needs them', () =>
    browser.see(`${plain}/-/upload`, { scripts: false }, async (page) => {
      assert.equal(await page.locator('#token').isEnabled(), false);
      assert.match(await page.locator('noscript .note').innerText(), /needs JavaScript/);
    }));

  it('shows it as dots, in a field that no password manager takes for its own', () =>
    browser.see(`${server.url}/-/upload`, {}, async (page) => {
      await page.fill('#token', 'secret-admin');
      assert.deepEqual(await page.locator('input[type=password]').count(), 0);
      assert.equal(await page.getAttribute('#token', 'autocomplete'), 'off');
      assert.equal(
        await page.evaluate(`getComputedStyle(document.querySelector('#token')).webkitTextSecurity`),
        'disc',
      );
    }));
});

/** What a hosted script sees of the page behind a window: its address, or that it may not. */
const LOOK = `(held) => {
  try {
    return held === null || held.closed ? 'gone' : held.document.querySelector('#token') ? 'reached' : 'nothing';
  } catch (error) {
    return error.name;
  }
}`;

/** A service worker that answers as no server would: with the policy of the pages that take a token. */
const WORKER = `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    const headers = { 'Content-Type': 'text/html', 'Cross-Origin-Opener-Policy': 'same-origin' };
    if (event.request.mode === 'navigate') event.respondWith(new Response('<title>Forged</title>', { headers }));
  });
`;

describeInBrowser('The script of a hosted site', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const front = '<!doctype html><title>A hosted site</title>';
    await server.upload('evil-1.0-docs.zip', { 'index.html': front, 'worker.js': WORKER });
  });
  after(() => server.close());
  const see = (look: (page: Page) => Promise<void>) =>
    browser.see(`${server.url}/evil-1.0/`, { alone: true }, look, [404]);
  const opened = async (page: Page, address: string) => {
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(`{ globalThis.held = open('${address}'); }`),
    ]);
    await other.waitForURL(`**${address}`);
    await other.waitForLoadState();
    return other;
  };
  const held = (page: Page, what: string) => page.evaluate(`(${LOOK})(${what})`);

  for (const form of ['/-/upload', '/-/manage/evil']) {
    it(`does not reach into ${form} in a window that it opens, or sends there later`, () =>
      see(async (page) => {
        await opened(page, form);
        assert.match(String(await held(page, 'held')), /SecurityError|gone/);
        const other = await opened(page, '/evil-1.0/?other');
        assert.equal(await held(page, 'held'), 'nothing');
        await page.evaluate(`{ held.location = '${form}'; }`);
        await other.waitForURL(`**${form}`);
        await other.locator('#token').waitFor();
        assert.match(String(await held(page, 'held')), /SecurityError|gone/);
      }));
  }

  it(`does not reach into the upload page from a window that it has opened before, on the way there or back`, () =>
    see(async (page) => {
      const other = await opened(page, '/evil-1.0/?other');
      assert.equal(await held(other, 'opener'), 'nothing');
      await page.evaluate(`{ location = '/-/upload'; }`);
      await page.waitForURL(`**/-/upload`);
      await page.locator('#token').waitFor();
      assert.equal(await held(other, 'opener'), 'gone');
      await page.goBack();
      await page.goForward();
      await page.locator('#token').waitFor();
      assert.equal(await held(other, 'opener'), 'gone');
    }));

  it('finds no token in a page that a reader comes back to', () =>
    see(async (page) => {
      await page.goto(`${server.url}/-/upload`);
      await page.fill('#token', 'secret-admin');
      await page.goto(`${server.url}/evil-1.0/`);
      const other = await opened(page, '/evil-1.0/?other');
      await page.goBack();
      await page.waitForURL('**/-/upload');
      assert.equal(await page.inputValue('#token'), '');
      assert.equal(await held(other, 'opener'), 'gone');
    }));

  it('has no service worker, which could answer with the policy that lets a window reach into ours', () =>
    see(async (page) => {
      await page.evaluate(`navigator.serviceWorker.register('worker.js').catch(() => undefined)`);
      await page.waitForFunction(
        `navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)`,
      );
      const other = await opened(page, '/evil-1.0/?other');
      assert.equal(await other.title(), 'A hosted site');
      await page.goto(`${server.url}/evil-1.0/`);
      assert.equal(await page.title(), 'A hosted site');
      await opened(page, '/-/upload');
      assert.match(String(await held(page, 'held')), /SecurityError|gone/);
    }));
});
