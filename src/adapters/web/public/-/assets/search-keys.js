// Pages with a search field by keyboard: `/` leads to it, arrows through what was found, Escape ends the search.

import { isTyping, stopsIn } from './elements.js';

const input = document.querySelector('#search, #q');
const places = [...document.querySelectorAll('#found, #found-pages')];

/** Moves the focus through the links; up from the first one leads back to the search field. */
const step = (by) => {
  const projects = document.querySelectorAll('#found .project-name');
  const links = [...projects, ...stopsIn(document.querySelector('#found-pages:not([hidden])'))];
  const at = links.indexOf(document.activeElement);
  const next = at === -1 && by < 0 ? -1 : at + by;
  if (next < 0) {
    input.focus();
    input.select();
  } else links[Math.min(next, links.length - 1)]?.focus();
};

/** Pages without the link to the dialog have one field for everything. */
const isOnlyField = document.querySelector('.search-link') === null;
const isControlK = ({ ctrlKey, metaKey, altKey, shiftKey, key }) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';

const leadToField = (event) => {
  event.preventDefault();
  input.focus();
  input.select();
};

document.addEventListener('keydown', (event) => {
  if (isOnlyField && isControlK(event)) return leadToField(event);
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const isInSearch = event.target === input || places.some((place) => place.contains(event.target));
  if (event.key === '/' && !isTyping(event)) leadToField(event);
  else if (event.key === 'ArrowDown' && isInSearch) step(1);
  else if (event.key === 'ArrowUp' && isInSearch) step(-1);
  else if (event.key === 'Escape' && isInSearch && input.value !== '') {
    input.value = '';
    input.focus();
    input.dispatchEvent(new Event('input'));
  } else return;
  event.preventDefault();
});

document.documentElement.classList.add('has-keys');
