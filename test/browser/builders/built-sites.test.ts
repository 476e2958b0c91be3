import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, type View } from '../../support/browser.js';
import { BUILDERS } from '../../support/builders/builders.js';
import { type Builder, builtSite } from '../../support/builders/built-sites.js';
import { TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

/** Folder for a picture of each page in each view, to look at. */
const PICTURES = process.env.LECTERN_PICTURES;

const VIEWS: readonly (readonly [name: string, view: View])[] = [
  ['360 px', { width: 360, phone: true, foreign: true }],
  ['1280 px', { width: 1280, foreign: true }],
  ['1280 px dark', { width: 1280, dark: true, foreign: true }],
];

interface Looked {
  readonly isOnScreen: boolean;
  /** Whether the switcher is dark, and whether the page is. */
  readonly dark: readonly [switcher: boolean, page: boolean];
  /** Controls of the page that stay in place when it scrolls, and are under the switcher. */
  readonly covered: readonly string[];
  readonly layout: string;
}

/** Facts about a page with the switcher. Text is dark on a light page, and light on a dark one. */
const LOOK = `(() => {
  const host = document.querySelector('lectern-switcher');
  const all = host.shadowRoot.querySelector('.all');
  const box = all.querySelector('.toggle').getBoundingClientRect();
  const { offsetLeft, offsetTop, width, height } = visualViewport;
  const [red, green, blue] = getComputedStyle(document.querySelector('main p') ?? document.querySelector('p')).color.match(/[\\d.]+/g).map(Number);
  host.style.setProperty('display', 'none', 'important');
  const under = [0.1, 0.5, 0.9].flatMap((right) => [0.1, 0.5, 0.9].flatMap((down) =>
    document.elementsFromPoint(box.left + box.width * right, box.top + box.height * down)));
  const covered = under.filter((element) => element.closest('a, button, input, select, summary, [role=button]'))
    .filter((element) => {
      for (let each = element; each; each = each.parentElement) {
        if (/fixed|sticky/.test(getComputedStyle(each).position)) return true;
      }
    }).map((element) => element.outerHTML.slice(0, 100));
  const layout = document.documentElement.scrollWidth + ' ' + document.documentElement.scrollHeight;
  host.style.removeProperty('display');
  return {
    isOnScreen: box.left >= offsetLeft && box.top >= offsetTop && box.right <= offsetLeft + width && box.bottom <= offsetTop + height,
    dark: [all.classList.contains('dark'), 0.2126 * red + 0.7152 * green + 0.0722 * blue > 128],
    covered,
    layout: layout === document.documentElement.scrollWidth + ' ' + document.documentElement.scrollHeight ? 'the same' : layout,
  };
})()`;

async function lookAt(seen: Page, name: string, { scrollsUpWith }: Builder): Promise<void> {
  await seen.getByRole('button', { name: /^Version / }).waitFor();
  if (scrollsUpWith !== undefined) {
    // Again until its scripts listen, which nothing announces.
    await until(async () => {
      await seen.evaluate('scrollTo(0, 1000)');
      // The page tells up from down by where it was at the last event.
      await seen.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
      await seen.evaluate('scrollTo(0, 700)');
      const button = seen.getByRole('button', { name: scrollsUpWith });
      return button.waitFor({ timeout: 1_000 }).then(
        () => true,
        () => false,
      );
    });
  }
  const { isOnScreen, dark, covered, layout } = await seen.evaluate<Looked>(LOOK);
  assert.ok(isOnScreen, name);
  assert.equal(dark[0], dark[1], name);
  assert.deepEqual(covered, [], name);
  assert.equal(layout, 'the same', name);
  if (PICTURES !== undefined) {
    await mkdir(PICTURES, { recursive: true });
    await seen.screenshot({ path: `${PICTURES}/${name}.png` });
  }
}

describeInBrowser('The version switcher on sites by real builders', (browser) => {
  let server: TestServer;
  /** All are built at once: most of that is waiting for others. */
  let sites: ReadonlyMap<string, ReturnType<typeof builtSite>>;
  before(async () => {
    server = await TestServer.start({ switcher: true });
    sites = new Map(BUILDERS.map((builder) => [builder.name, builtSite(builder)]));
    await Promise.allSettled(sites.values());
  });
  after(() => server.close());

  for (const builder of BUILDERS) {
    it(`is visible, in the page's colours, and covers no control: ${builder.name}`, async (test) => {
      const site = (await sites.get(builder.name)) ?? assert.fail();
      if ('unavailable' in site) return test.skip(site.unavailable);
      assert.equal((await server.upload(`${builder.name}-1.0-docs.zip`, await site.zip())).status, 201);
      await server.upload(`${builder.name}-2.0-docs.zip`);
      for (const [name, view] of VIEWS) {
        await browser.see(`${server.url}/${builder.name}-1.0/${builder.page}`, view, (seen) =>
          lookAt(seen, `${builder.name} ${name}`, builder),
        );
      }
    });
  }
});
