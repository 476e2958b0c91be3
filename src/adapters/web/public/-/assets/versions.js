// A project's page: a filter of its versions, where there are many. Without this script the groups can be unfolded.
import { element } from './elements.js';
import { noteRead } from './own-choices.js';

const section = document.querySelector('.all-versions');
const rows = [...section.querySelectorAll('.version')].map((row) => ({
  row,
  label: row.querySelector('.version-label > a').textContent.toLowerCase(),
}));
const groups = [...section.querySelectorAll('.series, .pre-releases')];
const wereOpen = groups.map(({ open }) => open);

const addFilter = () => {
  const name = 'Filter versions';
  const field = { type: 'search', class: 'version-filter above-3', placeholder: name, 'aria-label': name };
  const input = element('input', field);
  const said = element('p', { class: 'count', role: 'status' });
  section.querySelector('h2').after(input, said);
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    for (const { row, label } of rows) {
      row.hidden = !label.includes(wanted);
      if (!row.hidden) shown += 1;
    }
    for (const [index, group] of groups.entries()) {
      group.hidden = group.querySelector('.version:not([hidden])') === null;
      group.open = wanted === '' ? wereOpen[index] : true;
    }
    said.textContent = wanted === '' ? '' : `${shown} of ${rows.length} versions`;
  });
};

if ('filtered' in section.dataset) addFilter();
document.querySelector('main').addEventListener('click', ({ target }) => {
  if (target.closest('.version-label a, .button-primary')) noteRead(section.dataset.project);
});
