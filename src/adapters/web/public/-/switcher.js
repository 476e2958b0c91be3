// Lectern's version switcher: a menu of the versions, and a banner on versions other than the latest.
// It lives in a shadow root, leaves the page's own elements alone, and fetches one small file.

import { bannerOf, missingBannerOf } from './switcher/banner.js';
import { addStyle, followPage, make } from './switcher/elements.js';
import { isMissing, lackedPage } from './switcher/missing.js';
import { factsHere, home } from './switcher/page.js';
import { STYLE } from './switcher/style.js';
import { followTheme } from './switcher/theme.js';
import { labelOf, versionsOf } from './switcher/versions.js';
import { keepInView } from './switcher/viewport.js';

/** Overrides the site's style sheet, so that the host element takes no space. The background tells the theme. */
const HOST_STYLE =
  'all:initial!important;position:absolute!important;width:0!important;height:0!important;color-scheme:inherit!important;background:Canvas!important';

/** Returns the menu. A project that has only previews has no page. */
const menuOf = ({ name, project, latest }, versions) =>
  make(
    'nav',
    { class: 'menu', id: 'menu', 'aria-label': 'Versions', hidden: '' },
    make('p', { class: 'title' }, name),
    ...versions,
    make(
      'ul',
      { class: 'more' },
      latest === undefined
        ? ''
        : make('li', {}, make('a', { href: `${home}-/projects/${project}` }, 'Project page')),
      make('li', {}, make('a', { href: home }, 'All projects')),
    ),
  );

/** The notices of a page: that the version lacks what was asked for, and what the version is. A 404 page has only the first. */
const noticesOf = async (facts) => {
  const lacked = await lackedPage(facts);
  return [lacked === undefined ? '' : missingBannerOf(facts, lacked), isMissing ? '' : await bannerOf(facts)];
};

const start = (facts) => {
  const host = make('lectern-switcher');
  host.style.cssText = HOST_STYLE;
  const root = host.attachShadow({ mode: 'open' });
  addStyle(root, STYLE);

  const all = make('div', { class: 'all', 'data-corner': facts.corner ?? 'bottom-right' });
  const versions = versionsOf(facts);
  const menu = menuOf(facts, versions.elements);
  const toggle = make(
    'button',
    {
      class: 'toggle',
      type: 'button',
      'aria-label': facts.preview === undefined ? `Version ${labelOf(facts)}` : `Preview ${labelOf(facts)}`,
      'aria-expanded': 'false',
      'aria-controls': 'menu',
    },
    labelOf(facts),
  );
  all.append(make('div', { class: 'bar' }, toggle), menu);
  noticesOf(facts).then((notices) => all.append(...notices));
  root.append(all);

  /** The search, once its script is there. */
  let search;
  const open = (isOpen) => {
    menu.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return;
    search?.show(false);
    followPage(root);
    versions.focus();
  };

  const close = () => {
    open(false);
    search?.show(false);
  };

  toggle.addEventListener('click', () => open(menu.hidden));
  for (const event of ['pointerover', 'pointerdown', 'focusin']) {
    root.addEventListener(event, () => followPage(root));
  }
  const moveFocus = (step) => {
    if (menu.hidden) open(true);
    const links = [...menu.querySelectorAll('li:not([hidden]) > a')];
    const at = links.indexOf(root.activeElement);
    const current = links.findIndex((link) => link.hasAttribute('aria-current'));
    links.at(Math.max(0, at === -1 ? current : at + step) % links.length).focus();
  };
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !menu.hidden) {
      open(false);
      toggle.focus();
    } else if (event.key === 'ArrowDown') moveFocus(1);
    else if (event.key === 'ArrowUp') moveFocus(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Keeps what is typed from the site's own shortcuts.
  for (const event of ['keydown', 'keypress', 'keyup']) {
    root.addEventListener(event, (typed) => {
      if (typed.target instanceof HTMLInputElement) typed.stopPropagation();
    });
  }
  document.addEventListener('pointerdown', (event) => {
    if (!event.composedPath().includes(host)) close();
  });
  root.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !root.contains(relatedTarget)) close();
  });

  const addSearch = async () => {
    const { searchButtonOf } = await import('./switcher/search-button.js');
    search = searchButtonOf(facts, all, () => open(false));
    toggle.before(search.button);
  };
  if (facts.search) addSearch();

  // Outside the body, which a single-page site may replace.
  const attach = () => host.isConnected || document.documentElement.append(host);
  attach();
  new MutationObserver(attach).observe(document.documentElement, { childList: true });
  keepInView(all);
  followTheme(host, all);
};

// Only in the top window, not in frames.
if (window.top === window) {
  const facts = await factsHere();
  if (facts !== undefined) start(facts);
}
