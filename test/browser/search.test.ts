import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Refusal } from '../../src/domain/index.js';
import { assertAccessible, assertFits, describeInBrowser, VIEWS, WIDTHS } from '../support/browser.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const HOSTILE = `&lt;img src=x onerror=alert(1)>`;
const tall = '<p style="height: 2000px">Nothing here.</p>';
const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`;

const links = (seen: Page) => seen.locator('.hit-link').allTextContents();
const focused = (seen: Page) => seen.locator(':focus').textContent();
const sentence = (seen: Page, text: string | RegExp) =>
  seen.getByRole('status').filter({ hasText: text }).waitFor();

describeInBrowser('The search of pages in a browser', (browser) => {
  let server: TestServer;
  const index = new MemorySearchIndex();
  before(async () => {
    server = await TestServer.start({ search: index });
    await server.upload('kettle-1.0-docs.zip', {
      'index.html': page('Kettle', '<p>An old kettle whistles.</p>'),
    });
    await server.upload('kettle-2.0-docs.zip', {
      'index.html': page(
        'Kettle',
        `<p>A kettle boils water. It is made of steel.</p>${'<p>It stands on its base.</p>'.repeat(40)}`,
      ),
      'a.html': page('Cleaning', `${tall}<h2 id="lime">Lime</h2><p>Lemon takes the lime away.</p>${tall}`),
      'b.html': page(HOSTILE, `<p>A lid of steel ${HOSTILE}.</p>`),
      'c.html': page('Handle', '<p>A steel handle gets hot.</p>'),
      'd.html': page('Base', '<p>The base has a steel plate.</p>'),
      'docinfo.json': '{"name":"The Kettle"}',
    });
    await server.upload('pan-1.0-docs.zip', { 'index.html': page('Pan', '<p>A pan of steel or iron.</p>') });
    await server.isIndexed();
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`folds equal pages of several projects into one row, a favourite first (${name})`, async (context) => {
      const many = await TestServer.start({ search: new MemorySearchIndex() });
      context.after(() => many.close());
      for (const project of ['cup', 'jug', 'mug']) {
        const docinfo = project === 'cup' ? { 'docinfo.json': '{"group":"Tea","tags":["hot"]}' } : {};
        const text = `<h2 id="size">size.max</h2><p>Litres of a ${project}.</p>`;
        await many.upload(`${project}-1.0-docs.zip`, {
          'index.html': page(project, ''),
          'sizes.html': page('Sizes', text),
          ...docinfo,
        });
      }
      await many.isIndexed();
      await browser.see(`${many.url}/-/search?q=litres`, view, async (seen) => {
        assert.equal(await seen.locator('.found-list .hit-project').count(), 1);
        const others = seen.locator('.hit-same a');
        await seen.getByRole('searchbox').focus();
        // Arrows pass by filters and what is folded, and Enter opens it.
        await seen.locator('.found-facets').waitFor();
        for (let step = 0; step < 2; step += 1) await seen.keyboard.press('ArrowDown');
        assert.equal(await focused(seen), 'In 3 projects');
        await seen.keyboard.press('ArrowDown');
        assert.equal(await focused(seen), 'In 3 projects');
        await seen.keyboard.press('Enter');
        assert.equal(await others.count(), 2);
        await assertAccessible(seen);
        await assertFits(seen);
        await seen.evaluate(() => localStorage.setItem('lectern.favourites', '["mug"]'));
        await seen.reload();
        await seen.locator('.found-list .hit-project').filter({ hasText: 'mug 1.0' }).waitFor();
        assert.deepEqual((await others.allTextContents()).sort(), ['cup', 'jug']);
        await seen.getByRole('link', { name: 'Ungrouped' }).click();
        await seen.waitForURL('**/-/search?q=litres&ungrouped=true');
        await seen.getByText('In 2 projects').waitFor();
      });
    });

    it(`shows the project named by the words, and removes that filter (${name})`, () =>
      browser.see(`${server.url}/-/search`, view, async (seen) => {
        await seen.getByRole('searchbox').fill('pan: steel');
        await sentence(seen, '1 page for “steel”');
        const chip = seen.getByRole('list', { name: 'Filter' });
        assert.equal((await chip.textContent())?.replace(/\s+/g, ' '), 'In Pan 1.0×');
        await assertAccessible(seen);
        await assertFits(seen);
        await chip.getByRole('link', { name: 'Search in all projects' }).click();
        await seen.waitForURL('**/-/search?q=pan%3A+steel&all_projects=true');
        await sentence(seen, 'for “pan: steel”');
        assert.equal(await chip.count(), 0);
        // The next query is searched for in all projects, too.
        await seen.getByRole('searchbox').fill('pan: steel or');
        await sentence(seen, 'for “pan: steel or”');
        assert.match(seen.url(), /all_projects=true/);
      }));

    it(`shows projects, and pages below, while typing on the index (${name})`, () =>
      browser.see(server.url, view, async (seen) => {
        assert.equal(await seen.locator('#found-pages').isVisible(), false);
        await seen.keyboard.press('/');
        await seen.keyboard.type('steel');
        await sentence(seen, '5 pages for “steel”');
        assert.deepEqual(await seen.locator('.hit-project').allTextContents(), ['Pan 1.0', 'The Kettle 2.0']);
        assert.equal(await seen.locator('.hit').count(), 4);
        assert.deepEqual([...new Set(await seen.locator('mark').allTextContents())], ['steel']);
        await assertAccessible(seen);
        await assertFits(seen);
        await seen.getByRole('link', { name: 'More in The Kettle' }).click();
        await seen.waitForURL('**/-/search?q=steel&project=kettle');
        assert.equal(await seen.locator('.hit').count(), 4);
        await assertAccessible(seen);
        await assertFits(seen);
      }));

    it(`searches the latest version on a project page (${name})`, () =>
      browser.see(`${server.url}/-/projects/kettle`, view, async (seen) => {
        await seen.getByRole('searchbox').fill('steel');
        await sentence(seen, '4 pages for “steel”');
        await assertAccessible(seen);
        await assertFits(seen);
        await seen.getByRole('searchbox').fill('whistles');
        await sentence(seen, 'No page has these words');
        await assertAccessible(seen);
      }));
  }

  for (const [name, view] of VIEWS) {
    it(`is offered for a missing page, with the words of its address (${name})`, () =>
      browser.see(`${server.url}/kettle-1.0/care/whistles.html`, view, async (seen) => {
        assert.equal(await seen.getByRole('searchbox').inputValue(), 'care whistles');
        await assertAccessible(seen);
        await assertFits(seen);
        await seen.getByRole('searchbox').fill('whistles');
        await seen.keyboard.press('Enter');
        await seen.waitForURL('**/-/search?q=whistles&project=kettle&version=1.0');
        await seen.getByRole('heading', { name: 'Search' }).waitFor();
      }));
  }

  for (const width of WIDTHS) {
    it(`works without scripts, from the index to the next results (${width} px)`, () =>
      browser.see(server.url, { width, scripts: false }, async (seen) => {
        await seen.getByRole('searchbox').fill('steel');
        await seen.getByRole('button', { name: 'Search' }).click();
        await seen.getByRole('link', { name: 'Search the pages of all projects' }).click();
        await seen.waitForLoadState();
        assert.equal(await seen.locator('.hit').count(), 4);
        assert.equal(await seen.locator('.hit mark').count(), 4);
        await assertFits(seen);
        await seen.getByRole('searchbox').fill('hndle');
        await seen.getByRole('button', { name: 'Search' }).click();
        await sentence(seen, 'No page has “hndle”; 1 page for “handle”');
        await seen.getByRole('searchbox').fill('pan: steel');
        await seen.getByRole('button', { name: 'Search' }).click();
        await sentence(seen, '1 page for “steel”');
        await seen.getByRole('link', { name: 'Search in all projects' }).click();
        await sentence(seen, 'for “pan: steel”');
        await seen.getByRole('searchbox').fill('qqqq');
        await seen.getByRole('button', { name: 'Search' }).click();
        await seen.getByText('Try fewer words').waitFor();
      }));
  }

  it('moves the focus by keys alone, and opens the focused result by Enter', () =>
    browser.see(server.url, {}, async (seen) => {
      await seen.keyboard.press('/');
      await seen.keyboard.type('kettle');
      await sentence(seen, /pages? for “kettle”/);
      await seen.keyboard.press('ArrowDown');
      assert.equal(await focused(seen), 'The Kettle');
      await seen.keyboard.press('ArrowDown');
      assert.equal(await focused(seen), 'Kettle');
      await seen.keyboard.press('ArrowUp');
      await seen.keyboard.press('ArrowUp');
      assert.equal(await seen.locator(':focus').getAttribute('id'), 'search');
      await seen.keyboard.press('Escape');
      await seen.locator('#found-pages').waitFor({ state: 'hidden' });
      await seen.keyboard.type('lemon');
      await sentence(seen, '1 page for “lemon”');
      await seen.keyboard.press('Enter');
      await seen.waitForURL(/kettle-latest\/a\.html#lime/);
    }));

  it('puts pages beside the projects on a desktop, and below the field without projects', () =>
    browser.see(server.url, { width: 1280 }, async (seen) => {
      const left = async () => (await seen.locator('#found-pages').boundingBox())?.x ?? Number.NaN;
      const edge = (await seen.locator('#search').boundingBox())?.x ?? Number.NaN;
      await seen.getByRole('searchbox').fill('kettle');
      await sentence(seen, /pages? for “kettle”/);
      assert.ok((await left()) > edge + 300);
      await seen.getByRole('searchbox').fill('lemon');
      await sentence(seen, '1 page for “lemon”');
      await until(async () => (await left()) === edge);
    }));

  it('shows more of the result that has the focus or the pointer beside the list, on a wide screen', () =>
    browser.see(`${server.url}/-/search?q=water`, { width: 1280 }, async (seen) => {
      const preview = seen.getByRole('complementary', { name: 'Preview' });
      const passage = preview.locator('.hit-snippet');
      await preview.getByText('A kettle boils water').waitFor();
      // The list shows two lines, the preview more of what the result has.
      const height = async (shown: typeof passage) => (await shown.boundingBox())?.height ?? 0;
      assert.ok((await height(passage)) > (await height(seen.locator('.hit .hit-snippet').first())));
      await seen.getByRole('searchbox').fill('steel');
      await sentence(seen, '5 pages for “steel”');
      await preview.getByText('Pan 1.0').waitFor();
      for (let step = 0; step < 3; step += 1) await seen.keyboard.press('ArrowDown');
      const title = await focused(seen);
      await preview
        .locator('.preview-title')
        .filter({ hasText: title ?? '' })
        .waitFor();
      await seen.locator('.hit').last().hover();
      const last = await seen.locator('.hit-link').last().textContent();
      await preview
        .locator('.preview-title')
        .filter({ hasText: last ?? '' })
        .waitFor();
      assert.equal(await seen.locator('main a, main button').filter({ hasText: 'Preview' }).count(), 0);
      await assertAccessible(seen);
      await seen.getByRole('searchbox').fill('qqqq');
      await preview.waitFor({ state: 'hidden' });
      await seen.setViewportSize({ width: 1_000, height: 800 });
      await seen.getByRole('searchbox').fill('steel');
      await sentence(seen, '5 pages for “steel”');
      assert.equal(await preview.isVisible(), false);
    }));

  it('links to the matching words where the browser supports text fragments', () =>
    browser.see(`${server.url}/-/search?q=lemon`, {}, async (seen) => {
      const link = seen.locator('.hit-link');
      assert.equal(
        await link.getAttribute('href'),
        `${server.url}/kettle-latest/a.html#lime:~:text=Lemon,-takes%20the`,
      );
      await link.click();
      await seen.waitForURL(/kettle-latest\/a\.html#lime/);
      await seen.waitForFunction('scrollY > 1000');
    }));

  it('keeps the typed words in the address of the search page, for reloads', () =>
    browser.see(`${server.url}/-/search?q=lemon&project=kettle`, {}, async (seen) => {
      await seen.getByRole('searchbox').fill('handle');
      await sentence(seen, /for “handle”/);
      assert.ok(seen.url().endsWith('/-/search?project=kettle&q=handle'));
      await seen.reload();
      assert.deepEqual(await links(seen), ['Handle']);
      await seen.goto(`${server.url}/?search=lemon`);
      await sentence(seen, '1 page for “lemon”');
    }));

  it('shows titles and text that look like HTML as text', () =>
    browser.see(server.url, {}, async (seen) => {
      await seen.getByRole('searchbox').fill('lid');
      await sentence(seen, '1 page for “lid”');
      assert.deepEqual(await links(seen), ['<img src=x onerror=alert(1)>']);
      assert.equal(await seen.locator('main img[src=x]').count(), 0);
    }));

  describe('The search of pages during server trouble', () => {
    const find = index.search;
    after(() => {
      index.search = find;
    });

    it('shows that it is searching, that the server is busy, or that the search failed', () =>
      browser.see(
        server.url,
        {},
        async (seen) => {
          const answers: (() => void)[] = [];
          index.search = async (...asked) => {
            await new Promise<void>((resolve) => answers.push(resolve));
            return find.apply(index, asked);
          };
          await seen.getByRole('searchbox').fill('steel');
          await sentence(seen, 'Searching…');
          await until(() => answers.length > 0);
          for (const answer of answers) answer();
          await sentence(seen, '5 pages for “steel”');
          index.search = () => Promise.reject(new Refusal('unavailable', 'Too many searches wait'));
          await seen.getByRole('searchbox').fill('iron');
          await sentence(seen, 'The server is busy with other searches');
          assert.equal(await seen.locator('.hit').count(), 0);
          index.search = () => Promise.reject(new Error('broken'));
          await seen.getByRole('searchbox').fill('water');
          await sentence(seen, 'The search failed');
          await assertAccessible(seen);
        },
        [500, 503],
      ));

    it('reports a failed search when a proxy responds with its own page, such as a sign-in page', () =>
      browser.see(server.url, {}, async (seen) => {
        index.search = find;
        await seen.route('**/-/search?*', (route) =>
          route.fulfill({ contentType: 'text/html', body: '<title>Sign in</title><form></form>' }),
        );
        await seen.getByRole('searchbox').fill('steel');
        await sentence(seen, 'The search failed');
        assert.equal(await seen.locator('.hit').count(), 0);
        await seen.unrouteAll();
        await seen.getByRole('searchbox').fill('lemon');
        await sentence(seen, '1 page for “lemon”');
      }));

    it('shows the results for the words typed last, in whatever order responses arrive', () =>
      browser.see(server.url, {}, async (seen) => {
        const answers = new Map<string, () => void>();
        index.search = async (query, ...rest) => {
          await new Promise<void>((resolve) => answers.set(query, resolve));
          return find.call(index, query, ...rest);
        };
        await seen.getByRole('searchbox').fill('iron');
        await sentence(seen, 'Searching…');
        await seen.getByRole('searchbox').fill('lemon');
        await until(() => answers.has('lemon'));
        answers.get('lemon')?.();
        await sentence(seen, '1 page for “lemon”');
        answers.get('iron')?.();
        assert.deepEqual(await links(seen), ['Cleaning › Lime']);
      }));

    it('shows that pages are still being indexed, and then their results', () =>
      browser.see(`${server.url}/-/projects/pan`, {}, async (seen) => {
        index.search = async (query, live, options) => ({
          ...(await find.call(index, query, [], options)),
          missing: live.map(({ revision }) => revision),
        });
        await seen.getByRole('searchbox').fill('iron');
        await sentence(seen, 'Nothing found yet, 1 version still being read');
        await assertAccessible(seen);
        index.search = find;
        await sentence(seen, '1 page for “iron”');
      }));
  });
});
