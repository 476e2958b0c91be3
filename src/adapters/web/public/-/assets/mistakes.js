// Mistakes on the pages that take a token, each shown at its place.
import { at } from './elements.js';
import { sentence } from './server.js';

/** Fields that are marked for each place; the first gets the focus. */
export const FIELDS = {
  choice: ['archive', 'folder'],
  project: ['project'],
  version: ['version'],
  names: ['project', 'version'],
  token: ['token'],
};

/** Shows an element, or hides it. */
export const show = (id, isShown = true) => {
  at(id).hidden = !isShown;
};

/** Shows an error at its place. */
export const complain = (place, message) => {
  at(`${place}-error`).textContent = sentence(message);
  show(`${place}-error`);
  for (const id of FIELDS[place]) at(id).setAttribute('aria-invalid', 'true');
};
/** Takes back the error at a place. */
export const forgive = (place) => {
  at(`${place}-error`).replaceChildren();
  show(`${place}-error`, false);
  for (const id of FIELDS[place]) at(id).removeAttribute('aria-invalid');
};
/** Takes back all errors. */
export const forgiveAll = () => {
  for (const place of Object.keys(FIELDS)) forgive(place);
  at('failure').replaceChildren();
};
/** Moves the focus to the first field that is marked. */
export const focusFirstMistake = () => {
  const wrong = at('upload').querySelector('[aria-invalid]');
  // The pickers are hidden while something is chosen.
  if (wrong?.closest('[hidden]')) at('discard').focus();
  else wrong?.focus();
};
