// The colours of the page, not of the system, which the page may ignore.

/** Lightness of a computed colour, from 0 to 1; undefined if it is mostly transparent. */
const lightnessOf = (color) => {
  const [, space = '', text = ''] = /^(?:color\()?([\w-]+)[( ](.*?)\)/.exec(color) ?? [];
  const [a = 0, b = 0, c = 0, alpha = 1] = (text.match(/[-\d.e]+/g) ?? []).map(Number);
  if (alpha < 0.5) return undefined;
  if (space.startsWith('ok')) return a;
  if (space === 'lab' || space === 'lch') return a / 100;
  return (0.2126 * a + 0.7152 * b + 0.0722 * c) / (space.startsWith('rgb') ? 255 : 1);
};

/** Whether an element is behind most of the window. */
const isBehindText = (element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const width = Math.min(right, innerWidth) - Math.max(left, 0);
  const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return !element.closest('pre') && width > innerWidth / 2 && height > innerHeight / 2;
};

/** The background of the page's text. `host` has the system colour of the page's canvas as its background. */
const backgroundOf = (host) => {
  const behind = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).filter(isBehindText);
  for (const element of [...behind, document.body, document.documentElement, host]) {
    const color = element && getComputedStyle(element).backgroundColor;
    const lightness = color ? lightnessOf(color) : undefined;
    if (lightness !== undefined) return [color, lightness];
  }
  return ['', 1];
};

/** Gives `box` the page's theme and background, also when they change. */
export const followTheme = (host, box) => {
  const look = () => {
    const [color, lightness] = backgroundOf(host);
    box.classList.toggle('dark', lightness < 0.5);
    // On others its text could not be read.
    const isPaper = /^rgb\(/.test(color) && (lightness > 0.93 || lightness < 0.13);
    box.style.setProperty('--paper', isPaper ? color : '');
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
