/** Contrast of two colours in sRGB (WCAG 2.2, "contrast ratio"): from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [bright = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

/** Relative luminance of `#rrggbb`, from 0 to 1. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
