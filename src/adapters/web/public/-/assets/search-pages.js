// Pages with a field that searches the pages of sites: results as people type.

import { at, element } from './elements.js';
import { findPages, linkAllToWords } from './find-pages.js';
import { noteSearch, toldFavourites } from './own-choices.js';

const section = document.querySelector('#found-pages');
const input = document.querySelector('#search, #q');

/** Keeps the search in the address of the search page, for reloads, bookmarks and the Back button. */
const remember = () => {
  const address = new URL(section.dataset.address, location.href);
  if (address.pathname !== location.pathname) return;
  const query = input.value.trim();
  address.searchParams.delete('facets');
  if (query !== '') address.searchParams.set('q', query);
  history.replaceState(history.state, '', address);
};

const pages = findPages({ input, section, onShown: remember, favourites: toldFavourites });
linkAllToWords(section);

section.addEventListener('click', ({ target }) => {
  if (target.closest('.hit-link') !== null) noteSearch(input.value);
});

// Enter opens the best page, where the index has no project that comes first.
input.form.addEventListener('submit', (event) => {
  const first = section.querySelector('.hit-link');
  const projects = document.querySelector('#found');
  if (projects === null || first === null || !pages.isCurrent()) return;
  if (projects.querySelector('.project-name') !== null) return;
  event.preventDefault();
  first.click();
});

// Text that the address brought, that was typed before this script loaded, or restored by the Back button.
const isAnswered = section.querySelector('.hit, .hit-nothing') !== null;
// The server learns of favourites by such a search only; further pages of results have no place in it.
const isFirstPage = !new URLSearchParams(location.search).has('offset');
const mayPrefer = toldFavourites().some(
  (project) => section.querySelector(`[data-project="${project}"]`) !== null,
);
if (input.value.trim() !== '' && (!isAnswered || (isFirstPage && mayPrefer))) pages.search();

// The search page has room for more of the result that has the focus or the pointer, on a wide screen. All of it is in the result
// already: its snippet is longer than what the list shows.
const panel = at('hit-preview');
const list = section.querySelector('.found-list');

/** @param hit a result; undefined where there is none */
const preview = (hit) => {
  list.querySelector('.is-previewed')?.classList.remove('is-previewed');
  panel.hidden = hit === undefined;
  if (hit === undefined) return;
  hit.classList.add('is-previewed');
  // The first result of a project has its name.
  const group = hit.closest('.hit-group') ?? hit;
  const copied = [
    group.querySelector('.hit-project'),
    hit.querySelector('.hit-way'),
    hit.querySelector('.hit-snippet'),
  ];
  const [project, way, snippet] = copied.map((each) => each?.cloneNode(true) ?? '');
  const title = element(
    'p',
    { class: 'preview-title strong' },
    ...hit.querySelector('.hit-link').cloneNode(true).childNodes,
  );
  const kind = hit.querySelector('.icon').cloneNode(true);
  const head = element('p', { class: 'preview-head small' }, kind, kind.textContent, project);
  panel.replaceChildren(head, way, title, snippet);
};

const showFirst = () => preview(list.querySelector('.hit') ?? undefined);
const follow = ({ target }) => {
  const hit = target.closest('.hit');
  if (hit !== null && !hit.classList.contains('is-previewed')) preview(hit);
};

if (panel !== null) {
  list.addEventListener('focusin', follow);
  list.addEventListener('pointerover', follow);
  new MutationObserver(showFirst).observe(list, { childList: true });
  showFirst();
}
