// The index as a reader arranges it, kept in this browser: favourites and recently read projects first, and the dense view.
import { element } from './elements.js';
import {
  chooseDense,
  chosenDense,
  favourites,
  noteRead,
  recentlyRead,
  toggleFavourite,
} from './own-choices.js';

const MAX_RECENT = 6;
const found = document.querySelector('#found');
const bar = document.querySelector('#bar');
const columns = document.querySelector('.index-columns');

const nameOf = (row) => row.querySelector('.project-name');
/** The project's directory name, out of the address of its page: `…/-/projects/<name>`. */
const keyOf = (row) =>
  decodeURIComponent(row.querySelector('.project-facts a').getAttribute('href').replace(/^.*\//, ''));
const rowOf = (key) =>
  found
    .querySelector(`.project-facts a[href$="/-/projects/${CSS.escape(encodeURIComponent(key))}"]`)
    ?.closest('.project');

const setStar = (button, isOn) => {
  button.setAttribute('aria-pressed', isOn);
  button.title = isOn ? 'Remove from the favourites' : 'Add to the favourites';
};

const addStar = (row) => {
  if (row.querySelector('.star') !== null) return;
  const label = `Favourite: ${nameOf(row).textContent}`;
  const button = element('button', { type: 'button', class: 'quiet star', 'aria-label': label });
  setStar(button, favourites().includes(keyOf(row)));
  row.querySelector('.project-title').after(button);
};

/** Adds stars to rows that come near the view; a thousand at once would hold up the page. */
const nearView = new IntersectionObserver(
  (rows) => {
    for (const { isIntersecting, target } of rows) {
      if (!isIntersecting) continue;
      nearView.unobserve(target);
      addStar(target);
    }
  },
  { rootMargin: '100%' },
);

/** A link to a project, as its row has it. */
const tileOf = (row) => {
  const { href, textContent: name } = nameOf(row);
  const label = row.querySelector('.release').childNodes[1].textContent;
  const version = element('span', { class: 'small' }, label);
  return element(
    'li',
    {},
    element('a', { class: 'card tile', href }, element('bdi', {}, name), ' ', version),
  );
};

const tiles = (title, id, rows) => [
  element('h2', { class: 'own-title tally', id }, title),
  element('ul', { class: 'plain-list line tiles', 'aria-labelledby': id }, ...rows.map(tileOf)),
];

/** Shows favourites and recently read projects above the whole list; above the results of a search they would be in the way. */
const showOwn = () => {
  document.querySelector('#own')?.remove();
  if (!('whole' in found.dataset)) return;
  const stars = favourites();
  const unstarred = recentlyRead().filter((key) => !stars.includes(key));
  const rowsOf = (keys) => keys.map(rowOf).filter((row) => row !== undefined);
  const starred = rowsOf(stars);
  const recent = rowsOf(unstarred).slice(0, MAX_RECENT);
  const parts = [
    ...(starred.length > 0 ? tiles('Favourites', 'favourites', starred) : []),
    ...(recent.length > 0 ? tiles('Recently read', 'recently-read', recent) : []),
  ];
  if (parts.length > 0)
    found
      .querySelector('.index-list')
      .prepend(element('div', { class: 'own line middle', id: 'own' }, ...parts));
};

const addDenseSwitch = () => {
  if (found.querySelector('.project') === null) return;
  const box = element('input', { type: 'checkbox' });
  box.checked = columns.classList.contains('is-dense');
  box.addEventListener('change', () => {
    columns.classList.toggle('is-dense', box.checked);
    chooseDense(box.checked);
  });
  bar.append(element('label', { class: 'small' }, box, ' Dense'));
};

const arrange = () => {
  showOwn();
  addDenseSwitch();
  nearView.disconnect();
  for (const row of found.querySelectorAll('.project')) nearView.observe(row);
};

found.addEventListener('found', arrange);
found.addEventListener('click', ({ target }) => {
  const row = target.closest('.project');
  if (row === null) return;
  if (target.closest('.project-name')) noteRead(keyOf(row));
  const star = target.closest('.star');
  if (star === null) return;
  setStar(star, toggleFavourite(keyOf(row)));
  showOwn();
});
const chosen = chosenDense();
if (chosen !== undefined) columns.classList.toggle('is-dense', chosen);
arrange();
