// The rules by which versions of a project are removed.
import { at } from './elements.js';
import { ask, itemOf } from './manage-question.js';

const form = at('retention-form');
const section = 'retention';

/** Writes the rules that count into the form. */
export const fillRetention = ({ name, facts, kept }, tools) => {
  const own = facts.settings.retention;
  const rules = own ?? facts.retention ?? {};
  form.elements.whose.value = own === undefined ? 'server' : 'project';
  for (const field of at('rules').querySelectorAll('input')) {
    if (field.type === 'checkbox') field.checked = rules[field.name] === true;
    else field.value = rules[field.name] ?? '';
  }
  enable();
  const path = `api/retention/${name}`;
  /** Sends the rules of the form: the project's own, or the request to go by those of the server. */
  const send = (query) =>
    form.elements.whose.value === 'server'
      ? tools.call('DELETE', path + query)
      : tools.call('PUT', path + query, rulesOf());
  const dryRun = () => send('?dry_run=true');

  at('dry-run').onclick = () => {
    if (!form.reportValidity()) return;
    tools.run(section, async () => {
      const { message, removes = [] } = await dryRun();
      showDue(removes.map(lineOf));
      return { message: `${message}. ${countOf(removes.length)}` };
    });
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    if (!form.reportValidity()) return;
    tools.run(section, async () => {
      const { removes = [] } = await dryRun();
      showDue([]);
      const then = kept === undefined ? 'They cannot be restored.' : `They can be restored for ${kept}.`;
      const words = `These rules remove ${removes.length === 1 ? '1 version' : `${removes.length} versions`}. ${then}`;
      const list = removes.map(lineOf);
      if (removes.length > 0 && !(await ask(words, { yes: 'Save the rules', list }))) return undefined;
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
  at('rules').disabled = form.elements.whose.value === 'server';
};
form.addEventListener('change', enable);
