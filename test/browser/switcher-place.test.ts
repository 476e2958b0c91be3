import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, describeInBrowser, VIEWS } from '../support/browser.js';
import { TestServer } from '../support/server.js';

const page = (label: string, style = '') => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${label}</title><style>${style}</style>
<main><h1>${label}</h1><p>text</p></main></html>`;
/** Wider than any telephone, as Javadoc's and Django's tables are. */
const WIDE = page('wide', 'main { width: 990px; height: 3000px; background: linear-gradient(#fff, #ddd) }');
const DARK = '.dark, .dark body { background: #111; color: #eee }';

const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];

const toggle = (seen: Page) => seen.getByRole('button', { name: /^Version / });
const isDark = (seen: Page) =>
  seen
    .locator('lectern-switcher .all')
    .evaluate((all) => (all as unknown as Element).classList.contains('dark'));

interface Element {
  readonly classList: { contains(name: string): boolean };
}

/** Asserts that a part of the switcher is in what the screen shows, once that has been drawn. */
async function assertOnScreen(seen: Page, part: string): Promise<void> {
  await seen.locator(`lectern-switcher ${part}`).waitFor();
  const [box, view] = await seen.evaluate<[number[], number[]]>(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const { left, top, right, bottom } = document.querySelector('lectern-switcher').shadowRoot.querySelector('${part}').getBoundingClientRect();
    const { offsetLeft, offsetTop, width, height } = visualViewport;
    return [[left, top, right, bottom], [offsetLeft, offsetTop, offsetLeft + width, offsetTop + height]];
  })()`);
  const [left = -1, top = -1, right = 0, bottom = 0] = box;
  const [viewLeft = 0, viewTop = 0, viewRight = 0, viewBottom = 0] = view;
  const isInside = left >= viewLeft && top >= viewTop && right <= viewRight && bottom <= viewBottom;
  assert.ok(isInside, `${part} ${box} in ${view}`);
}

