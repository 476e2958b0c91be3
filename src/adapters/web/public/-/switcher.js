// Lectern's version switcher: a menu of the versions, and a banner on versions other than the latest.
// It lives in a shadow root, leaves the page's own elements alone, and fetches one small file.

const STYLE = `
:host { color-scheme: light dark }
* { box-sizing: border-box }
.all {
  --paper: #fff; --ink: #1b1f27; --soft: #566070; --rule: #d5d9e0; --hover: #f1f3f6; --link: #1f4f9e;
  --caution: #7a4b00; --edge: #d99a1c;
  position: fixed; inset: auto 12px 12px auto; z-index: 2147483000;
  display: grid; justify-items: end; gap: 8px; max-width: calc(100vw - 24px); pointer-events: none;
  color: var(--ink); font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere; text-align: start;
}
@media (prefers-color-scheme: dark) {
  .all {
    --paper: #1c2027; --ink: #e7eaef; --soft: #a2abb9; --rule: #3a414d; --hover: #2a303a; --link: #93bbfa;
    --caution: #f0c674; --edge: #c99a3a;
  }
}
.banner, .menu, .toggle {
  pointer-events: auto; border: 1px solid var(--rule); border-radius: 8px; background: var(--paper);
  box-shadow: 0 2px 10px rgb(0 0 0 / .16);
}
[hidden] { display: none !important }
.banner { display: flex; gap: 4px; width: 320px; max-width: 100%; border-left: 4px solid var(--edge) }
.banner p { flex: 1; margin: 0; padding: 10px 0 10px 12px }
.banner a { display: inline-block; margin-top: 2px; font-weight: 600 }
a { color: var(--link); text-underline-offset: 2px }
button { font: inherit; color: inherit; cursor: pointer }
.close { flex: none; align-self: start; width: 36px; height: 36px; border: 0; border-radius: 8px; background: none; color: var(--soft); font-size: 20px; line-height: 1 }
.close:hover, .toggle:hover { background: var(--hover); color: var(--ink) }
.toggle { display: flex; align-items: center; gap: 6px; max-width: 260px; min-height: 34px; padding: 4px 12px; font-weight: 600; font-variant-numeric: tabular-nums }
.toggle::after { content: ""; flex: none; width: 7px; height: 7px; margin: 4px 2px 0; border: solid; border-width: 1.5px 0 0 1.5px; transform: rotate(45deg) }
.toggle[aria-expanded=true]::after { margin-top: -3px; transform: rotate(225deg) }
.menu { width: 260px; max-width: 100%; padding: 6px 0 }
.title { margin: 0; padding: 4px 14px 6px; color: var(--soft); font-size: 12.5px; font-weight: 600 }
ul { margin: 0; padding: 0; list-style: none }
.versions { max-height: min(320px, 50vh); overflow-y: auto; overscroll-behavior: contain }
.menu a { display: flex; justify-content: space-between; gap: 12px; padding: 6px 14px; color: inherit; text-decoration: none }
.menu a:hover { background: var(--hover) }
.menu a[aria-current] { font-weight: 600; color: var(--link); box-shadow: inset 3px 0 var(--link) }
.kind { color: var(--soft); font-size: 12.5px; font-weight: 400; white-space: nowrap }
.pre { color: var(--caution) }
.more { margin-top: 6px; padding-top: 6px; border-top: 1px solid var(--rule) }
.more a { color: var(--link) }
:focus-visible { outline: 3px solid #2f6fd6; outline-offset: -2px }
/* A low window has no room for menu and banner. */
@media (max-height: 500px) { .all:has(.menu:not([hidden])) .banner { display: none } }
@media print { .all { display: none } }
`;

const SAYS = {
  older: (own, latest) => `This is ${own}. The latest version is ${latest}.`,
  'pre-release': (own, latest) => `This is ${own}, a pre-release. The latest stable version is ${latest}.`,
  unreleased: (own, latest) => `This is ${own}, which is not a release. The latest version is ${latest}.`,
};

/** Creates an element. Untrusted values only become text or attributes. */
const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};

/** Base path of the server, with a `/` at the end. This script is in `-/`, one level down. */
const base = new URL('..', import.meta.url).pathname;
const isBelow = location.pathname.startsWith(base);
const directory = isBelow ? location.pathname.slice(base.length).split('/', 1)[0] : '';

