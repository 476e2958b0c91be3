// The upload page. Typed values stay in the fields: none is put into an address, or stored, but for a token (`server.js`).
import { faultsOf, idOf, suggestedFolderNames, suggestedNames } from './archive-names.js';
import { at, element } from './elements.js';
import { complain, FIELDS, focusFirstMistake, forgive, forgiveAll, show } from './mistakes.js';
import { forgetToken, keepToken, keptToken, Refused, sentence } from './server.js';
import { BadChoice, chosenArchive, chosenFolder, dropped } from './upload-choice.js';
import { packZip, post, wouldReplace } from './upload-send.js';

/** Min. bytes of an upload that is tried with an empty archive first, to check token and names. */
const MIN_CHECKED_BYTES = 4 * 1024 * 1024;

/** Place for the message of each error code; all others are shown above the button. */
const PLACES = {
  invalid_filename: 'names',
  project_not_existing: 'project',
  version_exists: 'version',
  authentication_required: 'token',
  project_not_allowed: 'token',
  invalid_archive: 'choice',
  upload_too_large: 'choice',
  archive_too_large: 'choice',
};

const NO_FRONT =
  'There is no index.html at the top of this folder, so readers will find a list of its files.';

const form = at('upload');
const number = new Intl.NumberFormat('en');
let choice;
/** The running upload, to cancel it. */
let running;
/** Names that were filled in by this script, not typed. */
const suggested = {};

const size = (bytes) =>
  bytes < 1024 * 1024
    ? `${number.format(Math.ceil(bytes / 1024))} KiB`
    : `${number.format(Math.round((bytes / 1024 / 1024) * 10) / 10)} MiB`;

/** Takes the archive or folder that `find` gives, or shows why it cannot be uploaded. */
const choose = async (find) => {
  forgive('choice');
  try {
    take(await find());
  } catch (error) {
    if (!(error instanceof BadChoice)) throw error;
    complain('choice', error.message);
  }
};
const take = (found) => {
  choice = found;
  const { name, archive, files, bytes, caches = [] } = found;
  at('chosen-name').textContent = name;
  at('chosen-facts').textContent = archive
    ? size(archive.size)
    : `${number.format(files.length)} ${files.length === 1 ? 'file' : 'files'}, ${size(bytes)}`;
  const hasNoFront = files !== undefined && !files.some(({ path }) => path === 'index.html');
  const hints = [
    ...(hasNoFront ? [NO_FRONT] : []),
    ...(caches.length > 0
      ? [`Build caches are left out, as they may contain secrets: ${caches.join(', ')}.`]
      : []),
  ];
  at('choice-hint').textContent = hints.join(' ');
  show('choice-hint', hints.length > 0);
  show('drop', false);
  show('chosen');
  const names = (archive ? suggestedNames(name) : suggestedFolderNames(name)) ?? {};
  for (const [id, value] of Object.entries(names)) suggest(id, value);
  at('said').textContent = `${name} is chosen`;
  for (const id of ['project', 'version', 'token', 'send']) {
    if (at(id).value !== '') continue;
    at(id).focus();
    break;
  }
};
const discard = () => {
  choice = undefined;
  // Otherwise choosing the same file again fires no `change` event.
  for (const id of FIELDS.choice) at(id).value = '';
  forgive('choice');
  show('choice-hint', false);
  show('chosen', false);
  show('drop');
  at('archive').focus();
};
const suggest = (id, value) => {
  if (at(id).value !== '' && at(id).value !== suggested[id]) return;
  at(id).value = value;
  suggested[id] = value;
  forgive('names');
  forgive(id);
};

/** Reads the fields, or shows what is missing or wrong and returns undefined. */
const typed = () => {
  const [project, version, token] = ['project', 'version', 'token'].map((id) => at(id).value.trim());
  if (choice === undefined) complain('choice', 'Choose a zip or a folder');
  if (token === '') complain('token', 'Uploading needs a token');
  for (const [place, why] of Object.entries(faultsOf({ project, version }))) {
    if (why !== undefined) complain(place, why.charAt(0).toUpperCase() + why.slice(1));
  }
  if (form.querySelector('[aria-invalid]') !== null) return undefined;
  const { directoryName } = idOf({ project, version });
  return { fileName: `${directoryName}-docs.zip`, directory: directoryName, project, version, token };
};

/** Shows progress; screen readers announce every quarter. `share`, from 0 to 1, is undefined when unknown. */
const progress = (stage, share, figures = '') => {
  const bar = at('bar');
  if (share === undefined) bar.removeAttribute('value');
  else bar.value = share;
  at('figures').textContent = stage + figures;
  const said = share === undefined ? stage : `${stage} ${Math.floor(4 * share) * 25}%`;
  if (at('said').textContent !== said) at('said').textContent = said;
};
const setBusy = (isBusy) => {
  at('fields').disabled = isBusy;
  at('send').disabled = isBusy;
  show('send', !isBusy);
  show('progress', isBusy);
  show('cancel', isBusy);
  form.setAttribute('aria-busy', String(isBusy));
  if (isBusy) addEventListener('beforeunload', stay);
  else removeEventListener('beforeunload', stay);
};
const stay = (event) => event.preventDefault();

