import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** What the focus is on after a Tab. */
interface Stop {
  /** Position among what is to get the focus; -1 for an area that scrolls, which browsers add. */
  readonly index: number;
  /** What is wrong with it; empty if nothing is. */
  readonly faults: readonly string[];
}

/** Selects what readers can use; what is hidden, disabled or folded is left out by `find`. */
const USABLE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
const MIN_RING_PX = 2;

/**
 * Asserts that Tab reaches each link, button, field and other thing that readers can use, in the order of the document, that
 * each shows a ring where it is seen, and that the focus leaves at the end.
 * @param root selector of the part that is walked; the walk starts before its first element
 */
export async function assertKeyboardReachesAll(page: Page, root = 'body'): Promise<void> {
  await page.mouse.move(0, 0);
  const count = await page.evaluate<number>(`(${start})(${JSON.stringify([root, USABLE])})`);
  assert.ok(count > 0, `nothing to reach in ${root}`);
  const reached: number[] = [];
  const faults: string[] = [];
  // Some areas that scroll may come between.
  for (let presses = 0; presses < 2 * count + 20; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop | undefined>(`(${look})(${MIN_RING_PX})`);
    if (stop === undefined || stop.index === reached[0]) break;
    if (stop.index >= 0) reached.push(stop.index);
    faults.push(...stop.faults);
  }
  const names = await page.evaluate<string[]>('stops.map(nameOf)');
  assert.deepEqual(
    reached.map((index) => names[index]),
    names,
  );
  assert.deepEqual(faults, []);
}

// These run in the page, as texts: the types of a browser are not those of this project.

const start = `([root, usable]) => {
  const isReachable = (each) =>
    !each.disabled && each.closest('fieldset:disabled, [inert]') === null && each.tabIndex >= 0 &&
    each.checkVisibility({ visibilityProperty: true }) &&
    (each.type !== 'radio' || each.checked || document.querySelector('[name="' + each.name + '"]:checked') === null);
  window.nameOf = (each) =>
    each.tagName.toLowerCase() + ' ' + (each.id || each.getAttribute('aria-label') || each.textContent.trim().slice(0, 60));
  window.stops = [...document.querySelector(root).querySelectorAll(usable)].filter(isReachable);
  window.lastStop = undefined;
  // Where an element with the focus was removed, Tab goes on from there.
  const before = document.createElement('span');
  before.tabIndex = -1;
  document.querySelector(root).prepend(before);
  before.focus();
  before.remove();
  return stops.length;
}`;

const look = `(minRing) => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused === document.documentElement) return undefined;
  const index = stops.indexOf(focused);
  const faults = [];
  const complain = (fault) => faults.push(nameOf(focused) + ': ' + fault);
  const scrolls = focused.scrollWidth > focused.clientWidth || focused.scrollHeight > focused.clientHeight;
  if (index < 0 && !scrolls) complain('is not to get the focus');
  if (lastStop !== undefined && !(lastStop.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING) && index !== 0)
    complain('comes before what had the focus');
  window.lastStop = focused;
  const hasRing = [focused, ...(focused.labels ?? [])].some((each) =>
    [undefined, '::before', '::after'].some((part) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each, part);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= minRing;
    }));
  if (!hasRing) complain('shows no ring');
  const seen = [focused, ...(focused.labels ?? [])].some((each) => {
    const box = [...each.getClientRects()].find(({ width, height }) => width > 4 && height > 4);
    if (box === undefined || !each.checkVisibility({ opacityProperty: true })) return false;
    const at = document.elementFromPoint(
      Math.min(Math.max(box.x + box.width / 2, 1), innerWidth - 1),
      Math.min(Math.max(box.y + box.height / 2, 1), innerHeight - 1));
    return at !== null && (each.contains(at) || at.contains(each));
  });
  if (!seen) complain('cannot be seen');
  return { index, faults };
}`;
