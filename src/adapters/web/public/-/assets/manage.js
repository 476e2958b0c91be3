// The page to manage a project. The token stays in this module until the page is left, or in the tab (`server.js`).
import { at, element } from './elements.js';
import { fillDescription, fillRetention, showAliases } from './manage-forms.js';
import { showPreviews, showRemoved, showVersions } from './manage-lists.js';
import { complain, forgive } from './mistakes.js';
import { forgetToken, keepToken, keptToken, Refused, sentence, serverWith } from './server.js';

const { project, kept } = at('manage').dataset;
const name = encodeURIComponent(project);

/** Sends a request with the token that was typed. */
let call;
/** Whether something is being done: further clicks wait for its end. */
let isBusy = false;

const isGone = (error) => error.code === 'project_not_found';
/** Returns the answer; undefined where the project has no versions. */
const whereThere = (answer) =>
  answer.catch((error) => {
    if (!isGone(error)) throw error;
  });

/**
 * Asks the server for all that the page shows.
 * @throws Refused where the token may not manage the project
 */
const load = async () => {
  // It changes nothing, and is refused where managing is.
  await whereThere(call('PUT', `api/retention/${name}?dry_run=true`, {}));
  const [token, facts, { previews = [] } = {}, { removed }] = await Promise.all([
    call('GET', 'api/token'),
    whereThere(call('GET', `api/projects/${name}`)),
    whereThere(call('GET', `api/previews/${name}`)),
    call('GET', 'api/removed'),
  ]);
  return {
    ...{ project, name, kept, token, facts, previews },
    removed: removed.filter((each) => each.project === project),
  };
};

/** Shows lists anew; the keyboard stays at the same button of the same row, or goes to the section's message. */
const show = (state, section) => {
  const { act } = document.activeElement?.dataset ?? {};
  const key = document.activeElement?.closest('[data-key]')?.dataset.key;
  const had = act !== undefined;
  at('no-versions').hidden = state.facts !== undefined;
  for (const id of ['about', 'aliases', 'versions', 'retention', 'danger'])
    at(id).hidden = state.facts === undefined;
  if (state.facts !== undefined) {
    showAliases(state, tools);
    showVersions(state, tools);
  }
  showPreviews(state, tools);
  showRemoved(state, tools);
  if (!had || document.activeElement !== document.body) return;
  const same = at(section).querySelector(`[data-key="${CSS.escape(key)}"] [data-act="${act}"]`);
  (same ?? at(`${section}-said`)).focus();
};

const said = (section, text, undo) => {
  const place = at(`${section}-said`);
  place.replaceChildren(text === undefined ? '' : sentence(text));
  at(`${section}-failure`).replaceChildren();
  if (undo === undefined) return;
  const button = element('button', { type: 'button', class: 'button' }, 'Undo');
  button.addEventListener('click', undo);
  place.append(' ', button);
};

/**
 * Does something in a section, and shows what the server says and how things are afterwards.
 * @param work returns the message, and perhaps what undoes it, given how things are then, or the failure that cut it short;
 *   undefined when nothing was done
 */
const run = async (section, work) => {
  if (isBusy) return;
  isBusy = true;
  at('managed').setAttribute('aria-busy', 'true');
  try {
    said(section);
    const done = await work();
    if (done === undefined) return;
    const state = await load();
    show(state, section);
    said(section, done.message, done.undo?.(state));
    if (done.fill) fill(state);
    if (done.failure !== undefined) fail(section, done.failure);
  } catch (error) {
    fail(section, error);
  } finally {
    isBusy = false;
    at('managed').removeAttribute('aria-busy');
  }
};

const fail = (section, error) => {
  if (!(error instanceof Refused)) throw error;
  at(`${section}-failure`).textContent = sentence(error.message);
};

/** Sends a request in a section, and shows its message. */
const change = (section, method, path, body, more) =>
  run(section, async () => ({ ...more, message: (await call(method, path, body)).message }));

const tools = { call: (...request) => call(...request), run, change };

const fill = (state) => {
  if (state.facts === undefined) return;
  fillDescription(state, tools);
  fillRetention(state, tools);
};

const refuse = (message) => {
  complain('token', message);
  at('token').focus();
};

/** Forgets the token, and all that was shown for it. */
const lock = () => {
  call = undefined;
  at('question').close();
  at('token').value = '';
  at('managed').hidden = true;
  at('unlock').hidden = false;
  for (const form of at('managed').querySelectorAll('form')) form.reset();
  for (const field of at('about-form').querySelectorAll('input')) field.placeholder = '';
  const filled = '.managed-rows, .done, .failure, .tally, #latest, #targets, #due, #managed-with';
  for (const place of at('managed').querySelectorAll(filled)) place.replaceChildren();
};

/** @param isKept whether nobody has typed the token here: then the focus stays where it is */
const unlock = async (secret, isKept = false) => {
  forgive('token');
  if (secret === '') return refuse('Managing a project needs a token');
  at('send').disabled = true;
  call = serverWith(secret);
  try {
    const state = await load();
    if (state.facts === undefined && state.previews.length === 0 && state.removed.length === 0) {
      return refuse(`There is no project '${project}', and nothing of it can be restored`);
    }
    at('token').value = '';
    const end = keepToken(secret) ? ', kept in this tab' : '';
    at('managed-with').textContent = `With token ${state.token.name}${end}`;
    at('unlock').hidden = true;
    at('managed').hidden = false;
    show(state, 'versions');
    fill(state);
    at('removed').open ||= state.facts === undefined;
    if (!isKept) at('managed-with').focus();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // A token that is refused here may count elsewhere, unless it is unknown.
    if (error.code === 'authentication_required') forgetToken();
    refuse(error.message);
  } finally {
    at('send').disabled = false;
  }
};

at('unlock').addEventListener('submit', (event) => {
  event.preventDefault();
  if (!at('send').disabled) unlock(at('token').value.trim());
});
at('token').addEventListener('input', () => forgive('token'));
at('lock').addEventListener('click', () => {
  forgetToken();
  lock();
  at('token').focus();
});
// Nothing comes back with the page, if a browser keeps it.
addEventListener('pagehide', lock);

// Over plain HTTP the scripts of hosted sites can access this page.
if (isSecureContext) {
  for (const field of at('unlock').querySelectorAll(':disabled')) field.disabled = false;
  const begin = () => {
    const secret = keptToken();
    if (secret === undefined) return;
    at('keep').checked = true;
    unlock(secret, true);
  };
  begin();
  addEventListener('pageshow', ({ persisted }) => persisted && begin());
} else at('plain-http').hidden = false;
