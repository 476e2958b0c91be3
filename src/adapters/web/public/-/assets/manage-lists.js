// The lists of the page to manage a project: its versions, hidden ones too, its previews, and what can be restored.
import { at, element } from './elements.js';
import { ask, fillRows, setUpButton, tell } from './manage-parts.js';

/** Min. number of versions with a filter. */
const MIN_FILTERED = 10;
const HOUR_MS = 60 * 60 * 1_000;

/** Shows all versions, newest first. */
export const showVersions = (state, tools) => {
  const { project, facts, token, kept } = state;
  const mayDelete = token.allow_delete && token.previews_only !== true;
  at('no-delete').hidden = mayDelete;
  at('danger').hidden = !mayDelete;
  at('delete-all').onclick = () => deleteAll(state, tools);
  tell('versions', facts.versions.length);
  fillRows('version', facts.versions.toReversed(), (row, parts, buttons, version) => {
    const { version: label, kind, aliases = [], hidden, deprecated } = version;
    row.dataset.key = label;
    parts.name.textContent = label;
    parts.name.href = version.url;
    const isLatest = version.directory_name === facts.latest_version_dir;
    parts.marks.replaceChildren(
      ...(isLatest ? [mark('latest', 'good')] : []),
      ...(kind === undefined || kind === 'release' ? [] : [mark(kind, 'caution')]),
      ...aliases.filter((alias) => alias !== 'latest').map((alias) => mark(alias)),
      ...(hidden ? [mark('hidden')] : []),
      ...(deprecated === undefined ? [] : [mark('deprecated', 'caution')]),
    );
    const day = version.published_at.slice(0, 10);
    parts.facts.textContent =
      deprecated === undefined ? `Published ${day}` : `Published ${day}. ${deprecated}`;

    const at = (setting) => `api/${setting}/${state.name}/${encodeURIComponent(label)}`;
    setUpButton(buttons.hide, hidden ? 'Show' : 'Hide', label, () =>
      tools.change('versions', hidden ? 'DELETE' : 'PUT', at('hidden')),
    );
    const deprecate = deprecated === undefined ? 'Deprecate' : 'No longer deprecated';
    setUpButton(buttons.deprecate, deprecate, label, async () => {
      if (deprecated !== undefined) return tools.change('versions', 'DELETE', at('deprecated'));
      const words = `Deprecate ${project} ${label}? Every page of it shows readers this sentence.`;
      const message = await ask(words, { yes: 'Deprecate it', sentence: 'Please use the latest version.' });
      if (message !== undefined) tools.change('versions', 'PUT', at('deprecated'), { message });
    });
    buttons.delete.hidden = !mayDelete;
    setUpButton(buttons.delete, 'Delete', label, async () => {
      const then = kept === undefined ? 'It cannot be restored.' : `It can be restored for ${kept}.`;
      const words = `Delete ${project} ${label}? Readers will no longer find its pages. ${then}`;
      if (!(await ask(words, { yes: 'Delete it', isDanger: true, name: label }))) return;
      tools.change('versions', 'DELETE', at('delete'), undefined, {
        undo: (now) => undoOf(now, label, tools),
      });
    });
  });
  filter();
};

/** Deletes all versions, the oldest first: whatever ends it early, the latest is the last to go. */
const deleteAll = async ({ project, name, facts, kept }, { call, run }) => {
  const labels = facts.versions.map(({ version }) => version);
  const then = kept === undefined ? 'They cannot be restored.' : `They can be restored for ${kept}.`;
  const words = `Delete all versions of ${project}? Readers will no longer find its pages. ${then}`;
  const list = labels.toReversed();
  if (!(await ask(words, { yes: 'Delete all versions', isDanger: true, list, name: project }))) return;
  at('removed').open = true;
  await run('removed', async () => {
    for (const [index, label] of labels.entries()) {
      try {
        await call('DELETE', `api/delete/${name}/${encodeURIComponent(label)}`);
      } catch (failure) {
        return { message: `${index} of ${labels.length} versions of ${project} are deleted`, failure };
      }
    }
    return { message: `All versions of ${project} are deleted` };
  });
  at('removed-said').focus();
};

const mark = (text, state = '') => element('span', { class: `mark ${state}`.trim() }, text);

const filter = () => {
  const rows = [...at('version-rows').children];
  at('filter').hidden = rows.length < MIN_FILTERED;
  const wanted = at('filter').hidden ? '' : at('filter').value.trim().toLowerCase();
  for (const row of rows) row.hidden = !row.dataset.key.toLowerCase().includes(wanted);
};
at('filter').addEventListener('input', filter);

/** Shows all previews, the newest first. */
export const showPreviews = ({ project, name, previews }, { change }) => {
  tell('previews', previews.length);
  fillRows('preview', previews, (row, parts, buttons, preview) => {
    row.dataset.key = preview.name;
    parts.name.textContent = preview.name;
    parts.name.href = preview.url;
    const [published, expires] = [preview.published_at, preview.expires_at].map((time) => time?.slice(0, 10));
    const end = expires === undefined ? 'Does not expire' : `Expires ${expires}`;
    parts.facts.textContent = `Published ${published}. ${end}.`;
    setUpButton(buttons.delete, 'Delete', `preview ${preview.name}`, async () => {
      const words = `Delete preview ${preview.name} of ${project}? It cannot be restored.`;
      if (!(await ask(words, { yes: 'Delete it', isDanger: true }))) return;
      change('previews', 'DELETE', `api/previews/${name}/${encodeURIComponent(preview.name)}`);
    });
  });
};

/** Shows what can be restored, and for how long, the last removal first. */
export const showRemoved = (state, tools) => {
  tell('removed', state.removed.length);
  fillRows('removed', state.removed, (row, parts, buttons, each) => {
    row.dataset.key = each.revision;
    parts.name.textContent = each.version;
    const days = [each.published_at, each.removed_at].map((time) => time.slice(0, 10));
    parts.facts.textContent = `Published ${days[0]}, ${each.reason} ${days[1]}. ${timeLeft(each)}.`;
    setUpButton(buttons.restore, 'Restore', `${each.version}, ${each.reason} ${days[1]}`, () =>
      restore(state, each, 'removed', tools),
    );
  });
};

/** Returns what undoes the last deletion of a version; undefined where it cannot be restored. */
const undoOf = (state, label, tools) => {
  const last = state.removed.find(({ version, reason }) => version === label && reason === 'deleted');
  return last && (() => restore(state, last, 'versions', tools));
};

const restore = async ({ project, name, facts, previews, kept }, { version, revision }, section, tools) => {
  const isThere =
    facts?.versions.some((each) => each.version === version) === true ||
    previews.some((preview) => `~${preview.name}` === version);
  // A preview that is replaced is not kept.
  const then = version.startsWith('~') ? 'cannot be restored' : `can be restored for ${kept}`;
  const words = `${project} ${version} is published. Put the removed one in its place? What is there now ${then}.`;
  if (isThere && !(await ask(words, { yes: 'Replace it' }))) return;
  const query = new URLSearchParams({ revision, ...(isThere ? { replace: 'true' } : {}) });
  const path = `api/restore/${name}/${encodeURIComponent(version)}?${query}`;
  // A project that comes back has forms to fill.
  tools.change(section, 'POST', path, undefined, { fill: facts === undefined });
};

/** `5 days left`, `3 hours left` */
const timeLeft = ({ expires_at: end }) => {
  const hours = Math.max(0, (new Date(end) - Date.now()) / HOUR_MS);
  const [count, unit] = hours >= 48 ? [Math.round(hours / 24), 'day'] : [Math.ceil(hours), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'} left`;
};
