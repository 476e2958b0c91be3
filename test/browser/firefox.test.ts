import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Page } from 'puppeteer-core';
import { describeInFirefox } from '../support/firefox.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { TestServer } from '../support/server.js';
import { zipOf } from '../support/zip-writer.js';

const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main></html>`;

/**
 * Waits for a part of the switcher, looking at every frame: the mutations that Puppeteer's own waiting looks for are none
 * of the document where they happen in a shadow root.
 */
async function partOf(seen: Page, selector: string) {
  await seen.waitForFunction(
    (part) => document.querySelector('lectern-switcher')?.shadowRoot?.querySelector(part) != null,
    { polling: 'raf' },
    selector,
  );
  return seen.locator(`lectern-switcher >>> ${selector}`);
}

/** Waits until the window has an address that ends like this, however it gets there. */
const isAt = (seen: Page, end: string) =>
  seen.waitForFunction((wanted) => location.href.endsWith(wanted), {}, end);

const shows = (seen: Page, selector: string, text: string) =>
  seen.waitForFunction(
    (where, wanted) => document.querySelector(where)?.textContent?.includes(wanted) === true,
    {},
    selector,
    text,
  );

const textOf = (seen: Page, selector: string) =>
  seen
    .locator(selector)
    .map(({ textContent }) => textContent)
    .wait();

describeInFirefox('The own pages in Firefox', (firefox) => {
  let server: TestServer;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-firefox-'));
    server = await TestServer.start({ switcher: true, search: new MemorySearchIndex() });
    for (const [label, word] of [
      ['1.0.0', 'slowly'],
      ['2.0.0', 'quickly'],
    ] as const) {
      await server.upload(`kettle-${label}-docs.zip`, {
        'index.html': page('Kettle', `It boils water ${word}.`),
        'guide/index.html': page('Guide', 'Fill it.'),
        'docinfo.json': JSON.stringify({ name: 'The Kettle', group: 'Kitchen' }),
      });
    }
    await server.upload('toaster-1.0.0-docs.zip', { 'index.html': page('Toaster', 'It toasts bread.') });
    await server.isIndexed();
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('finds projects on the index while typing, and keeps favourites', () =>
    firefox.see(server.url, {}, async (seen) => {
      const star = await seen.waitForSelector('.star[aria-label="Favourite: The Kettle"]');
      await star?.focus();
      await seen.keyboard.press('Enter');
      await shows(seen, '.own', 'The Kettle');
      await seen.locator('#search').fill('toas');
      await isAt(seen, '/?search=toas');
      await shows(seen, '#count', '1 project for “toas”');
      await seen.keyboard.press('Enter');
      await isAt(seen, '/toaster-latest/');
    }));

  it('finds pages while typing, by keyboard alone', () =>
    firefox.see(`${server.url}/help`, { width: 390 }, async (seen) => {
      await seen.keyboard.press('/');
      await seen.waitForSelector('dialog[open]');
      await seen.keyboard.type('boils');
      await shows(seen, 'dialog [role=status]', '1 page for “boils”');
      await seen.keyboard.press('ArrowDown');
      await seen.keyboard.press('Enter');
      await seen.waitForFunction(() => location.pathname === '/kettle-latest/');
    }));

  it('unfolds a chapter of the help, and an operation, that an address leads to', async () => {
    for (const address of ['/-/help/publish#errors', '/-/api#deleteVersion'])
      await firefox.see(server.url + address, {}, async (seen) => {
        await seen.waitForSelector('details[open]');
        await seen.waitForFunction(() => {
          const top = document.querySelector('details[open]')?.getBoundingClientRect().top ?? -1;
          return top >= 0 && top < 400;
        });
      });
  });

  it('switches to the same page of another version, and searches in the switcher', () =>
    firefox.see(`${server.url}/kettle-1.0.0/guide/`, { width: 390 }, async (seen) => {
      await (await partOf(seen, '.toggle')).click();
      await (await partOf(seen, '.versions li:first-child > a')).click();
      await isAt(seen, '/kettle-2.0.0/guide/');
      await (await partOf(seen, '.find')).click();
      await (await partOf(seen, '.finder input')).fill('boils');
      await partOf(seen, '.hit-link');
      await seen.keyboard.press('Enter');
      await seen.waitForFunction(() => location.pathname === '/kettle-2.0.0/');
    }));

  it('publishes a zip from the upload page', () =>
    firefox.see(`${server.url}/-/upload`, {}, async (seen) => {
      const archive = join(folder, 'mixer-1.0.0-docs.zip');
      await writeFile(archive, zipOf({ 'index.html': page('Mixer', 'It mixes.') }));
      await seen.waitForSelector('#fields:enabled');
      const picker = await seen.waitForSelector('input[type="file"]:not([webkitdirectory])');
      await picker?.uploadFile(archive);
      await seen.waitForFunction(
        () => document.querySelector<HTMLInputElement>('#project')?.value === 'mixer',
      );
      await seen.locator('#token').fill('secret-admin');
      await seen.locator('#send').click();
      await seen.waitForSelector('#published:not([hidden])');
      assert.match((await textOf(seen, '#message')) ?? '', /mixer 1\.0\.0/);
      assert.equal((await server.get('/mixer-1.0.0/')).status, 200);
    }));

  it('shows changed words in the comparison, also beside the page', () =>
    firefox.see(`${server.url}/-/compare/kettle/1.0.0/2.0.0`, {}, async (seen) => {
      await seen.locator('.compared-pages a').click();
      await seen.waitForSelector('ins');
      assert.equal(await textOf(seen, 'del'), 'slowly');
      assert.equal(await textOf(seen, 'ins'), 'quickly');
      await seen.locator('a[href$="?view=page"]').click();
      await seen.waitForFunction(
        () =>
          document.querySelector('iframe')?.contentDocument?.body?.textContent?.includes('quickly') === true,
      );
      await shows(seen, '[role=status]', '1 change');
      await seen.keyboard.press('n');
      await shows(seen, '[role=status]', 'Change 1 of 1');
    }));
});
