// The index: search as you type, and keyboard navigation. Without this script the server searches, with equal results.

const input = document.querySelector('#search');
const list = document.querySelector('#projects');
const count = document.querySelector('#count');
const nothing = document.querySelector('#nothing');
const number = new Intl.NumberFormat('en');

/** Folds case like the server (src/domain/search-term.ts). */
const fold = (text) => text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');

/** Returns an entry of the list, with its names folded for search. */
const entryOf = (item) => ({
  item,
  isShown: true,
  names: [...item.querySelectorAll('.project-name bdi, .directory-name')].map((element) => ({
    element,
    text: element.textContent,
    folded: fold(element.textContent),
    isMarked: element.querySelector('mark') !== null,
  })),
});

let entries = [...list.children].map(entryOf);
let isComplete = 'complete' in list.dataset;
let completing;

/** Fetches the whole list, when the page was loaded with search results only. */
const complete = async () => {
  const address = new URL(location.href);
  address.searchParams.delete('search');
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const whole = page.querySelector('#projects');
  if (whole === null) return;
  list.replaceChildren(...whole.children);
  document.querySelector('#not-shown')?.remove();
  entries = [...list.children].map(entryOf);
  isComplete = true;
};

const mark = (name, wanted) => {
  const at = wanted === '' ? -1 : name.folded.indexOf(wanted);
  if (at === -1 && !name.isMarked) return;
  name.isMarked = at !== -1;
  const parts = [];
  let done = 0;
  // If folding changes the length, positions do not match the text, so nothing is marked.
  const isAligned = name.folded.length === name.text.length;
  for (let hit = isAligned ? at : -1; hit !== -1; hit = name.folded.indexOf(wanted, done)) {
    const marked = document.createElement('mark');
    marked.textContent = name.text.slice(hit, hit + wanted.length);
    parts.push(name.text.slice(done, hit), marked);
    done = hit + wanted.length;
  }
  name.element.replaceChildren(...parts, name.text.slice(done));
};

const filter = () => {
  const wanted = fold(input.value);
  let shown = 0;
  for (const entry of entries) {
    const isHit = entry.names.some(({ folded }) => folded.includes(wanted));
    if (isHit) {
      shown += 1;
      for (const name of entry.names) mark(name, wanted);
    }
    if (isHit !== entry.isShown) {
      entry.item.hidden = !isHit;
      entry.isShown = isHit;
    }
  }
  nothing.hidden = shown > 0;
  say(shown);
  remember();
};

const say = (shown) => {
  const all = entries.length;
  const noun = all === 1 ? 'project' : 'projects';
  const share = input.value === '' ? number.format(all) : `${number.format(shown)} of ${number.format(all)}`;
  count.parentElement.replaceChildren(count);
  count.textContent = `${share} ${noun}`;
};

/** Puts the search into the address and the sort links, for reloads, bookmarks and the Back button. */
const remember = () => {
  for (const link of [...document.querySelectorAll('.order'), undefined]) {
    const address = new URL(link?.href ?? location.href);
    if (input.value === '') address.searchParams.delete('search');
    else address.searchParams.set('search', input.value);
    if (link !== undefined) link.href = address.href;
    else if (address.href !== location.href) history.replaceState(history.state, '', address);
  }
};

const search = async () => {
  if (!isComplete) {
    completing ??= complete();
    await completing;
  }
  if (isComplete) filter();
};

const shownLinks = () =>
  entries.filter(({ isShown }) => isShown).map(({ item }) => item.querySelector('.project-name'));

/** Moves the focus through the shown names; up from the first one leads back to the search field. */
const step = (by) => {
  const links = shownLinks();
  const at = links.indexOf(document.activeElement);
  const next = at === -1 && by < 0 ? -1 : at + by;
  if (next < 0) {
    input.focus();
    input.select();
  } else links[Math.min(next, links.length - 1)]?.focus();
};

const isTyping = ({ target }) => target instanceof HTMLElement && target.matches('input, textarea, select');

input.addEventListener('input', search);
input.form.addEventListener('submit', (event) => {
  const first = shownLinks()[0];
  if (!isComplete || input.value === '' || first === undefined) return;
  event.preventDefault();
  first.click();
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const isInList = event.target === input || list.contains(event.target);
  if (event.key === '/' && !isTyping(event)) {
    input.focus();
    input.select();
  } else if (event.key === 'ArrowDown' && isInList) step(1);
  else if (event.key === 'ArrowUp' && isInList) step(-1);
  else if (event.key === 'Escape' && isInList && input.value !== '') {
    input.value = '';
    input.focus();
    search();
  } else return;
  event.preventDefault();
});

document.documentElement.classList.add('has-keys');
// Text typed before this script loaded, or restored by the Back button.
if (isComplete && input.value !== '') filter();
