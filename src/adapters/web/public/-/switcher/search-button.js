// The switcher's button to search in the version that is being read, and the key `/`. The search is loaded when it opens.

import { addStyle, make } from './elements.js';

/** How the magnifying glass is drawn. */
const LOOK = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 1.75,
  'stroke-linecap': 'round',
  'aria-hidden': true,
};

const STYLE = `
.find { flex: none; display: flex; align-items: center; justify-content: center; gap: 6px; min-width: 36px; min-height: 34px; padding: 0 8px; border: 1px solid var(--rule); border-radius: 8px; background: var(--paper); box-shadow: 0 2px 10px var(--shade); pointer-events: auto; position: relative }
.find:hover { background: var(--hover) }
.key { min-width: 20px; border: 1px solid var(--rule); border-radius: 5px; color: var(--soft); font-size: 13px; line-height: 18px }
@media (hover: none) { .key { display: none } }
@media (pointer: coarse) { .find { min-width: 42px } }
`;

const magnifyingGlass = () => {
  const glass = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({ ...LOOK, viewBox: '0 0 20 20', width: 18, height: 18 }))
    glass.setAttribute(name, value);
  const line = document.createElementNS(glass.namespaceURI, 'path');
  line.setAttribute('d', 'M8.75 14a5.25 5.25 0 1 0 0-10.5 5.25 5.25 0 0 0 0 10.5ZM12.6 12.6l4.15 4.15');
  glass.append(line);
  return glass;
};

const isField = (element) => element instanceof Element && element.matches('input, textarea, select');
const isTyping = (element) => isField(element) || element?.isContentEditable === true;

/**
 * Returns the button, and `show`, which opens or closes the search.
 * @param box the element that the search is put into, behind the button's own row
 * @param onOpen called before the search opens
 */
export const searchButtonOf = (facts, box, onOpen) => {
  const button = make('button', {
    class: 'find',
    type: 'button',
    'aria-label': `Search in ${facts.name}`,
    'aria-expanded': 'false',
    'aria-keyshortcuts': '/',
  });
  button.append(magnifyingGlass(), make('span', { class: 'key', 'aria-hidden': 'true' }, '/'));
  addStyle(box.getRootNode(), STYLE);
  let loading;
  const load = async () => {
    const { finderOf } = await import('./finder.js');
    const finder = finderOf(facts, box.getRootNode(), () => show(false));
    box.children[0].after(finder.element);
    return finder;
  };
  const show = async (isOpen) => {
    if (!isOpen && loading === undefined) return;
    if (isOpen) onOpen();
    button.setAttribute('aria-expanded', String(isOpen));
    loading ??= load();
    const { element, input } = await loading;
    element.hidden = button.getAttribute('aria-expanded') === 'false';
    if (!element.hidden) {
      input.focus();
      input.select();
    }
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') === 'false'));
  // The last to hear the key: a site that has it for itself has taken it, or has moved the focus, by now.
  window.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.defaultPrevented || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.composedPath()[0]) || isTyping(document.activeElement)) return;
    event.preventDefault();
    show(true);
  });
  return { button, show };
};
