/** Accent colours by theme, as `#rrggbb`. */
export interface Accent {
  readonly light: string;
  readonly dark: string;
}

/** Backgrounds of each theme that links stand on; `lectern.css` calls them `--paper` and `--surface`. */
export const BACKGROUNDS: { readonly [Theme in keyof Accent]: readonly string[] } = {
  light: ['#ffffff', '#f6f7f9'],
  dark: ['#14171c', '#1c2027'],
};

/** Min. contrast of text (WCAG 2.2, success criterion 1.4.3). */
const MIN_CONTRAST = 4.5;

/** Returns why an accent cannot be read in a theme; undefined when it can. */
export function contrastFault(theme: keyof Accent, colour: string): string | undefined {
  const lowest = Math.min(...BACKGROUNDS[theme].map((background) => contrastOf(colour, background)));
  return lowest >= MIN_CONTRAST
    ? undefined
    : `${colour} has a contrast of ${(Math.floor(lowest * 10) / 10).toFixed(1)} on the ${theme} background; at least ${MIN_CONTRAST} is needed`;
}

/** The style sheet that gives the server's own pages an accent. */
export function accentStyle({ light, dark }: Accent): string {
  return `:root{${tokensOf(light)}}@media(prefers-color-scheme:dark){:root{${tokensOf(dark)}}}`;
}

/** Contrast of two colours in sRGB (WCAG 2.2, "contrast ratio"): from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [bright = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

function tokensOf(colour: string): string {
  const ink = contrastOf(colour, '#ffffff') >= contrastOf(colour, '#000000') ? '#ffffff' : '#000000';
  const strong = `color-mix(in srgb,${colour} 80%,var(--ink))`;
  return `--link:${colour};--link-strong:${strong};--focus:${colour};--button:${colour};--button-strong:color-mix(in srgb,${colour} 88%,${ink === '#ffffff' ? '#000000' : '#ffffff'});--button-ink:${ink};--letter:${colour};--letter-surface:var(--surface)`;
}

/** Relative luminance of `#rrggbb`, from 0 to 1. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
