import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { daysIn, lastDays, type ProjectUsage } from '../../src/domain/index.js';
import { assertAccessible, assertFits, describeInBrowser, VIEWS, WIDTHS } from '../support/browser.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';
import { TestServer } from '../support/server.js';

const PAGES = ['index.html', 'install.html', 'guide/first-steps.html', 'api/client.html', 'changes.html'];
const LONG = `reference/${'a-name-of-a-directory/'.repeat(5)}very_long_module_name.html`;
const MISSED = ['instal.html', 'guide/first-step.html', 'docs/quickstart/', 'favicon.ico', 'install'];

/** A year of counts: more on working days, more over time, a peak, and a new version halfway. */
async function fill(store: MemoryUsageStore, now: Date): Promise<void> {
  for (const [index, day] of daysIn(lastDays(400, now)).entries()) {
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const peak = index === 330 ? 4 : 1;
    const all = Math.round((40 + index * 0.6 + (index % 11) * 4) * (isWeekend ? 0.3 : 1) * peak);
    const share = index < 200 ? 0 : Math.min(0.9, (index - 200) / 150);
    const usage: ProjectUsage = new Map([
      ['1.9.0', versionOf(Math.round(all * (1 - share)), index)],
      ['2.0.0', versionOf(Math.round(all * share), index)],
    ]);
    await store.write({ project: 'tool', day, writer: 'one' }, usage);
  }
  const misses = new Map(['gone.html', 'gone.png'].map((path) => [path, 1]));
  const all = {
    reads: { total: 1, paths: new Map([['index.html', 1]]) },
    misses: { total: 2, paths: misses },
  };
  const day = now.toISOString().slice(0, 10);
  const agents = { total: 0, paths: new Map() };
  await store.write({ project: 'one', day, writer: 'one' }, new Map([['1.0', { ...all, agents }]]));
}

function versionOf(total: number, index: number) {
  const weights = [0.4, 0.25, 0.15, 0.1, 0.05];
  const reads = new Map(PAGES.map((page, rank) => [page, Math.round(total * (weights[rank] ?? 0))]));
  reads.set(LONG, Math.round(total * 0.05));
  const misses = new Map(MISSED.slice(0, 1 + (index % 5)).map((path, rank) => [path, 5 - rank]));
  const missed = [...misses.values()].reduce((sum, count) => sum + count, 0);
  const agents = { total: Math.round(total / 3), paths: new Map([['index.html', Math.round(total / 3)]]) };
  return { reads: { total, paths: reads }, agents, misses: { total: missed + 1, paths: misses } };
}

describeInBrowser('The usage page of a project', (browser) => {
  let server: TestServer;
  before(async () => {
    const usage = new MemoryUsageStore();
    await fill(usage, new Date());
    server = await TestServer.start({ usage });
    const site = Object.fromEntries([...PAGES, LONG].map((page) => [page, '<h1>page</h1>']));
    for (const version of ['0.9.0', '1.8.0', '1.9.0', '2.0.0']) {
      await server.upload(`tool-${version}-docs.zip`, site);
    }
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`shows days, versions, pages and missing pages, in every range (${name})`, () =>
      browser.see(`${server.url}/-/projects/tool`, view, async (seen) => {
        await seen.getByRole('link', { name: 'Usage' }).click();
        await seen.getByRole('heading', { level: 1, name: 'Usage of tool' }).waitFor();
        await seen.waitForLoadState();
        assert.equal(await seen.locator('.usage-bar').count(), 30);
        for (const [range, bars] of [
          ['7 days', 7],
          ['90 days', 90],
          ['400 days', 58],
        ] as const) {
          await seen.getByRole('link', { name: range, exact: true }).click();
          await seen.locator(`a[aria-current="page"]:text-is("${range}")`).waitFor();
          await seen.waitForLoadState();
          assert.equal(await seen.locator('.usage-bar').count(), bars);
          await assertAccessible(seen);
          await assertFits(seen);
        }
        const [most] = await seen.locator('section[aria-labelledby="pages"] tbody a').allInnerTexts();
        assert.equal(most, 'index.html');
        assert.match(await seen.locator('.snippet pre').innerText(), /^\/instal\.html \/install\.html 301$/m);
        await seen.getByText('2 versions without reads').click();
        await seen.getByText('1.8.0 · 0.9.0').waitFor();
      }));
  }

  for (const width of WIDTHS) {
    it(`shows the same figures as a table, by keyboard and without scripts (${width} px)`, () =>
      browser.see(`${server.url}/-/projects/tool/usage?days=7`, { width, scripts: false }, async (seen) => {
        await seen.getByRole('img', { name: /^Reads per day from .* Peak: \d+, / }).waitFor();
        const summary = seen.getByText('As a table');
        while (!(await summary.evaluate((element) => element === document.activeElement))) {
          await seen.keyboard.press('Tab');
        }
        await seen.keyboard.press('Enter');
        assert.equal(await seen.locator('.usage-chart tbody tr').count(), 7);
        await assertFits(seen);
      }));
  }

  it('puts missing files beside missing pages, and names no version where it is the latest one', async () => {
    await server.upload('one-1.0-docs.zip');
    await browser.see(`${server.url}/-/projects/one/usage`, {}, async (seen) => {
      const [pages, files] = await Promise.all(
        ['missing', 'missing-files'].map((id) => seen.locator(`#${id}`).boundingBox()),
      );
      assert.equal(pages?.y, files?.y);
      assert.ok((pages?.x ?? 0) < (files?.x ?? 0));
      assert.equal(await seen.locator('.usage-labels').count(), 0);
      await seen.getByText('A path without a version is one of 1.0, the latest.').waitFor();
    });
  });

  it('shows that nothing has been counted', async () => {
    await server.upload('new-1.0-docs.zip');
    await browser.see(`${server.url}/-/projects/new/usage`, {}, async (seen) => {
      assert.deepEqual(await seen.locator('.usage-counts > li').allTextContents(), [
        '0 reads',
        '0 agent reads',
        '0 missing pages',
        '0 missing files',
      ]);
      await seen.getByText('None in this period.').first().waitFor();
      assert.equal(await seen.locator('.usage-chart').count(), 0);
      await assertAccessible(seen);
      await assertFits(seen);
    });
  });
});
