// Pages with a field that searches the pages of sites: results as people type.

import { findPages, linkAllToWords } from './find-pages.js';
import { toldFavourites } from './own-choices.js';

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
