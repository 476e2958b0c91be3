// The switcher's button to search in the version that is being read, and the key `/`. What it opens is loaded when it opens.

import { addStyle, make } from './elements.js';

/** How the magnifying glass is drawn. */
const LOOK = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 2,
  'stroke-linecap': 'round',
  'aria-hidden': true,
};

const STYLE = `
.find { flex: none; width: 36px; min-height: 34px; padding: 0; border: 1px solid var(--rule); border-radius: 8px; background: var(--paper); box-shadow: 0 2px 10px var(--shade); pointer-events: auto; position: relative }
.find:hover { background: var(--hover) }
.find svg { display: block; margin: auto }
@media (pointer: coarse) { .find { width: 42px } }
`;

const magnifyingGlass = () => {
  const glass = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({ ...LOOK, viewBox: '0 0 20 20', width: 18, height: 18 }))
    glass.setAttribute(name, value);
  const line = document.createElementNS(glass.namespaceURI, 'path');
  // A ring, and a handle that begins at its edge.
  line.setAttribute('d', 'M2.5 7.5a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M11.1 11.1L18 18');
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
  button.append(magnifyingGlass());
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
