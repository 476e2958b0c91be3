import type { FeedModel, RecentChange } from '../../application/index.js';
import { isStable, titleFor, type Version } from '../../domain/index.js';

/** Sizes of a badge, in pixels. */
const HEIGHT = 20;
const PADDING = 6;
const COLOURS = { stable: '#1f4f9e', preRelease: '#7a4b00', none: '#566070' } as const;

/** Max. characters of a short name, by the specification. */
const MAX_SHORT_NAME = 16;

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

/**
 * The OpenSearch description (1.1) of the search of pages: with it, a browser searches here from its address bar.
 * @param name of the server
 * @param addresses the absolute addresses of the search page and of the icon
 */
export function openSearchDescription(
  name: string,
  { search, icon }: { readonly search: string; readonly icon: string },
): string {
  const shortName = Array.from(name).slice(0, MAX_SHORT_NAME).join('').trim();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    `  <ShortName>${escapedXml(shortName)}</ShortName>`,
    `  <Description>${escapedXml(`The pages of ${name}`)}</Description>`,
    '  <InputEncoding>UTF-8</InputEncoding>',
    `  <Image width="16" height="16">${escapedXml(icon)}</Image>`,
    `  <Url type="text/html" template="${escapedXml(search)}?q={searchTerms}"/>`,
    '</OpenSearchDescription>\n',
  ].join('\n');
}

/** Returns a feed by RFC 4287. @param name of the server, the author */
export function atomFeed(name: string, { self, page, project, entries }: FeedModel): string {
  const title = project === undefined ? name : `${project.title} · ${name}`;
  // Without entries, nothing has ever changed that the reader may know of.
  const updated = entries[0]?.change.time ?? new Date(0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escapedXml(self)}</id>`,
    `<title>${escapedXml(title)}</title>`,
    `<updated>${updated.toISOString()}</updated>`,
    `<author><name>${escapedXml(name)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapedXml(self)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapedXml(page)}"/>`,
    ...entries.map(({ id, link, change }) =>
      [
        '<entry>',
        `<id>${escapedXml(id)}</id>`,
        `<title>${escapedXml(sentenceOf(change))}</title>`,
        `<updated>${change.time.toISOString()}</updated>`,
        ...(change.kind === 'removed' ? [] : [`<published>${change.time.toISOString()}</published>`]),
        `<category term="${change.kind}"/>`,
        `<link rel="alternate" type="text/html" href="${escapedXml(link)}"/>`,
        `<summary>${escapedXml(change.project?.summary || sentenceOf(change))}</summary>`,
        '</entry>',
      ].join(''),
    ),
    '</feed>\n',
  ].join('\n');
}

function sentenceOf({ kind, version, project }: RecentChange): string {
  const title = project?.title ?? titleFor(version.project, undefined);
  return `${title} ${version.label} was ${kind}`;
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

/** Characters that XML 1.0 cannot have (section 2.2), lone surrogates among them. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes a text for XML, in an element or in an attribute with double quotes. */
function escapedXml(text: string): string {
  return text
    .replace(NO_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