/** Returns the current page's address in another version. Reads `location` each time, as a site may change it. */
const pageIn = (other) =>
  `${base}-/go/${other}/${location.pathname.slice(base.length + directory.length + 1)}${location.search}${location.hash}`;

const linkTo = (target, ...children) => {
  const link = make('a', { href: pageIn(target) }, ...children);
  link.dataset.target = target;
  return link;
};

const menuOf = ({ name, project, current, latest, versions }) => {
  const list = make('ul', { class: 'versions' });
  for (const version of versions) {
    const kind = version.directory === latest.directory ? 'latest' : version.kind;
    const link = linkTo(
      version.directory,
      make('span', {}, version.version),
      make('span', { class: kind === 'pre-release' ? 'kind pre' : 'kind' }, kind === 'stable' ? '' : kind),
    );
    if (version.directory === current) link.setAttribute('aria-current', 'true');
    list.append(make('li', {}, link));
  }
  return make(
    'nav',
    { class: 'menu', id: 'menu', 'aria-label': 'Versions', hidden: '' },
    make('p', { class: 'title' }, name),
    list,
    make(
      'ul',
      { class: 'more' },
      make('li', {}, make('a', { href: `${base}-/projects/${project}` }, 'All about this project')),
      make('li', {}, make('a', { href: base }, 'All projects')),
    ),
  );
};

/** Runs `work` with localStorage; null if that is blocked. Then a dismissed banner is shown again on the next page. */
const stored = (work) => {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
};

const bannerOf = ({ current, latest, standing, versions }) => {
  const key = `lectern-dismissed:${current}`;
  if (!(standing in SAYS) || stored((storage) => storage.getItem(key)) === latest.directory) return '';
  const own = versions.find((version) => version.directory === current).version;
  const close = make('button', { class: 'close', type: 'button', 'aria-label': 'Dismiss' }, '×');
  const banner = make(
    'div',
    { class: 'banner', role: 'status' },
    make(
      'p',
      {},
      SAYS[standing](own, latest.version),
      make('br'),
      linkTo(latest.alias, `Read this page in ${latest.version}`),
    ),
    close,
  );
  close.addEventListener('click', () => {
    stored((storage) => storage.setItem(key, latest.directory));
    banner.remove();
  });
  return banner;
};

const start = (facts) => {
  const host = make('lectern-switcher');
  // Overrides the site's style sheet, so that the host element takes no space.
  host.style.cssText =
    'all:initial!important;position:absolute!important;width:0!important;height:0!important';
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];

  const own = facts.versions.find((version) => version.directory === facts.current);
  const menu = menuOf(facts);
  const toggle = make(
    'button',
    {
      class: 'toggle',
      type: 'button',
      'aria-label': `Version ${own.version}`,
      'aria-expanded': 'false',
      'aria-controls': 'menu',
    },
    own.version,
  );
  root.append(make('div', { class: 'all' }, bannerOf(facts), menu, toggle));

  const links = () => [...root.querySelectorAll('[data-target]')];
  const follow = () => {
    for (const link of links()) link.href = pageIn(link.dataset.target);
  };
  const open = (isOpen) => {
    menu.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return;
    follow();
    menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  };

  toggle.addEventListener('click', () => open(menu.hidden));
  for (const event of ['pointerover', 'pointerdown', 'focusin']) root.addEventListener(event, follow);
  root.addEventListener('keydown', (event) => {
    const all = [...menu.querySelectorAll('a')];
    const at = all.indexOf(root.activeElement);
    if (event.key === 'Escape' && !menu.hidden) {
      open(false);
      toggle.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (menu.hidden) open(true);
      const next =
        at === -1
          ? all.findIndex((link) => link.hasAttribute('aria-current'))
          : at + (event.key === 'ArrowDown' ? 1 : -1);
      all.at(Math.max(0, next) % all.length).focus();
    } else return;
    event.preventDefault();
    // Keeps the key from the site's own shortcuts.
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!event.composedPath().includes(host)) open(false);
  });
  root.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !root.contains(relatedTarget)) open(false);
  });

  // Outside the body, which a single-page site may replace.
  const attach = () => host.isConnected || document.documentElement.append(host);
  attach();
  new MutationObserver(attach).observe(document.documentElement, { childList: true });
};

// Only in the top window, not in frames.
if (window.top === window && directory !== '') {
  const answer = await fetch(`${base}-/switcher/${directory}.json`);
  if (answer.ok) start(await answer.json());
}
