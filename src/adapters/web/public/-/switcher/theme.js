// Light or dark, as the page is: by what its background shows, not by the system, which the page may ignore.

/** Lightness of a computed colour, from 0 to 1; undefined if it is mostly transparent. */
const lightnessOf = (color) => {
  const [, space = '', text = ''] = /^(?:color\()?([\w-]+)[( ](.*?)\)/.exec(color) ?? [];
  const [a = 0, b = 0, c = 0, alpha = 1] = (text.match(/[-\d.e]+/g) ?? []).map(Number);
  if (alpha < 0.5) return undefined;
  if (space.startsWith('ok')) return a;
  if (space === 'lab' || space === 'lch') return a / 100;
  return (0.2126 * a + 0.7152 * b + 0.0722 * c) / (space.startsWith('rgb') ? 255 : 1);
};

/** Whether an element is behind the whole window, as the frame of an application is. */
const fillsWindow = (element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return left < 1 && top < 1 && right > innerWidth - 1 && bottom > innerHeight - 1;
};

/** Whether the page is dark. `host` has the system colour of the page's canvas as its background. */
const isDark = (host) => {
  const frames = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).filter(fillsWindow);
  for (const element of [...frames, document.body, document.documentElement, host]) {
    const lightness = element && lightnessOf(getComputedStyle(element).backgroundColor);
    if (lightness !== undefined && lightness !== null) return lightness < 0.5;
  }
  return false;
};

/** Marks `box` with the class `dark` while the page is dark: whenever its theme may have changed, it looks again. */
export const followTheme = (host, box) => {
  const look = () => box.classList.toggle('dark', isDark(host));
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
