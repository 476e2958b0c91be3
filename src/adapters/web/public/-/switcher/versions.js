// The list of versions, with a filter where there are many.

import { linkTo, make } from './elements.js';

/** Number of versions from which on the list has a filter: more than the menu shows without scrolling. */
const MIN_FILTERED = 10;

/** Marks of a version, as on the project's page: each with its text and its class. */
const marksOf = ({ directory, kind, aliases, deprecated }, latest) => [
  ...(directory === latest?.directory ? [['latest', 'good']] : []),
  ...(kind === 'release' ? [] : [[kind, 'caution']]),
  ...aliases.map((alias) => [alias, 'plain']),
  ...(deprecated ? [['deprecated', 'caution']] : []),
];

const rowOf = (version, { current, latest }) => {
  const link = linkTo(
    version.directory,
    make(
      'span',
      { class: 'label' },
      make('span', {}, version.version),
      ...marksOf(version, latest).flatMap(([text, look]) => [
        ' ',
        make('span', { class: `mark ${look}` }, text),
      ]),
    ),
    ' ',
    make('time', { datetime: version.published }, version.published),
  );
  if (version.directory === current) link.setAttribute('aria-current', 'true');
  return make('li', { class: version.directory === latest?.directory ? 'newest' : undefined }, link);
};

/** Returns the label of what the reader is in: a version, or a preview. */
export const labelOf = ({ current, versions, preview }) =>
  preview?.name ?? versions.find(({ directory }) => directory === current).version;

/** Returns the elements of the list, and `focus`, which shows the current version and takes a filter's focus. */
export const versionsOf = (facts) => {
  const rows = facts.versions.map((version) => rowOf(version, facts));
  const isMany = rows.length >= MIN_FILTERED;
  const list = make('ul', { class: isMany ? 'versions many' : 'versions' }, ...rows);
  const showCurrent = () => list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  if (!isMany) return { elements: [list], focus: showCurrent };

  const filter = make('input', {
    type: 'search',
    class: 'filter',
    placeholder: `Filter ${rows.length} versions`,
    'aria-label': 'Filter versions',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const nothing = make('p', { class: 'nothing', role: 'status' });
  filter.addEventListener('input', () => {
    const wanted = filter.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !facts.versions[at].version.toLowerCase().includes(wanted);
      if (!row.hidden) shown += 1;
    });
    nothing.textContent = shown === 0 ? 'No version matches.' : '';
  });
  const focus = () => {
    showCurrent();
    // On a touch screen the keyboard would cover the list.
    if (matchMedia('(hover: hover)').matches) filter.focus({ preventScroll: true });
  };
  return { elements: [filter, nothing, list], focus };
};
