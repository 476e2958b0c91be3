// What was deleted or replaced, and can be restored.
import { ask } from './manage-question.js';
import { fillRows, nameButton } from './manage-rows.js';

const HOUR_MS = 60 * 60 * 1_000;

/** Shows what can be restored, and for how long, the last removal first. */
export const showRemoved = (state, tools) => {
  fillRows('removed', state.removed, (row, parts, buttons, each) => {
    row.dataset.key = each.revision;
    parts.name.textContent = each.version;
    const days = [each.published_at, each.removed_at].map((time) => time.slice(0, 10));
    parts.facts.textContent = `Published ${days[0]}, ${each.reason} ${days[1]}. ${timeLeft(each)}.`;
    nameButton(buttons.restore, 'Restore', `${each.version}, ${each.reason} ${days[1]}`);
    buttons.restore.textContent = 'Restore';
    buttons.restore.addEventListener('click', () => restore(state, each, 'removed', tools));
  });
};

/** Returns what undoes the last deletion of a version; undefined where it cannot be restored. */
export const undoOf = (state, label, tools) => {
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
