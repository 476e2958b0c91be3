import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../until.js';
import { withoutFailures } from './requests.js';
import type { PageOfASite, SiteOfABuilder } from './site-of-a-builder.js';

/** The text of a page and its frames, with single spaces. */
async function textOf(seen: Page): Promise<string> {
  const texts = await Promise.all(seen.frames().map((frame) => frame.locator('body').innerText()));
  return texts.join(' ').replace(/\s+/g, ' ');
}

/**
 * Visits a site as a reader does: opens its front page, follows a link to the second one, and loads that anew. Every address that the
 * browser then shows is where the site is to be, and every request succeeds.
 * @param from address of the site's front page that is opened
 * @param to address at which it is to be
 */
export async function visit(
  seen: Page,
  { front, second, to: control, isBound, mayFail }: SiteOfABuilder,
  from: string,
  to: string,
): Promise<void> {
  const walk = async (isSilent: () => Promise<void>) => {
    const assertIsAt = async ({ address, title, text }: PageOfASite) => {
      const wanted = [new URL(address, to).href, title];
      let shown: readonly unknown[] = [];
      const isThere = async () => {
        // A frame or a document may go while it is read.
        shown = await Promise.all([seen.url(), seen.title(), textOf(seen)]).catch((error) => [error]);
        const [at, name, body] = shown;
        return at === wanted[0] && name === title && String(body).includes(text);
      };
      const assertIsThere = () =>
        until(isThere).catch(() =>
          assert.fail(`${JSON.stringify([...wanted, text])} is not ${JSON.stringify(shown)}`),
        );
      await assertIsThere();
      // Scripts of these take over once all is there, and may draw it anew.
      if (isBound === true) await seen.waitForLoadState('networkidle');
      await isSilent();
      await assertIsThere();
    };
    await seen.goto(from);
    await assertIsAt(front);
    const found =
      typeof control === 'string'
        ? seen.getByRole('link', { name: control, exact: true })
        : seen.getByRole(control.role, { name: control.name });
    await found.first().click();
    await assertIsAt(second);
    await seen.reload();
    await assertIsAt({ ...second, address: second.reloaded ?? second.address });
  };
  await withoutFailures(seen, walk, (url) => mayFail?.test(url) ?? false);
}
