// The latest version of a project, and its aliases.
import { at } from './elements.js';
import { fillRows, nameButton } from './manage-rows.js';

const LATEST = 'latest';

/** Shows which version is the latest, and all aliases. */
export const showAliases = ({ name, facts }, { change }) => {
  const { aliases = {} } = facts.settings;
  const labels = facts.versions.map(({ version }) => version).reverse();
  const targets = [...new Set(labels.flatMap(seriesOf)), ...labels];
  const path = (alias) => `api/aliases/${name}/${encodeURIComponent(alias)}`;

  const pinned = aliases[LATEST];
  const pins = pinned === undefined || labels.includes(pinned) ? labels : [pinned, ...labels];
  at('latest').replaceChildren(
    new Option('The newest release', '', false, pinned === undefined),
    ...pins.map((label) => new Option(`Pinned to ${label}`, label, false, label === pinned)),
  );
  at('latest-form').onsubmit = (event) => {
    event.preventDefault();
    const target = at('latest').value;
    if (target === '') change('aliases', 'DELETE', path(LATEST));
    else change('aliases', 'PUT', path(LATEST), { target });
  };

  at('targets').replaceChildren(...targets.map((target) => new Option(target)));
  at('alias-form').onsubmit = (event) => {
    event.preventDefault();
    const [alias, target] = ['alias', 'target'].map((id) => at(id).value.trim());
    if (alias === '' || target === '') at(alias === '' ? 'alias' : 'target').focus();
    else change('aliases', 'PUT', path(alias), { target });
  };
  const others = Object.entries(aliases).filter(([alias]) => alias !== LATEST);
  fillRows('alias', others, (row, parts, buttons, [alias, target]) => {
    row.dataset.key = alias;
    parts.name.textContent = alias;
    const now = facts.versions.find((version) => version.aliases?.includes(alias))?.version;
    parts.facts.textContent = now === target ? target : `${target}, now ${now ?? 'no version'}`;
    nameButton(buttons.remove, 'Remove', alias);
    buttons.remove.addEventListener('click', () => change('aliases', 'DELETE', path(alias)));
  });
};

/** Returns the series that a version is in: `2.x` and `2.1.x` for 2.1.3. */
const seriesOf = (label) => {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d/.exec(label) ?? [];
  return major === undefined ? [] : [`${major}.x`, `${major}.${minor}.x`];
};
