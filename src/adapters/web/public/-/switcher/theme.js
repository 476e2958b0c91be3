// The colours of the page, light or dark: by what the background of its text shows, not by the system, which the page may ignore.

/** Lightness of a computed colour, from 0 to 1; undefined if it is mostly transparent. */
const lightnessOf = (color) => {
  const [, space = '', text = ''] = /^(?:color\()?([\w-]+)[( ](.*?)\)/.exec(color) ?? [];
  const [a = 0, b = 0, c = 0, alpha = 1] = (text.match(/[-\d.e]+/g) ?? []).map(Number);
  if (alpha < 0.5) return undefined;
  if (space.startsWith('ok')) return a;
  if (space === 'lab' || space === 'lch') return a / 100;
  return (0.2126 * a + 0.7152 * b + 0.0722 * c) / (space.startsWith('rgb') ? 255 : 1);
};

/** Whether an element is behind most of the window, as a column of text or the frame of an application is; code is not. */
const isBehindText = (element) => {
  if (element.closest('pre, table, figure') !== null) return false;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const width = Math.min(right, innerWidth) - Math.max(left, 0);
  const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return width > innerWidth / 2 && height > innerHeight / 2;
};

/** The background of the page's text. `host` has the system colour of the page's canvas as its background. */
const backgroundOf = (host) => {
  const behind = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).filter(isBehindText);
  for (const element of [...behind, document.body, document.documentElement, host]) {
    const color = element && getComputedStyle(element).backgroundColor;
    const lightness = color && lightnessOf(color);
    if (typeof lightness === 'number') return { color, lightness };
  }
  return { color: '', lightness: 1 };
};

/** Lightness of backgrounds on which the switcher's own text can be read: the box then has the page's colour. */
const DARKEST_LIGHT = 0.93;
const LIGHTEST_DARK = 0.13;

/** Gives `box` the class `dark` and the page's own background, as the page has them: whenever its theme may have changed, it looks again. */
export const followTheme = (host, box) => {
  const look = () => {
    const { color, lightness } = backgroundOf(host);
    box.classList.toggle('dark', lightness < 0.5);
    const isReadable = lightness >= DARKEST_LIGHT || lightness <= LIGHTEST_DARK;
    if (isReadable && color.startsWith('rgb(')) box.style.setProperty('--paper', color);
    else box.style.removeProperty('--paper');
  };
  // Toggles change an attribute of the root or the body, or a style sheet in the head.
  const changes = new MutationObserver(look);
  const roots = [document.documentElement, document.body];
  for (const root of roots) if (root) changes.observe(root, { attributes: true });
  if (document.head) changes.observe(document.head, { attributes: true, childList: true, subtree: true });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', look);
  document.addEventListener('transitionend', ({ target }) => roots.includes(target) && look());
  document.addEventListener('load', ({ target }) => target instanceof HTMLLinkElement && look(), true);
  look();
};
