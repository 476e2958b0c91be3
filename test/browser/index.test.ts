import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, describeInBrowser, VIEWS, WIDTHS } from '../support/browser.js';
import { publishIn } from '../support/docs-with-versions.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const HOSTILE = `<img src=x onerror=alert(1)>"'&amp;`;
const names = (page: Page) => page.locator('.project-name').allTextContents();
/** Waits until the server's answer to what was typed is shown. */
const shows = (page: Page, wanted: readonly string[]) =>
  until(async () => JSON.stringify(await names(page)) === JSON.stringify(wanted));
const tiles = (page: Page) => page.locator('.tile bdi').allTextContents();

describeInBrowser('The index in a browser', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (const [project, name] of [
      ['ant', 'Ant'],
      ['bee', 'The Bee'],
      ['hornet', 'Straße'],
      ['wasp', HOSTILE],
    ]) {
      const docinfo = JSON.stringify({ name, description: 'Flies' });
      const files = { 'index.html': 'x', 'run.js': 'void 0', 'docinfo.json': docinfo };
      await server.upload(`${project}-1.0-docs.zip`, files);
    }
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`finds projects while typing, marks the matches, and keeps the term in the address (${name})`, () =>
      browser.see(server.url, view, async (page) => {
        assert.deepEqual(await names(page), [HOSTILE, 'Ant', 'Straße', 'The Bee']);
        await assertAccessible(page);
        await assertFits(page);
        await page.keyboard.press('/');
        await page.keyboard.type('EE th');
        await page.waitForURL('**/?search=EE+th');
        assert.deepEqual(await names(page), ['The Bee']);
        assert.deepEqual(await page.locator('mark').allTextContents(), ['Th', 'ee', 'ee']);
        assert.match((await page.locator('#count').textContent()) ?? '', /^1 project for “EE th”/);
        await assertAccessible(page);
        await page.reload();
        assert.deepEqual(await names(page), ['The Bee']);
        await page.keyboard.press('/');
        await page.keyboard.type('nothing');
        await page.getByRole('heading', { name: 'No project found' }).waitFor();
        assert.equal(await page.getByRole('navigation', { name: 'Order' }).count(), 0);
        await assertAccessible(page);
        await page.keyboard.press('Escape');
        await shows(page, [HOSTILE, 'Ant', 'Straße', 'The Bee']);
        assert.equal(await page.locator('mark').count(), 0);
        assert.equal(page.url(), `${server.url}/`);
      }));
  }

  for (const width of WIDTHS) {
    it(`searches and sorts without scripts (${width} px)`, () =>
      browser.see(server.url, { width, scripts: false }, async (page) => {
        await page.getByRole('link', { name: 'Newest' }).click();
        await page.waitForLoadState();
        assert.deepEqual(await names(page), [HOSTILE, 'Straße', 'The Bee', 'Ant']);
        await page.getByRole('searchbox').fill('flies e');
        await page.getByRole('button', { name: 'Search' }).click();
        await page.waitForLoadState();
        assert.deepEqual(await names(page), [HOSTILE, 'Straße', 'The Bee', 'Ant']);
        assert.match(page.url(), /\?search=flies\+e&sort=newest$/);
        assert.ok((await page.locator('mark').count()) > 2);
        await assertFits(page);
      }));
  }

  it('truncates the hint of the search field before its shortcut key', () =>
    browser.see(server.url, { width: 360 }, async (page) => {
      const field = page.getByRole('searchbox');
      const key = await page.locator('.search-form > .key').boundingBox();
      const box = await field.boundingBox();
      assert.ok(key !== null && box !== null);
      const padding = await field.evaluate((input) =>
        Number.parseFloat(getComputedStyle(input).paddingRight),
      );
      assert.ok(box.x + box.width - padding < key.x);
      assert.equal(await field.evaluate((input) => getComputedStyle(input).textOverflow), 'ellipsis');
    }));

  it('keeps the field, the filters and the projects that it finds at one left edge', () =>
    browser.see(server.url, {}, async (page) => {
      const left = async (part: string) => (await page.locator(part).first().boundingBox())?.x;
      const edge = await left('#search');
      assert.equal(await left('.project'), edge);
      await page.getByRole('searchbox').fill('bee');
      await shows(page, ['The Bee']);
      assert.equal(await left('.project'), edge);
      await page.goto(`${server.url}/?owner=nobody`);
      assert.equal(await left('.filter'), edge);
    }));

  it('tolerates a typo, and reports a server that does not respond', () =>
    browser.see(
      server.url,
      { alone: true },
      async (page) => {
        await page.getByRole('searchbox').fill('hronet');
        await shows(page, ['Straße']);
        await page.route('**/?search=*', (route) => route.fulfill({ status: 503 }));
        await page.getByRole('searchbox').fill('bee');
        await page.getByText('The server does not answer').waitFor();
        await page.unroute('**/?search=*');
        await page.getByRole('searchbox').press('Enter');
        await shows(page, ['The Bee']);
      },
      [503],
    ));

  it('moves the focus by arrow keys, and opens the focused project by Enter', () =>
    browser.see(server.url, {}, async (page) => {
      const focused = () => page.locator(':focus').textContent();
      await page.keyboard.press('/');
      await page.keyboard.press('ArrowDown');
      assert.equal(await focused(), HOSTILE);
      await page.keyboard.press('ArrowDown');
      assert.equal(await focused(), 'Ant');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      assert.equal(await page.locator(':focus').getAttribute('id'), 'search');
      await page.keyboard.type('bee');
      await shows(page, ['The Bee']);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/bee-latest/');
    }));

  for (const [name, view] of VIEWS) {
    it(`shows many projects densely, unless the reader chose otherwise (${name})`, async () => {
      const many = await TestServer.start();
      try {
        await publishIn(
          many.docs,
          Object.fromEntries(
            Array.from({ length: 50 }, (_, number) => [
              `project${number}-1.0`,
              {
                'index.html': '',
                'docinfo.json': JSON.stringify({ description: 'A word and more. '.repeat(9) }),
              },
            ]),
          ),
        );
        await until(async () => (await many.json('/api/projects')).projects?.length === 50);
        await browser.see(many.url, view, async (page) => {
          const height = async () => (await page.locator('.project').first().boundingBox())?.height ?? 0;
          const dense = page.getByRole('checkbox', { name: 'Dense' });
          assert.equal(await dense.isChecked(), true);
          const before = await height();
          // So that 200 projects are within four screens, in two columns.
          assert.ok(before < 36, `${before} px`);
          await assertAccessible(page);
          await assertFits(page);
          await dense.click();
          assert.ok((await height()) > 1.5 * before);
          await page.reload();
          assert.equal(await dense.isChecked(), false);
        });
      } finally {
        await many.close();
      }
    });

    it(`puts favourites and recently read projects first, and remembers favourites and the dense view (${name})`, () =>
      browser.see(server.url, view, async (page) => {
        assert.deepEqual(await tiles(page), []);
        await page.getByRole('link', { name: 'Ant', exact: true }).click();
        await page.waitForURL('**/ant-latest/');
        await page.goto(server.url);
        const star = page.getByRole('button', { name: 'Favourite: The Bee' });
        await star.focus();
        await page.keyboard.press('Enter');
        assert.equal(await star.getAttribute('aria-pressed'), 'true');
        await page.getByRole('checkbox', { name: 'Dense' }).click();
        await page.reload();
        assert.deepEqual(await page.locator('.own-title').allTextContents(), ['Favourites', 'Recently read']);
        assert.deepEqual(await tiles(page), ['The Bee', 'Ant']);
        assert.equal(await page.getByRole('checkbox', { name: 'Dense' }).isChecked(), true);
        await assertAccessible(page);
        await assertFits(page);
        await page.getByRole('searchbox').fill('ant');
        await shows(page, ['Ant']);
        assert.deepEqual(await tiles(page), []);
        await page.getByRole('searchbox').fill('');
        await shows(page, [HOSTILE, 'Ant', 'Straße', 'The Bee']);
        await page.getByRole('button', { name: 'Favourite: The Bee' }).click({ force: true });
        assert.deepEqual(await tiles(page), ['Ant']);
      }));
  }

  it('treats storage entries left by a hosted site as mere project names', () =>
    browser.see(server.url, {}, async (page) => {
      for (const left of ['{', '7', '{"a":1}', `[1,null,"${'x'.repeat(10)}","<img src=x>"]`]) {
        await page.evaluate((text) => {
          for (const name of ['favourites', 'read', 'view']) localStorage.setItem(`lectern.${name}`, text);
        }, left);
        await page.reload();
        assert.equal((await names(page)).length, 4);
        assert.deepEqual(await tiles(page), []);
      }
    }));

  it('runs no script of a hosted site, even when one enters the page', () =>
    browser.see(server.url, { alone: true, foreign: true }, async (page) => {
      const blocked = await page.evaluate(
        (source) =>
          new Promise<string>((resolve) => {
            addEventListener('securitypolicyviolation', ({ blockedURI }) => resolve(blockedURI));
            const script = document.createElement('script');
            script.src = source;
            script.onload = () => resolve('it ran');
            document.head.append(script);
          }),
        '/ant-1.0/run.js',
      );
      assert.equal(blocked, `${server.url}/ant-1.0/run.js`);
    }));

  it('shows the commands of a first upload, with its own address, on an empty server', async () => {
    const empty = await TestServer.start();
    for (const scripts of [true, false]) {
      await browser.see(empty.url, { width: 360, scripts }, async (page) => {
        assert.ok((await page.locator('pre').first().textContent())?.includes(`LECTERN_URL=${empty.url}`));
        await page.getByText('With zip and curl').click();
        assert.ok((await page.locator('pre').last().innerText()).includes(`${empty.url}/api/upload`));
        await assertFits(page);
        if (scripts) await assertAccessible(page);
      });
    }
    await empty.close();
  });

  describe('The index with a thousand projects', () => {
    let docs: string;
    let many: TestServer;
    before(async () => {
      docs = await mkdtemp(join(tmpdir(), 'lectern-many-'));
      await Promise.all(
        Array.from({ length: 1_000 }, async (_, index) => {
          const words = ['network', 'parser', 'storage', 'billing', 'search'].toSpliced(index % 5, 1);
          const site = join(docs, `team-${words[index % 4]}-${index}-1.${index}.0`);
          await mkdir(site);
          await writeFile(join(site, 'index.html'), 'x');
          const text = `name: The ${words.join(' ')} ${index}\ndescription: All about ${words.join(' and ')} of ${index * 7919}\ngroup: Team ${index % 12}\ntags: [${words[0]}, ${words[1]}]\nowner: Owner ${index % 7}\n`;
          await writeFile(join(site, 'docinfo.yaml'), text);
        }),
      );
      many = await TestServer.start({ docs });
    });
    after(async () => {
      await many.close();
      await rm(docs, { recursive: true });
    });

    it('weighs less than 60 KB compressed', async () => {
      const page = await many.get('/');
      const html = Buffer.from(await page.arrayBuffer());
      const weight = gzipSync(html).length;
      assert.ok(weight < 60_000, `${weight} bytes`);
      assert.ok(html.includes('1,000 projects'));
    });

    for (const [name, view] of VIEWS) {
      it(`links to groups, letters and tags, and lays out no row before it is visible (${name})`, () =>
        browser.see(many.url, view, async (page) => {
          const drawn = () =>
            page.evaluate<number>(`[...document.querySelectorAll('.project-name')]
              .filter((name) => name.checkVisibility({ contentVisibilityAuto: true })).length`);
          assert.ok((await drawn()) < 100, `${await drawn()} rows`);
          await assertFits(page);
          await page
            .getByRole('navigation', { name: 'Groups' })
            .getByRole('link', { name: 'Team 11' })
            .click();
          // Selectors, since Playwright computes the roles and names of all rows to find one, for half a second each time.
          const heading = page.locator('h2', { hasText: /^Team 11/ });
          const filterEnd = (filter: string) =>
            page.locator(`[aria-label="Remove the filter ${filter}"]`).click();
          await until(async () => ((await heading.boundingBox())?.y ?? -1) >= 0);
          await heading.locator('a').click();
          assert.equal(await page.locator('#count').textContent(), '83 projects');
          await page.locator('.filter').waitFor();
          await page.getByText('Tags', { exact: true }).click();
          await page
            .locator('.facets')
            .getByRole('link', { name: /^parser/ })
            .click();
          await page.waitForLoadState();
          assert.deepEqual(await page.locator('.filter bdi').allTextContents(), ['Team 11', 'parser']);
          await assertFits(page);
          await assertAccessible(page);
          await filterEnd('group Team 11');
          await page.locator('nav[aria-label="Order"] a', { hasText: /^Name$/ }).click();
          await filterEnd('tag parser');
          assert.match(page.url(), /\/\?sort=name$/);
          assert.equal(await page.locator('#count').textContent(), '1,000 projects');
          const letters = page.getByRole('navigation', { name: 'First letters' });
          assert.equal(await letters.count(), 0, 'all names begin with one letter');
        }));
    }
  });
});
