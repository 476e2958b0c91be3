import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Element that has the focus after a Tab. */
interface Stop {
  /** Position among the elements that should get the focus; -1 for an area that scrolls, which browsers add. */
  readonly index: number;
  /** Faults of the element; empty if there are none. */
  readonly faults: readonly string[];
}

/** Selects elements that readers can use; `find` leaves out hidden, disabled and folded ones. */
const USABLE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
const MIN_RING_PX = 2;
const TAB = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };

/**
 * Asserts that Tab reaches each link, button, field and other thing that readers can use, in the order of the document, that
 * each shows a ring where it is seen, and that the focus leaves at the end.
 * @param root selector of the part that is walked; the walk starts before its first element
 */
export async function assertKeyboardReachesAll(page: Page, root = 'body'): Promise<void> {
  await page.mouse.move(0, 0);
  const count = await page.evaluate<number>(`(${start})(${JSON.stringify([root, USABLE, MIN_RING_PX])})`);
  assert.ok(count > 0, `nothing to reach in ${root}`);
  const devices = await page.context().newCDPSession(page);
  // No wait for each to be drawn, which takes most of the time: the page looks by itself when a key is released.
  const press = async (times: number) => {
    const events = Array.from({ length: times }, () => ['rawKeyDown', 'keyUp'] as const).flat();
    await Promise.all(events.map((type) => devices.send('Input.dispatchKeyEvent', { type, ...TAB })));
  };
  await press(count);
  // Some areas that scroll may have come between.
  for (let more = 0; more < count + 20 && !(await page.evaluate<boolean>('isOver')); more += 1)
    await press(1);
  await devices.detach();
  const walked = await page.evaluate<readonly Stop[]>('endOfWalk()');
  const reached = walked.map(({ index }) => index).filter((index) => index >= 0);
  const faults = walked.flatMap((stop) => stop.faults);
  const names = await page.evaluate<string[]>('stops.map(nameOf)');
  assert.deepEqual(
    reached.map((index) => names[index]),
    names,
  );
  assert.deepEqual(faults, []);
}

// These run in the page, as texts: the types of a browser are not those of this project.

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

const start = `([root, usable, minRing]) => {
  const isReachable = (each) =>
    !each.disabled && each.closest('fieldset:disabled, [inert]') === null && each.tabIndex >= 0 &&
    each.checkVisibility({ visibilityProperty: true }) &&
    (each.type !== 'radio' || each.checked || document.querySelector('[name="' + each.name + '"]:checked') === null);
  window.nameOf = (each) =>
    each.tagName.toLowerCase() + ' ' + (each.id || each.getAttribute('aria-label') || each.textContent.trim().slice(0, 60));
  window.stops = [...document.querySelector(root).querySelectorAll(usable)].filter(isReachable);
  window.lastStop = undefined;
  window.isOver = false;
  const walked = [];
  const onKeyUp = () => {
    const stop = isOver ? undefined : (${look})(minRing);
    isOver ||= stop === undefined || (stop.index >= 0 && stop.index === walked.find(({ index }) => index >= 0)?.index);
    if (!isOver) walked.push(stop);
  };
  addEventListener('keyup', onKeyUp, true);
  window.endOfWalk = () => {
    removeEventListener('keyup', onKeyUp, true);
    return walked;
  };
  // Where an element with the focus was removed, Tab goes on from there.
  const before = document.createElement('span');
  before.tabIndex = -1;
  document.querySelector(root).prepend(before);
  before.focus();
  before.remove();
  return stops.length;
}`;