const upload = async (target, signal) => {
  const { archive, files, bytes } = choice;
  if ((bytes ?? archive.size) >= MIN_CHECKED_BYTES) {
    progress('Asking the server');
    // The server checks token and names before the archive, which is empty.
    await post(new Blob([]), target, signal).catch((error) => {
      if (error.code !== 'invalid_archive') throw error;
    });
  }
  const report = (stage, share) => progress(stage, share, `: ${Math.floor(share * 100)}%`);
  const packed = archive ?? (await packZip(files, report, signal));
  return post(packed, target, signal, {
    onprogress: ({ loaded, total }) =>
      progress('Sending', loaded / total, `: ${size(loaded)} of ${size(total)}`),
    onload: () => {
      progress('The server unpacks it');
      show('cancel', false);
    },
  });
};

const ask = ({ project, version }) => {
  at('said').replaceChildren();
  at('replace-question').textContent =
    `${project} ${version} is published already. Replace it? Readers get the new site at once, and the old one ${at('upload').dataset.kept ? `can be restored for ${at('upload').dataset.kept}` : 'is gone'}.`;
  show('replace');
  show('send', false);
  at('replace-no').focus();
};
const endQuestion = () => {
  if (at('replace').hidden) return;
  show('replace', false);
  show('send');
};

/** @param mayReplace whether the user has agreed to replace the version */
const publish = async (mayReplace) => {
  endQuestion();
  forgiveAll();
  const target = typed();
  if (target === undefined) return focusFirstMistake();
  running = new AbortController();
  const { signal } = running;
  setBusy(true);
  at('cancel').focus();
  try {
    progress('Asking the server');
    // Without an answer the upload itself finds out what is wrong.
    const isThere = !mayReplace && (await wouldReplace(target, signal).catch(() => false));
    signal.throwIfAborted();
    const answer = isThere ? undefined : await upload(target, signal);
    setBusy(false);
    if (isThere) return ask(target);
    if (keepToken(target.token)) show('lock');
    celebrate(answer);
  } catch (error) {
    setBusy(false);
    explain(error);
  } finally {
    running = undefined;
  }
};

const explain = (error) => {
  at('said').replaceChildren();
  if (error.code === 'authentication_required') forgetToken();
  if (error instanceof Refused && error.code in PLACES) complain(PLACES[error.code], error.message);
  else if (error.path !== undefined) {
    complain('choice', `${error.path} cannot be read; perhaps it has changed. Choose the folder again`);
  } else {
    const isCancelled = error.name === 'AbortError';
    const why = error instanceof Refused ? error.message : `This page failed: ${error}`;
    at('failure').textContent = sentence(isCancelled ? 'Cancelled: nothing was published' : why);
    at('send').focus();
  }
  focusFirstMistake();
};

const celebrate = ({ message, url, project, version, directory, warnings }) => {
  at('said').replaceChildren();
  at('message').textContent = sentence(message);
  at('warnings').replaceChildren(
    ...warnings.map((warning) => element('li', {}, `${sentence(warning.message)} ${sentence(warning.fix)}`)),
  );
  show('warnings', warnings.length > 0);
  const site = new URL(url, location.origin);
  at('read').href = site.pathname;
  at('address').textContent = site.href;
  at('project-page').href = new URL(`../projects/${encodeURIComponent(project)}`, import.meta.url).pathname;
  at('manage').href = new URL(`../manage/${encodeURIComponent(project)}`, import.meta.url).pathname;
  // A project that has only previews has no page.
  show('project-page', !directory.includes('~'));
  show('manage', !directory.includes('~'));
  at('read').textContent = `Read ${project} ${version}`;
  show('upload', false);
  show('published');
  at('published-title').focus();
};
const again = () => {
  at('version').value = '';
  show('published', false);
  show('upload');
  discard();
};

/** Files may be dropped anywhere on the page; otherwise the browser would open them. */
const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files');
const mayDrop = () => !at('fields').disabled && !form.hidden;
addEventListener('dragover', (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = mayDrop() ? 'copy' : 'none';
  at('choice').classList.toggle('is-over', mayDrop());
});
addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) at('choice').classList.remove('is-over');
});
addEventListener('drop', (event) => {
  at('choice').classList.remove('is-over');
  if (!hasFiles(event)) return;
  event.preventDefault();
  if (mayDrop()) choose(() => dropped(event.dataTransfer));
});

at('archive').addEventListener('change', ({ target }) => {
  const [file] = target.files;
  if (file !== undefined) choose(() => chosenArchive(file));
});
at('folder').addEventListener('change', ({ target }) => choose(() => chosenFolder(target.files)));
at('discard').addEventListener('click', discard);
at('cancel').addEventListener('click', () => running?.abort());
at('again').addEventListener('click', again);
at('lock')?.addEventListener('click', () => {
  forgetToken();
  at('token').value = '';
  show('lock', false);
  at('token').focus();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (running === undefined && at('replace').hidden) publish(false);
});
at('replace-yes').addEventListener('click', () => publish(true));
at('replace-no').addEventListener('click', () => {
  endQuestion();
  at('version').focus();
});
form.addEventListener('input', ({ target }) => {
  endQuestion();
  for (const [place, ids] of Object.entries(FIELDS)) if (ids.includes(target.id)) forgive(place);
});

// No token that was typed comes back with the page, if a browser keeps it.
addEventListener('pagehide', () => {
  at('token').value = '';
});

// Over plain HTTP the scripts of hosted sites can access this page.
if (isSecureContext) {
  at('fields').disabled = false;
  at('send').disabled = false;
  const begin = () => {
    const secret = keptToken();
    if (secret === undefined) return;
    at('token').value = secret;
    at('keep').checked = true;
    show('lock');
  };
  begin();
  addEventListener('pageshow', ({ persisted }) => persisted && begin());
} else show('plain-http');