describeInBrowser('The place and colours of the version switcher', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ switcher: true });
    for (const label of ['1.0', '2.0']) {
      await server.upload(`tool-${label}-docs.zip`, {
        'index.html': page(label),
        'wide.html': WIDE,
        'narrow-layout.html': WIDE.replace(/<meta name="viewport".*>/, ''),
        'dark.html': page(label, 'body { background: rgb(17 17 17); color: #eee }'),
        'oklch.html': page(label, 'html { background: oklch(0.2 0.02 260); color: #eee }'),
        'transparent.html': page(label, 'html { background: rgb(0 0 0 / .1) }'),
        'system.html': page(label, ':root { color-scheme: light dark }'),
        'frame.html': page(
          label,
          'body { background: #fff } main { position: fixed; inset: 0; background: #000 }',
        ),
        // As Django's pages look on a telephone.
        'column.html': page(
          label,
          'body { background: #092e20; color: #fff } main { min-height: 900px; margin: 0 5%; background: #fffdf5; color: #111 }',
        ),
        'code.html': page(label).replace('<p>', '<pre style="height: 900px; background: #000">code</pre><p>'),
        'toggle.html': page(label, `${DARK} body { background: #fff; transition: background 50ms }`),
      });
      await server.upload(`listed-${label}-docs.zip`, { 'notes.txt': label });
    }
    for (const corner of CORNERS) {
      await server.upload(`at-${corner}-1.0-docs.zip`, {
        'index.html': page(corner),
        'docinfo.yaml': `switcher_corner: ${corner}`,
      });
    }
    for (let minor = 0; minor < 60; minor++) {
      await server.upload(`many-1.${minor}-docs.zip`, { 'index.html': page(`1.${minor}`) });
    }
    for (let candidate = 1; candidate < 20; candidate++) {
      await server.upload(`many-2.0rc${candidate}-docs.zip`, { 'index.html': page('rc') });
    }
  });
  after(() => server.close());

  for (const path of ['wide.html', 'narrow-layout.html', 'index.html']) {
    it(`fits the screen of a phone, at its usual size, with ${path}`, () =>
      browser.see(`${server.url}/tool-1.0/${path}`, { width: 360, phone: true }, async (seen) => {
        await toggle(seen).waitFor();
        await assertOnScreen(seen, '.toggle');
        await assertOnScreen(seen, '.banner');
        const height = await seen.evaluate<number>(
          `document.querySelector('lectern-switcher').shadowRoot.querySelector('.toggle').getBoundingClientRect().height * visualViewport.scale`,
        );
        assert.equal(Math.round(height), 40);
        await toggle(seen).tap();
        await assertOnScreen(seen, '.menu');
        await seen.evaluate('scrollTo(400, 900)');
        await assertOnScreen(seen, '.toggle');
      }));
  }

  it('stays on the screen when the reader zooms in', () =>
    browser.see(
      `${server.url}/tool-1.0/wide.html`,
      { width: 360, phone: true, alone: true },
      async (seen) => {
        await toggle(seen).waitFor();
        const debug = await seen.context().newCDPSession(seen);
        await debug.send('Input.synthesizePinchGesture', { x: 100, y: 300, scaleFactor: 6 });
        await seen.waitForFunction('visualViewport.scale > 1.5');
        await seen.waitForFunction(
          `parseFloat(document.querySelector('lectern-switcher')?.shadowRoot?.querySelector('.all')?.style.top) === visualViewport.offsetTop`,
        );
        await assertOnScreen(seen, '.toggle');
        await assertOnScreen(seen, '.banner');
      },
    ));

  for (const system of [false, true]) {
    it(`is as light or dark as the page, with a ${system ? 'dark' : 'light'} system`, async () => {
      const pages: readonly (readonly [path: string, dark: boolean])[] = [
        ['index.html', false],
        ['dark.html', true],
        ['oklch.html', true],
        ['transparent.html', false],
        ['system.html', system],
        ['frame.html', true],
        ['column.html', false],
        ['code.html', false],
      ];
      for (const [path, expected] of pages) {
        await browser.see(`${server.url}/tool-1.0/${path}`, { dark: system }, async (seen) => {
          await toggle(seen).waitFor();
          assert.equal(await isDark(seen), expected, path);
        });
      }
    });
  }

  it("has the background of the page's text, if its own text is legible on it", async () => {
    const pages = { 'column.html': 'rgb(255, 253, 245)', 'transparent.html': 'rgb(255, 255, 255)' };
    for (const [path, expected] of Object.entries(pages)) {
      await browser.see(`${server.url}/tool-1.0/${path}`, { width: 390 }, async (seen) => {
        await toggle(seen).waitFor();
        const paper = `getComputedStyle(document.querySelector('lectern-switcher').shadowRoot.querySelector('.toggle')).backgroundColor`;
        assert.equal(await seen.evaluate(paper), expected, path);
        await toggle(seen).click();
        assert.ok(await seen.getByRole('link', { name: 'All projects' }).isVisible());
        await assertAccessible(seen);
      });
    }
  });

  it("follows the page's own theme toggle and its transition", () =>
    browser.see(`${server.url}/tool-1.0/toggle.html`, { dark: true, alone: true }, async (seen) => {
      await seen.emulateMedia({ reducedMotion: 'no-preference' });
      await toggle(seen).waitFor();
      assert.equal(await isDark(seen), false);
      const becomes = (dark: boolean) =>
        seen.waitForFunction(
          `document.querySelector('lectern-switcher')?.shadowRoot?.querySelector('.all')?.classList.contains('dark') === ${dark}`,
        );
      await seen.evaluate(`document.documentElement.classList.add('dark')`);
      await becomes(true);
      await seen.evaluate(`document.documentElement.classList.remove('dark')`);
      await becomes(false);
      await seen.evaluate(
        `document.head.insertAdjacentHTML('beforeend', '<style>body { background: #000 !important }</style>')`,
      );
      await becomes(true);
    }));

  for (const [name, view] of VIEWS) {
    it(`finds one of many versions, and keeps the latest visible (${name})`, () =>
      browser.see(`${server.url}/many-1.3/`, view, async (seen) => {
        await toggle(seen).click();
        const isShown = (text: string) =>
          seen.locator(`lectern-switcher .versions a:has(span:text-is("${text}"))`).evaluate((link) => {
            const { top, bottom } = (link as unknown as Boxed).getBoundingClientRect();
            const list = (link as unknown as Boxed).closest('.versions').getBoundingClientRect();
            return top >= list.top - 1 && bottom <= list.bottom + 1;
          });
        assert.deepEqual(
          [await isShown('1.59'), await isShown('1.3'), await isShown('1.30')],
          [true, true, false],
        );
        await assertAccessible(seen);
        const filter = seen.getByRole('searchbox', { name: 'Filter versions' });
        await filter.fill('RC1');
        const shown = () => seen.locator('lectern-switcher .versions a:visible').allTextContents();
        assert.equal((await shown()).length, 11);
        await filter.press('ArrowDown');
        await seen.keyboard.press('Enter');
        await seen.waitForURL('**/many-2.0rc19/');
        await toggle(seen).click();
        await filter.fill('nothing like this');
        assert.deepEqual(await shown(), []);
        assert.equal(await seen.locator('lectern-switcher .nothing').textContent(), 'No version matches.');
        await assertAccessible(seen);
      }));
  }

  it('captures the keys of its filter', () =>
    browser.see(`${server.url}/many-1.3/`, {}, async (seen) => {
      await toggle(seen).waitFor();
      await seen.evaluate(`window.keys = '';
        for (const kind of ['keydown', 'keypress', 'keyup'])
          document.addEventListener(kind, ({ key }) => { window.keys += key })`);
      await toggle(seen).focus();
      await seen.keyboard.press('Enter');
      await seen.evaluate(`window.keys = ''`);
      await seen.keyboard.type('s/1.4');
      assert.equal(await seen.getByRole('searchbox').inputValue(), 's/1.4');
      await seen.keyboard.press('Escape');
      assert.equal(await toggle(seen).getAttribute('aria-expanded'), 'false');
      // The release of the last key meets the button, which has the focus by then.
      assert.equal(await seen.evaluate('window.keys'), 'Escape');
    }));

  for (const [path, wanted] of [
    ['/tool-2.0/', 'bottom-right'],
    ...CORNERS.map((corner) => [`/at-${corner}-1.0/`, corner]),
  ] as const) {
    it(`is at the ${wanted.replace('-', ' ')} on ${path}`, () =>
      browser.see(server.url + path, { width: 360 }, async (seen) => {
        const { x = 0, y = 0 } = (await toggle(seen).boundingBox()) ?? {};
        assert.equal(`${y < 400 ? 'top' : 'bottom'}-${x < 180 ? 'left' : 'right'}`, wanted);
        await toggle(seen).click();
        await assertOnScreen(seen, '.menu');
      }));
  }

  for (const [name, view] of VIEWS) {
    it(`appears on the file list of a version without a front page (${name})`, () =>
      browser.see(`${server.url}/listed-1.0/`, view, async (seen) => {
        await toggle(seen).waitFor();
        assert.equal(await isDark(seen), view.dark ?? false);
        await assertAccessible(seen);
        const top = (await seen.locator('lectern-switcher .banner').boundingBox())?.y ?? 0;
        await seen.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        const { y = 0, height = 0 } = (await seen.locator('.colophon a').boundingBox()) ?? {};
        assert.ok(y + height <= top, 'the last link is above the notice');
        await seen.getByRole('link', { name: 'Read this page in 2.0' }).click();
        await seen.waitForURL('**/listed-latest/');
        await toggle(seen).waitFor();
      }));
  }
});

interface Boxed {
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
  closest(selector: string): Boxed;
}
