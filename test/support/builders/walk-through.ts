import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../until.js';
import { withoutFailures } from './requests.js';
import { NAME_OF_SITE, PAGES, type PageName, type SiteWithARouter } from './sites-with-a-router.js';

/** Title of the document of a page. */
export const titleOf = (page: PageName) => `${PAGES[page].title} | ${NAME_OF_SITE}`;

/** Asserts that the scripts of a page have taken over, and left its title and text. */
export async function assertShows(seen: Page, site: SiteWithARouter, page: PageName): Promise<void> {
  await seen.waitForFunction(site.hasTakenOver);
  await seen.waitForLoadState('networkidle');
  let shown: readonly string[] = [];
  // A script that has taken over may still draw the page anew.
  const isShown = async () => {
    const read = Promise.all([seen.title(), seen.locator('body').innerText()]);
    shown = await read.catch((error) => [String(error)]);
    const [title, text = ''] = shown;
    return title === titleOf(page) && text.replace(/\s+/g, ' ').includes(PAGES[page].text);
  };
  await until(isShown).catch(() => assert.fail(`${titleOf(page)}: ${PAGES[page].text} is not in ${shown}`));
}

/**
 * Goes through a site as a reader does: opens two of its pages, follows links from page to page, and loads them anew.
 * Every address that the browser then shows is where the site is to be, and every request succeeds.
 * @param from address of the site's front page that is opened
 * @param to address at which it is to be
 */
export async function walkThrough(
  seen: Page,
  site: SiteWithARouter,
  from: string,
  to: string,
): Promise<void> {
  const { addressOf } = site;
  const walk = async (isSilent: () => Promise<void>) => {
    const assertIsAt = async (page: PageName) => {
      await assertShows(seen, site, page);
      assert.equal(seen.url(), new URL(addressOf(page), to).href);
      await isSilent();
    };
    const follow = async (name: string, page: PageName) => {
      await seen.evaluate('window.isTheSameDocument = true');
      await seen.locator('main').getByRole('link', { name, exact: true }).click();
      await seen.waitForFunction(`document.title === ${JSON.stringify(titleOf(page))}`);
      assert.equal(await seen.evaluate('window.isTheSameDocument'), true, 'the link loads a document');
      await assertIsAt(page);
    };
    await seen.goto(from + addressOf('guide/cleaning'));
    await assertIsAt('guide/cleaning');
    await seen.goto(from);
    await assertIsAt('');
    await seen.getByAltText('A kettle').scrollIntoViewIfNeeded();
    await seen.waitForFunction('document.querySelector("img[alt=\'A kettle\']")?.naturalWidth === 100');
    assert.match(await seen.locator('main pre').innerText(), /kettle\.fill\(\{ litres: 1 \}\)/);
    await follow('guide', 'guide');
    await seen.reload();
    await assertIsAt('guide');
    await follow('size', 'guide/größe');
    await seen.reload();
    assert.equal(await seen.evaluate('window.isTheSameDocument'), undefined);
    await assertIsAt('guide/größe');
  };
  await withoutFailures(seen, walk);
}
