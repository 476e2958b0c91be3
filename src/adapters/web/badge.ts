import { isStable, type Version } from '../../domain/index.js';
import { escapedXml } from './escaped-xml.js';

const HEIGHT = 20;
const PADDING = 6;
const COLOURS = { stable: '#1f4f9e', preRelease: '#7a4b00', none: '#566070' } as const;

/** Returns an SVG badge with a version, for READMEs. */
export function badge(version: Version | undefined): string {
  const value = version?.label ?? 'not found';
  const colour =
    version === undefined ? COLOURS.none : isStable(version.label) ? COLOURS.stable : COLOURS.preRelease;
  const label = 'docs';
  const left = widthOf(label) + 2 * PADDING;
  const right = widthOf(value) + 2 * PADDING;
  const text = (words: string, middle: number, width: number) =>
    `<text x="${middle}" y="14" textLength="${width}">${escapedXml(words)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${label}: ${escapedXml(value)}">`,
    `<title>${label}: ${escapedXml(value)}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><path fill="#3b4250" d="M0 0h${left}v${HEIGHT}H0z"/><path fill="${colour}" d="M${left} 0h${right}v${HEIGHT}H${left}z"/></g>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">',
    text(label, left / 2, widthOf(label)),
    text(value, left + right / 2, widthOf(value)),
    '</g></svg>\n',
  ].join('');
}

/** Estimates the width of a text in Verdana at 11 px; `textLength` fits other fonts into it. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/[ijl.,:;'|!]/.test(character)) width += 4;
    else if (/[frtI()-]/.test(character)) width += 5;
    else if (/[mwMW@%]/.test(character)) width += 10;
    else width += 7;
  }
  return width;
}
