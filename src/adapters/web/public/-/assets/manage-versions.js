// All versions of a project, hidden ones too.
import { at, element } from './elements.js';
import { ask } from './manage-question.js';
import { undoOf } from './manage-removed.js';
import { fillRows, nameButton } from './manage-rows.js';

/** Min. number of versions with a filter. */
const MIN_FILTERED = 10;

/** Shows all versions, newest first. */
export const showVersions = (state, tools) => {
  const { project, facts, token, kept } = state;
  const mayDelete = token.allow_delete && token.previews_only !== true;
  at('no-delete').hidden = mayDelete;
  fillRows('version', facts.versions.toReversed(), (row, parts, buttons, version) => {
    const { version: label, kind, aliases = [], hidden, deprecated } = version;
    row.dataset.key = label;
    parts.name.textContent = label;
    parts.name.href = version.url;
    const isLatest = version.directory_name === facts.latest_version_dir;
    parts.marks.replaceChildren(
      ...(isLatest ? [mark('latest', 'latest')] : []),
      ...(kind === undefined || kind === 'release' ? [] : [mark('pre-release', kind)]),
      ...aliases.filter((alias) => alias !== 'latest').map((alias) => mark('alias', alias)),
      ...(hidden ? [mark('alias', 'hidden')] : []),
      ...(deprecated === undefined ? [] : [mark('deprecated', 'deprecated')]),
    );
    const day = version.published_at.slice(0, 10);
    parts.facts.textContent =
      deprecated === undefined ? `Published ${day}` : `Published ${day}. ${deprecated}`;

    const at = (setting) => `api/${setting}/${state.name}/${encodeURIComponent(label)}`;
    nameButton(buttons.hide, hidden ? 'Show' : 'Hide', label);
    buttons.hide.addEventListener('click', () =>
      tools.change('versions', hidden ? 'DELETE' : 'PUT', at('hidden')),
    );
    nameButton(buttons.deprecate, deprecated === undefined ? 'Deprecate' : 'No longer deprecated', label);
    buttons.deprecate.addEventListener('click', async () => {
      if (deprecated !== undefined) return tools.change('versions', 'DELETE', at('deprecated'));
      const words = `Deprecate ${project} ${label}? Every page of it shows readers this sentence.`;
      const message = await ask(words, { yes: 'Deprecate it', sentence: 'Please use the latest version.' });
      if (message !== undefined) tools.change('versions', 'PUT', at('deprecated'), { message });
    });
    nameButton(buttons.delete, 'Delete', label);
    buttons.delete.hidden = !mayDelete;
    buttons.delete.addEventListener('click', async () => {
      const then = kept === undefined ? 'It cannot be restored.' : `It can be restored for ${kept}.`;
      const words = `Delete ${project} ${label}? Readers will no longer find its pages. ${then}`;
      if (!(await ask(words, { yes: 'Delete it' }))) return;
      tools.change('versions', 'DELETE', at('delete'), undefined, {
        undo: (now) => undoOf(now, label, tools),
      });
    });
  });
  filter();
};

const mark = (look, text) => element('span', { class: `mark mark-${look}` }, text);

const filter = () => {
  const rows = [...at('version-rows').children];
  at('filter').hidden = rows.length < MIN_FILTERED;
  const wanted = at('filter').hidden ? '' : at('filter').value.trim().toLowerCase();
  for (const row of rows) row.hidden = !row.dataset.key.toLowerCase().includes(wanted);
};
at('filter').addEventListener('input', filter);
