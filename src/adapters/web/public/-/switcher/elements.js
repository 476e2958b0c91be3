// Small tools of the switcher's modules.

import { pageIn } from './page.js';

/** Creates an element. Untrusted values only become text or attributes. */
export const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};

/** Adds a style sheet to a shadow root. */
export const addStyle = (root, text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
};

/** Creates a link to the current page in another version. `followPage` keeps it up to date. */
export const linkTo = (target, ...children) => {
  const link = make('a', { href: pageIn(target) }, ...children);
  link.dataset.target = target;
  return link;
};

/** Points all links of `linkTo` to the page that is being read now. */
export const followPage = (root) => {
  for (const link of root.querySelectorAll('[data-target]')) link.href = pageIn(link.dataset.target);
};

/** Runs `work` with localStorage; null if that is blocked. Then nothing is remembered. */
export const stored = (work) => {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
};
