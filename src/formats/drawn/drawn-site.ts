/**
 * A site whose pages a script draws in the browser, from files with their content. All paths are of files of the site.
 */
export type DrawnSite =
  /** Storybook from version 7 on: `index.json` names all stories. */
  | { readonly kind: 'storybook'; readonly data: string }
  /** docsify: each Markdown file is a page. */
  | {
      readonly kind: 'docsify';
      /** Directory of the Markdown files, with `/` at its end; empty for the root. */
      readonly directory: string;
      /** File that is shown first. */
      readonly homepage: string;
    }
  /** Redoc, Swagger UI or Scalar. */
  | {
      readonly kind: 'openapi';
      readonly viewer: Viewer;
      /** OpenAPI description; the front page where it is in a script there. Undefined: `script` may name it. */
      readonly data?: string;
      /** Script that has the configuration of the viewer. */
      readonly script?: string;
    };

export type Viewer = 'redoc' | 'swagger-ui' | 'scalar';

/** Characters of a front page, or of a script, that are looked at. */
const MAX_CHARACTERS = 300_000;
const FRONT_PAGE = 'index.html';
const INITIALIZER = 'swagger-initializer.js';

/** Patterns of the description's address in HTML or in a script, by viewer. */
const DESCRIPTIONS: Readonly<Record<Viewer, readonly RegExp[]>> = {
  redoc: [
    /\bspec-url\s{0,9}=\s{0,9}["']([^"']{1,500})["']/i,
    /\bRedoc\.init\(\s{0,99}["'`]([^"'`]{1,500})["'`]/,
  ],
  'swagger-ui': [/["']?\burl["']?\s{0,9}:\s{0,9}["'`]([^"'`]{1,500})["'`]/],
  scalar: [
    /\bdata-url\s{0,9}=\s{0,9}["']([^"']{1,500})["']/i,
    /\bcreateApiReference\([^)]{0,2000}?["']?\burl["']?\s{0,9}:\s{0,9}["'`]([^"'`]{1,500})["'`]/,
  ],
};
/** A page of `redocly build-docs` with Redoc 3: the description is at its end. */
const WITH_DESCRIPTION = /<link\b[^>]{0,99}\bmodulepreload\b[^>]{1,300}\/redoc\.standalone\.js/;
const VIEWERS: readonly (readonly [Viewer, RegExp])[] = [
  ['redoc', /<redoc[\s>]|\bRedoc\.init\(/i],
  ['scalar', /\bid\s{0,9}=\s{0,9}["']api-reference["']|\bScalar\.createApiReference\(/],
  ['swagger-ui', /\bSwaggerUIBundle\b|\bswagger-ui-bundle(?:\.min)?\.js\b/],
];

/**
 * Tells by its front page whether a site is drawn from files that can be read; undefined if not. It looks at no other file, and takes
 * no more than some milliseconds.
 * @param html of `index.html` at the root
 * @param hasFile whether the site has a file at this path
 */
export function drawnSiteOf(html: string, hasFile: (path: string) => boolean): DrawnSite | undefined {
  const text = html.slice(0, MAX_CHARACTERS);
  if (/\bsb-(?:manager|addons)\//.test(text) && hasFile('index.json') && hasFile('iframe.html')) {
    return { kind: 'storybook', data: 'index.json' };
  }
  return docsifyIn(text, hasFile) ?? openApiIn(text, hasFile);
}

/** The site with the description that its script names, which is loaded by its front page. */
export function withScript(site: DrawnSite, script: string, hasFile: (path: string) => boolean): DrawnSite {
  if (site.kind !== 'openapi') return site;
  const data = descriptionIn(script.slice(0, MAX_CHARACTERS), site.viewer, hasFile);
  return data === undefined ? site : { ...site, data };
}

/** Files that draw the pages, and have no text of their own. */
export function shellsOf(site: DrawnSite): readonly string[] {
  switch (site.kind) {
    case 'storybook':
      return [FRONT_PAGE, 'iframe.html'];
    case 'docsify':
      return [FRONT_PAGE];
    case 'openapi':
      // A page without the description in it may have more content than the viewer.
      return site.data === FRONT_PAGE ? [FRONT_PAGE] : [];
  }
}

function docsifyIn(html: string, hasFile: (path: string) => boolean): DrawnSite | undefined {
  if (!/\$docsify\b|<script[^>]{1,500}\bdocsify[^>]{0,200}>/i.test(html)) return undefined;
  // Addresses of the history mode are those of pages that the server would have to know.
  if (/\brouterMode["']?\s{0,9}:\s{0,9}["'`]history/.test(html)) return undefined;
  const base = settingIn(html, 'basePath') ?? '';
  const homepage = settingIn(html, 'homepage') ?? 'README.md';
  const directory = base === '' || base === './' ? '' : pathIn(base.replace(/\/?$/, '/x'))?.slice(0, -1);
  const home = pathIn(homepage);
  if (directory === undefined || home === undefined || settingIn(html, 'ext') !== undefined) return undefined;
  return hasFile(directory + home) ? { kind: 'docsify', directory, homepage: directory + home } : undefined;
}

function openApiIn(html: string, hasFile: (path: string) => boolean): DrawnSite | undefined {
  if (WITH_DESCRIPTION.test(html)) return { kind: 'openapi', viewer: 'redoc', data: FRONT_PAGE };
  const viewer = VIEWERS.find(([, sign]) => sign.test(html))?.[0];
  if (viewer === undefined) return undefined;
  const data = descriptionIn(html, viewer, hasFile);
  if (data !== undefined) return { kind: 'openapi', viewer, data };
  return viewer === 'swagger-ui' && html.includes(INITIALIZER) && hasFile(INITIALIZER)
    ? { kind: 'openapi', viewer, script: INITIALIZER }
    : undefined;
}

function descriptionIn(text: string, viewer: Viewer, hasFile: (path: string) => boolean): string | undefined {
  for (const pattern of DESCRIPTIONS[viewer]) {
    const path = pathIn(pattern.exec(text)?.[1]);
    if (path !== undefined && hasFile(path)) return path;
  }
  return undefined;
}

function settingIn(html: string, name: string): string | undefined {
  return new RegExp(`\\b${name}["']?\\s{0,9}:\\s{0,9}["'\`]([^"'\`]{0,500})["'\`]`).exec(html)?.[1];
}

/** The path of a file that is named relative to the root of the site; undefined for one that may be elsewhere. */
function pathIn(address: string | undefined): string | undefined {
  const path = address?.replace(/^\.\//, '').replace(/[?#].*$/s, '');
  if (!path || /^\/|^[a-z][a-z\d+.-]*:|\\/i.test(path) || /(^|\/)\.\.?(\/|$)/.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
