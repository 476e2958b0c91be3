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
import { DOMAIN, startWithHosts } from '../support/server-with-hosts.js';
import { until } from '../support/until.js';

/** Note of why the page takes no token. */
const note = (page: Page) => page.locator('#plain-http');

describeInBrowser('A page with a token field', (browser) => {
  let server: TestServer;
  let plain: string;
  before(async () => {
    server = await TestServer.start();
    await server.upload('there-1.0-docs.zip');
    plain = `http://${PLAIN_HTTP_HOST}:${new URL(server.url).port}`;
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`rejects a token over plain HTTP, and shows the reason and the remedy (${name})`, () =>
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

  it('ignores files dropped on it over plain HTTP', () =>
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

  it('accepts a token at a loopback address, without the warning', async () => {
    const { port } = new URL(server.url);
    for (const host of ['127.0.0.1', 'localhost']) {
      await browser.see(`http://${host}:${port}/-/upload`, {}, async (page) => {
        await page.fill('#token', 'secret-admin');
        assert.equal(await note(page).isVisible(), false, host);
      });
    }
  });

  it('is disabled until its scripts run, and shows that it needs them', () =>
    browser.see(`${plain}/-/upload`, { scripts: false }, async (page) => {
      assert.equal(await page.locator('#token').isEnabled(), false);
      assert.match(await page.locator('noscript .note').innerText(), /needs JavaScript/);
    }));

  it('masks the token, in a field that no password manager fills', () =>
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

/** Access of a hosted script to the page in a window that it holds: `gone`, `reached`, `nothing`, or the name of an error. */
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
  /** Waits until the renderer of the page has heard that the other one moved on: until then it holds an empty window. */
  const isOutOfReach = (page: Page, what: string, wanted = /SecurityError|gone/) =>
    until(async () => {
      const access = String(await held(page, what));
      assert.notEqual(access, 'reached');
      return wanted.test(access);
    });

  for (const form of ['/-/upload', '/-/manage/evil']) {
    it(`cannot access ${form} in a window that it opens, nor navigate it there later`, () =>
      see(async (page) => {
        await opened(page, form);
        await isOutOfReach(page, 'held');
        const other = await opened(page, '/evil-1.0/?other');
        assert.equal(await held(page, 'held'), 'nothing');
        await page.evaluate(`{ held.location = '${form}'; }`);
        await other.waitForURL(`**${form}`);
        await other.locator('#token').waitFor();
        await isOutOfReach(page, 'held');
      }));
  }

  it(`cannot access the upload page from a window that it opened before, in either direction`, () =>
    see(async (page) => {
      const other = await opened(page, '/evil-1.0/?other');
      assert.equal(await held(other, 'opener'), 'nothing');
      await page.evaluate(`{ location = '/-/upload'; }`);
      await page.waitForURL(`**/-/upload`);
      await page.locator('#token').waitFor();
      await isOutOfReach(other, 'opener', /^gone$/);
      await page.goBack();
      await page.goForward();
      await page.locator('#token').waitFor();
      await isOutOfReach(other, 'opener', /^gone$/);
    }));

  it('finds no token in a page that a reader returns to', () =>
    see(async (page) => {
      await page.goto(`${server.url}/-/upload`);
      await page.fill('#token', 'secret-admin');
      await page.goto(`${server.url}/evil-1.0/`);
      const other = await opened(page, '/evil-1.0/?other');
      await page.goBack();
      await page.waitForURL('**/-/upload');
      assert.equal(await page.inputValue('#token'), '');
      await isOutOfReach(other, 'opener', /^gone$/);
    }));

  it('has no service worker, which could serve a policy that allows access to own windows', () =>
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
      await isOutOfReach(page, 'held');
    }));
});

const SITE = { 'index.html': '<!doctype html><title>A hosted site</title>' };
/** Storage of the tab for the origin of its page, as JSON. */
const kept = (page: Page) => page.evaluate('JSON.stringify(sessionStorage)');

describeInBrowser('A token that is kept for the tab', (browser) => {
  let server: TestServer;
  let main: string;
  let on: (label: string) => string;
  before(async () => {
    ({ server, main, on } = await startWithHosts(true));
    for (const project of ['tool', 'cup']) await server.upload(`${project}-1.0-docs.zip`, SITE);
  });
  after(() => server.close());
  const see = (look: (page: Page) => Promise<void>) =>
    browser.see(`${main}/-/manage/tool`, { alone: true, hosts: DOMAIN }, look, [401, 404]);
  const unlocked = async (page: Page, token = 'secret-deleter', isKept = true) => {
    await page.setChecked('#keep', isKept);
    await page.fill('#token', token);
    await page.keyboard.press('Enter');
    await page.locator('#managed:not([hidden]), #token-error:not([hidden])').waitFor();
  };

  it('opens the page of another project and fills that of an upload, until it is locked', () =>
    see(async (page) => {
      await unlocked(page);
      assert.match(await page.locator('#managed-with').innerText(), /deleter, kept in this tab/);
      await page.goto(`${main}/-/manage/cup`);
      await page.locator('#managed').waitFor();
      assert.equal(await page.inputValue('#token'), '');
      await assertAccessible(page);
      await page.goto(`${main}/-/upload`);
      assert.equal(await page.inputValue('#token'), 'secret-deleter');
      await assertAccessible(page);
      await assertFits(page);
      await page.click('#lock');
      assert.equal(await page.inputValue('#token'), '');
      assert.equal(await page.isChecked('#keep'), false);
      assert.equal(await kept(page), '{}');
      await page.goto(`${main}/-/manage/tool`);
      assert.equal(await page.locator('#unlock').isVisible(), true);
      await unlocked(page);
      await page.click('#lock');
      assert.equal(await kept(page), '{}');
      // Nor is anything left of what it showed.
      assert.doesNotMatch(await page.locator('#managed').innerHTML(), /1\.0|A hosted site|deleter/);
      await page.reload();
      assert.equal(await page.locator('#managed').isVisible(), false);
    }));

  it('comes back with the page that a reader returns to', () =>
    see(async (page) => {
      await unlocked(page);
      await page.goto(`${main}/`);
      await page.goBack();
      await page.locator('#managed').waitFor();
    }));

  it('is not kept without the box, nor where the server refuses it, and unchecking the box forgets it', () =>
    see(async (page) => {
      await unlocked(page, 'secret-deleter', false);
      assert.equal(await kept(page), '{}');
      await page.goto(`${main}/-/manage/cup`);
      assert.equal(await page.locator('#unlock').isVisible(), true);
      await unlocked(page, 'wrong');
      assert.equal(await page.locator('#token-error').isVisible(), true);
      assert.equal(await kept(page), '{}');
      await unlocked(page);
      await page.goto(`${main}/-/upload`);
      await page.uncheck('#keep');
      assert.equal(await kept(page), '{}');
    }));

  it('is in no other tab, and no site can read it, since sites are on other hosts', () =>
    see(async (page) => {
      await unlocked(page);
      assert.match(String(await kept(page)), /secret-deleter/);
      const other = await page.context().newPage();
      await other.goto(`${main}/-/manage/tool`);
      assert.equal(await kept(other), '{}');
      await other.close();
      await page.goto(`${main}/tool-1.0/`);
      assert.equal(page.url(), `${on('1-0--tool')}/`);
      assert.equal(await kept(page), '{}');
      await page.goBack();
      await page.locator('#managed').waitFor();
    }));

  it('is forgotten once nobody knows it any more', () =>
    see(async (page) => {
      await page.evaluate("sessionStorage.setItem('lectern.token', 'revoked')");
      await page.reload();
      await page.locator('#token-error:not([hidden])').waitFor();
      assert.equal(await kept(page), '{}');
    }));
});

describeInBrowser('A token beside sites on the same origin', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.upload('tool-1.0-docs.zip', SITE);
  });
  after(() => server.close());

  it('is kept nowhere: a site in the same tab could read it there, or put another one in its place', () =>
    browser.see(`${server.url}/-/manage/tool`, {}, async (page) => {
      assert.equal(await page.locator('#keep').count(), 0);
      await page.fill('#token', 'secret-deleter');
      await page.keyboard.press('Enter');
      await page.locator('#managed').waitFor();
      assert.equal(await kept(page), '{}');
      // The reason: what these pages store, the site reads.
      await page.evaluate("sessionStorage.setItem('lectern.token', 'secret-deleter')");
      await page.goto(`${server.url}/tool-1.0/`);
      assert.match(String(await kept(page)), /secret-deleter/);
      for (const path of ['/-/manage/tool', '/-/upload']) {
        await page.goto(server.url + path);
        await page.locator('#token:enabled').waitFor();
        assert.equal(await page.inputValue('#token'), '');
        assert.equal(await page.locator('#managed:not([hidden])').count(), 0);
      }
    }));
});
