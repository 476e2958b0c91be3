// The comparison of a page: steps from one change to the next, by buttons and by the keys n and p. Without this script
// readers scroll.

import { element, isTyping } from './elements.js';

const changes = [...document.querySelectorAll('.is-changed')].filter(
  (changed) => !changed.previousElementSibling?.matches('.is-changed'),
);
let at = -1;

const button = (text, key, by) => {
  const attributes = { 'aria-keyshortcuts': key, title: `Key ${key}` };
  const made = element('button', { type: 'button', class: 'button', ...attributes }, text);
  made.addEventListener('click', () => step(by));
  return made;
};

const count = element('span', { role: 'status' });

const show = (index) => {
  at = index;
  for (const [each, changed] of changes.entries()) changed.classList.toggle('is-current', each === index);
  count.textContent = `Change ${index + 1} of ${changes.length}`;
};

const step = (by) => {
  show(Math.max(0, Math.min(changes.length - 1, at + by)));
  const changed = changes[at];
  // Beside a page, each change is a link to its place there.
  const isLink = changed.matches('a');
  if (!isLink) changed.tabIndex = -1;
  changed.focus({ preventScroll: true });
  changed.scrollIntoView({ block: isLink ? 'nearest' : 'center' });
  if (isLink) changed.click();
};

for (const [index, changed] of changes.entries()) {
  if (changed.matches('a')) changed.addEventListener('click', () => show(index));
}

if (changes.length > 0) {
  count.textContent = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  const buttons = [button('Previous', 'p', -1), button('Next', 'n', 1)];
  const bar = element('p', { class: 'compared-steps line middle small' }, count, ...buttons);
  document.querySelector('.compared').before(bar);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event)) return;
    if (event.key === 'n') step(1);
    else if (event.key === 'p') step(-1);
  });
}
