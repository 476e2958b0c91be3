// Search from any page of Lectern: the link in the header, `/` and Ctrl-K open a dialog. Without this script, the link leads
// to the search page.

import { element, isTyping, stopsIn } from './elements.js';
import { findPages, searchField } from './find-pages.js';
import { forgetSearches, noteSearch, searchesMade, toldFavourites } from './own-choices.js';

const link = document.querySelector('.search-link');
/** Pages with a field of their own have `/` lead to that. */
const hasField = document.querySelector('input:is(#search, #q)') !== null;
const everywhere = link.href.split('?')[0];

const key = (name) => element('kbd', { class: 'key' }, name);

/**
 * A button that says whether only the project of the page is searched, which it is at first. None on pages of no project.
 * @param onChange called with the project's title, or undefined where all are searched
 */
const addScope = (form, onChange) => {
  const { projectTitle } = link.dataset;
  if (projectTitle === undefined) return onChange();
  const project = new URL(link.href).searchParams.get('project');
  const hidden = element('input', { type: 'hidden', name: 'project', value: project });
  const name = element('bdi', {}, projectTitle);
  const button = element('button', { type: 'button', class: 'quiet copy' }, 'In ', name);
  const set = (isIn) => {
    button.setAttribute('aria-pressed', String(isIn));
    hidden.disabled = !isIn;
    onChange(isIn ? projectTitle : undefined);
  };
  button.addEventListener('click', () => set(button.getAttribute('aria-pressed') !== 'true'));
  form.append(hidden, button);
  set(true);
};

/**
 * The last searches of this tab, below an empty field.
 * @param input the field, which a chosen search is put into
 * @returns `section`; `show`, which is called when the list may have changed; `note`, which adds what is in the field; and
 *   `stops`, the links that can be seen
 */
const recentSearches = (input) => {
  const title = element('h2', { class: 'small' }, 'Recent searches');
  const clear = element('button', { type: 'button', class: 'quiet copy' }, 'Clear');
  const list = element('ul', { class: 'plain-list' });
  const section = element('section', { class: 'search-recent line ends', hidden: '' }, title, clear, list);

  const show = () => {
    const searches = searchesMade();
    section.hidden = input.value.trim() !== '' || searches.length === 0;
    const linkTo = (query) => {
      const href = `${everywhere}?${new URLSearchParams({ q: query })}`;
      return element('a', { class: 'soft-link', href }, element('bdi', {}, query));
    };
    list.replaceChildren(...searches.map((query) => element('li', {}, linkTo(query))));
  };
  list.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link === null) return;
    event.preventDefault();
    input.value = link.textContent;
    input.focus();
    input.dispatchEvent(new Event('input'));
  });
  clear.addEventListener('click', () => {
    forgetSearches();
    show();
    input.focus();
  });
  input.addEventListener('input', show);
  return {
    section,
    show,
    note: () => noteSearch(input.value),
    stops: () => (section.hidden ? [] : stopsIn(list)),
  };
};

const build = () => {
  const input = element('input', { ...searchField('', ''), name: 'q' });
  const close = element('button', { type: 'button', class: 'quiet copy', 'aria-label': 'Esc: close' }, 'Esc');
  const form = element('form', { action: everywhere, role: 'search', class: 'search-form' }, input);
  const sentence = element('p', { class: 'count found-sentence', role: 'status' });
  const list = element('div', { class: 'found-list' });
  const section = element('section', { class: 'found', hidden: '' }, sentence, list);
  section.dataset.address = everywhere;
  const recent = recentSearches(input);
  const keys = element(
    'p',
    { class: 'search-keys line small' },
    element('span', {}, key('↑'), key('↓'), ' to move'),
    element('span', {}, key('Enter'), ' to open'),
    element('span', {}, key('Esc'), ' to close'),
  );
  const dialog = element(
    'dialog',
    { class: 'panel search-dialog', 'aria-label': 'Search' },
    ...[form, section, recent.section, keys],
  );
  const pages = findPages({ input, section, favourites: toldFavourites });

  addScope(form, (title) => {
    const where = title ?? 'all projects';
    input.placeholder = `Search ${where}`;
    input.setAttribute('aria-label', `Search the pages of ${where}`);
    section.dataset.address = title === undefined ? everywhere : link.href;
    pages.search();
  });
  form.append(close);

  close.addEventListener('click', () => dialog.close());
  // The dialog has no padding, so a click on itself is one on its backdrop.
  dialog.addEventListener('click', ({ target }) => {
    const isResult = target.closest('.found-list a') !== null;
    if (isResult) recent.note();
    if (target === dialog || isResult) dialog.close();
  });
  dialog.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const links = [...stopsIn(list), ...recent.stops()];
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
    if (first === null || !pages.isCurrent()) return recent.note();
    event.preventDefault();
    first.click();
  });
  document.body.append(dialog);
  return { dialog, input, recent };
};

let built;
const open = () => {
  built ??= build();
  if (built.dialog.open) return;
  built.recent.show();
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
  if (event.altKey || event.isComposing) return;
  const isCommand = event.ctrlKey || event.metaKey;
  // Many keyboards have `/` on a key with Shift.
  const isSlash = event.key === '/' && !isCommand && !hasField && !isTyping(event);
  if (!isSlash && !(isCommand && !event.shiftKey && event.key.toLowerCase() === 'k')) return;
  event.preventDefault();
  open();
});
