// The search of the switcher: a field, and the pages of the version that it finds.

import { findPages } from '../assets/find-pages.js';
import { make } from './elements.js';
import { STYLE } from './finder-style.js';
import { base, frontPath } from './page.js';
import { labelOf } from './versions.js';

/** Keeps readers where they read: the server answers with the alias of the latest version, or its host. */
const stayInSite = (list) => {
  const front = frontPath();
  for (const link of list.querySelectorAll('.hit-link')) {
    const { pathname, search, hash } = new URL(link.href);
    const inside = pathname.slice(base.length);
    // On a host of its own, a site has no directory in its addresses.
    const page = front === base ? inside : inside.replace(/^[^/]*\//, '');
    link.href = location.origin + front + page + search + hash;
  }
};

const step = (input, list, focused, by) => {
  const links = [...list.querySelectorAll('a')];
  const next = links.indexOf(focused) + by;
  if (next < 0) input.focus();
  else links[Math.min(next, links.length - 1)]?.focus();
};

/**
 * Returns the element of the search, and its field.
 * @param root shadow root of the switcher, which gets its style sheet
 * @param close hides the search
 */
export const finderOf = (facts, root, close) => {
  const { name, project, preview } = facts;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets.push(sheet);
  const label = labelOf(facts);
  const version = preview === undefined ? label : `~${label}`;
  const input = make('input', {
    type: 'search',
    maxlength: '200',
    placeholder: `Search in ${label}`,
    'aria-label': `Search in ${name} ${label}`,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  const list = make('div', { id: 'found-list', class: 'found-list' });
  const section = make('div', { class: 'found', hidden: '' });
  section.append(make('p', { class: 'found-sentence', id: 'found-sentence', role: 'status' }), list);
  section.dataset.address = `${base}-/search?${new URLSearchParams({ project, version })}`;
  const element = make('div', { class: 'finder', role: 'search', hidden: '' }, input, section);
  const pages = findPages({ input, section, onShown: stayInSite });
  const openFirst = () => {
    const first = list.querySelector('.hit-link');
    if (first === null || !pages.isCurrent()) pages.search();
    else first.click();
  };

  element.addEventListener('keydown', (event) => {
    // Keeps what is typed from the site's own shortcuts.
    event.stopPropagation();
    const focused = root.activeElement;
    if (event.key === 'Escape') {
      close();
      root.querySelector('.find').focus();
    } else if (event.key === 'ArrowDown') step(input, list, focused, 1);
    else if (event.key === 'ArrowUp' && focused !== input) step(input, list, focused, -1);
    else if (event.key === 'Enter' && focused === input) openFirst();
    else return;
    event.preventDefault();
  });
  // A page that is being read already is not loaded again.
  list.addEventListener('click', ({ target }) => {
    if (target.closest('a') !== null) close();
  });
  return { element, input };
};
