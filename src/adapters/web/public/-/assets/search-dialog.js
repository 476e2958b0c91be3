// Search from any page of Lectern: the link in the header, `/` and Ctrl-K open a dialog. Without this script, the link leads
// to the search page.

import { element, isTyping, stopsIn } from './elements.js';
import { findPages, searchField } from './find-pages.js';
import { toldFavourites } from './own-choices.js';

const link = document.querySelector('.search-link');
/** Pages with a field of their own have `/` lead to that. */
const hasField = document.querySelector('input:is(#search, #q)') !== null;

const build = () => {
  const field = searchField('Search all projects', 'Search the pages of all projects');
  const input = element('input', { ...field, name: 'q' });
  const close = element('button', { type: 'button', class: 'button' }, 'Close');
  const form = element('form', { action: link.href, role: 'search', class: 'search-form' }, input, close);
  const sentence = element('p', { class: 'count found-sentence', role: 'status' });
  const list = element('div', { class: 'found-list' });
  const section = element('section', { class: 'found', hidden: '' }, sentence, list);
  section.dataset.address = link.href;
  const dialog = element('dialog', { class: 'search-dialog', 'aria-label': 'Search' }, form, section);
  const pages = findPages({ input, section, favourites: toldFavourites });

  close.addEventListener('click', () => dialog.close());
  // The dialog has no padding, so a click on itself is one on its backdrop.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || target.closest('.found-list a') !== null) dialog.close();
  });
  dialog.addEventListener('keydown', (event) => {
    const links = stopsIn(list);
    const at = links.indexOf(document.activeElement);
    // In a search field that has text, Escape only clears it.
    if (event.key === 'Escape') dialog.close();
    else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus();
    else return;
    event.preventDefault();
  });
  // Enter opens the best page; before it is known, the search page.
  form.addEventListener('submit', (event) => {
    const first = list.querySelector('.hit-link');
    if (first === null || !pages.isCurrent()) return;
    event.preventDefault();
    first.click();
  });
  document.body.append(dialog);
  return { dialog, input };
};

let built;
const open = () => {
  built ??= build();
  if (built.dialog.open) return;
  built.dialog.showModal();
  built.input.focus();
  built.input.select();
};

link.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
});
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.shiftKey || event.isComposing) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const isSlash = event.key === '/' && !isCommand && !hasField && !isTyping(event);
  if (!isSlash && !(isCommand && event.key.toLowerCase() === 'k')) return;
  event.preventDefault();
  open();
});
