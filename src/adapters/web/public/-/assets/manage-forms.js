// The forms of the page to manage a project: its description, latest version and aliases, and rules of retention.
import { at } from './elements.js';
import { ask, fillRows, itemOf, setUpButton, tell } from './manage-parts.js';

const LATEST = 'latest';
const aboutForm = at('about-form');
const rulesForm = at('retention-form');

/** Writes what is set into the fields, and what readers see without it beside them. */
export const fillDescription = ({ name, facts }, { change }) => {
  const { about = {} } = facts.settings;
  const seen = { ...facts, title: facts.title ?? facts.name };
  for (const field of aboutForm.querySelectorAll('input')) {
    field.value = [about[field.name] ?? []].flat().join(', ');
    field.placeholder = about[field.name] === undefined ? [seen[field.name] ?? []].flat().join(', ') : '';
  }
  aboutForm.onsubmit = (event) => {
    event.preventDefault();
    change('about', 'PUT', `api/projects/${name}`, bodyOf(new FormData(aboutForm)), { fill: true });
  };
};

const bodyOf = (fields) => {
  const texts = [...fields].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value !== '');
  return Object.fromEntries(texts.map(([name, value]) => [name, name === 'tags' ? tagsIn(value) : value]));
};
const tagsIn = (text) => text.split(',').flatMap((tag) => tag.trim() || []);

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
  tell('aliases', others.length);
  fillRows('alias', others, (row, parts, buttons, [alias, target]) => {
    row.dataset.key = alias;
    parts.name.textContent = alias;
    const now = facts.versions.find((version) => version.aliases?.includes(alias))?.version;
    parts.facts.textContent = now === target ? target : `${target}, now ${now ?? 'no version'}`;
    setUpButton(buttons.remove, 'Remove', alias, () => change('aliases', 'DELETE', path(alias)));
  });
};

/** Returns the series that a version is in: `2.x` and `2.1.x` for 2.1.3. */
const seriesOf = (label) => {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d/.exec(label) ?? [];
  return major === undefined ? [] : [`${major}.x`, `${major}.${minor}.x`];
};

/** Writes the rules that count into the form. */
export const fillRetention = ({ name, facts, kept }, tools) => {
  const own = facts.settings.retention;
  const rules = own ?? facts.retention ?? {};
  rulesForm.elements.whose.value = own === undefined ? 'server' : 'project';
  tell('retention', own === undefined ? 'Server defaults' : 'Custom rules');
  for (const field of at('rules').querySelectorAll('input')) {
    if (field.type === 'checkbox') field.checked = rules[field.name] === true;
    else field.value = rules[field.name] ?? '';
  }
  enable();
  const path = `api/retention/${name}`;
  /** Sends the rules of the form: the project's own, or the request to use the server's. */
  const send = (query) =>
    rulesForm.elements.whose.value === 'server'
      ? tools.call('DELETE', path + query)
      : tools.call('PUT', path + query, rulesOf());
  const dryRun = () => send('?dry_run=true');

  at('dry-run').onclick = () => {
    if (!rulesForm.reportValidity()) return;
    tools.run('retention', async () => {
      const { message, removes = [] } = await dryRun();
      showDue(removes.map(lineOf));
      return { message: `${message}. ${countOf(removes.length)}` };
    });
  };
  rulesForm.onsubmit = (event) => {
    event.preventDefault();
    if (!rulesForm.reportValidity()) return;
    tools.run('retention', async () => {
      const { removes = [] } = await dryRun();
      showDue([]);
      const then = kept === undefined ? 'They cannot be restored.' : `They can be restored for ${kept}.`;
      const words = `These rules remove ${removes.length === 1 ? '1 version' : `${removes.length} versions`}. ${then}`;
      const list = removes.map(lineOf);
      if (removes.length > 0 && !(await ask(words, { yes: 'Save the rules', isDanger: true, list })))
        return undefined;
      return { message: (await send('')).message, fill: true };
    });
  };
};

const rulesOf = () => {
  const rules = {};
  for (const field of at('rules').querySelectorAll('input')) {
    if (field.type === 'checkbox') {
      if (field.checked) rules[field.name] = true;
    } else if (field.value !== '') rules[field.name] = Number(field.value);
  }
  return rules;
};
const lineOf = ({ version, reason }) => `${version}: ${reason}`;
const countOf = (count) =>
  count === 0 ? 'No version is removed' : `${count} version${count === 1 ? ' is' : 's are'} removed`;
const showDue = (lines) => {
  at('due').replaceChildren(...lines.map(itemOf));
  at('due').hidden = lines.length === 0;
};
const enable = () => {
  at('rules').disabled = rulesForm.elements.whose.value === 'server';
};
rulesForm.addEventListener('change', enable);
