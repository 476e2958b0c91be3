// The search of the switcher: a field, and the pages of the version that it finds.

import { findPages, searchField } from '../assets/find-pages.js';
import { addStyle, make } from './elements.js';
import { base, frontPath } from './page.js';
import { labelOf } from './versions.js';

/** Style sheet of the search, loaded with it. */
const STYLE = `
.finder { flex: 0 1 auto; min-height: 0; width: 420px; max-width: 100%; display: flex; flex-direction: column; padding: 8px; border: 1px solid var(--rule); border-radius: 8px; background: var(--paper); box-shadow: 0 2px 10px var(--shade); pointer-events: auto }
.finder > input { flex: none; min-height: 36px; padding: 4px 10px; border: 1px solid var(--soft); border-radius: 6px; background: none }
.finder > input::placeholder { color: var(--soft); opacity: 1 }
.found { display: flex; flex-direction: column; min-height: 0 }
#found-sentence { margin: 0; padding: 8px 6px 4px; color: var(--soft); font-size: 13px }
#found-list { overflow-y: auto; overscroll-behavior: contain; max-height: 480px }
#found-list[aria-busy] { opacity: .6 }
.hit { position: relative; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 6px; padding: 6px }
.hit > * { grid-column: 2 }
.hit::before, .hit > .hit-way { content: ""; grid-area: 1 / 2 }
.hit > .icon { grid-area: 2 / 1; margin-top: 2px; color: var(--soft) }
.icon { width: 16px; height: 16px; fill: none; stroke: currentcolor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
.hit:hover { background: var(--hover); border-radius: 6px }
.hit > .hit-link { grid-area: 2 / 2; font-weight: 600; text-decoration: none }
.hit-link::after { content: ""; position: absolute; inset: 0; border-radius: 6px }
.hit-link:focus-visible { outline: none }
.hit-link:focus-visible::after { outline: 2px solid var(--link); outline-offset: -2px }
.hit-heading { font-weight: 400 }
.hit-way { margin: 0; color: var(--soft); font-size: 13px }
.hit-path { margin: 0; overflow-wrap: anywhere; color: var(--soft); font-size: 13px }
.hit-snippet { margin: 2px 0 0; color: var(--soft); font-size: 13px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
.hit-snippet.is-code { font-family: ui-monospace, monospace; white-space: pre-wrap }
.hit-nothing, .paging { margin: 0; padding: 6px }
mark { --found: #ffe08a; border-radius: 3px; background: var(--found); color: var(--ink) }
.dark mark { --found: #574406 }
`;

/** Keeps readers where they read: the server answers with the alias of the latest version, or its host. */
const stayInSite = (list) => {
  const front = frontPath();
  for (const link of list.querySelectorAll('.hit-link')) {
    const { pathname, search, hash } = new URL(link.href);
    const inside = pathname.slice(base.length);
    // On a host of its own, a site has no directory in its addresses.
    const page = front === base ? inside : inside.replace(/^[^/]*\//, '');
    link.href = location.origin + front + page + search + hash;
  }
};

const step = (input, list, focused, by) => {
  const links = [...list.querySelectorAll('a')];
  const next = links.indexOf(focused) + by;
  if (next < 0) input.focus();
  else links[Math.min(next, links.length - 1)]?.focus();
};

/**
 * Returns the element of the search, and its field.
 * @param root shadow root of the switcher, which gets its style sheet
 * @param close hides the search
 */
export const finderOf = (facts, root, close) => {
  const { name, project, preview } = facts;
  addStyle(root, STYLE);
  const label = labelOf(facts);
  const version = preview === undefined ? label : `~${label}`;
  const input = make('input', searchField(`Search in ${label}`, `Search in ${name} ${label}`));
  const list = make('div', { id: 'found-list', class: 'found-list' });
  const section = make('div', { class: 'found', hidden: '' });
  section.append(make('p', { class: 'found-sentence', id: 'found-sentence', role: 'status' }), list);
  section.dataset.address = `${base}-/search?${new URLSearchParams({ project, version })}`;
  const element = make('div', { class: 'finder', role: 'search', hidden: '' }, input, section);
  const pages = findPages({ input, section, onShown: stayInSite });
  const openFirst = () => {
    const first = list.querySelector('.hit-link');
    if (first === null || !pages.isCurrent()) pages.search();
    else first.click();
  };

  element.addEventListener('keydown', (event) => {
    // Keeps what is typed from the site's own shortcuts.
    event.stopPropagation();
    if (event.isComposing) return;
    const focused = root.activeElement;
    if (event.key === 'Escape') {
      close();
      root.querySelector('.find').focus();
    } else if (event.key === 'ArrowDown') step(input, list, focused, 1);
    else if (event.key === 'ArrowUp' && focused !== input) step(input, list, focused, -1);
    else if (event.key === 'Enter' && focused === input) openFirst();
    else return;
    event.preventDefault();
  });
  // A page that is being read already is not loaded again.
  list.addEventListener('click', ({ target }) => {
    if (target.closest('a') !== null) close();
  });
  return { element, input };
};
