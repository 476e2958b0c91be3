import { escapedXml } from './escaped-xml.js';

/** Max. characters of a short name, by the specification. */
const MAX_SHORT_NAME = 16;

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
