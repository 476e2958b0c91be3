const MAX_COMPONENT_BYTES = 255;
const MAX_PATH_BYTES = 1024;
const MAX_LEVELS = 64;

/** Fast check that accepts nearly all paths: up to `MAX_PLAIN` characters, these can break no other rule. */
const PLAIN = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
const MAX_PLAIN = 2 * MAX_LEVELS;

const utf8 = new TextEncoder();

/**
 * A checked relative path inside one site. It has no empty, `.` or `..` component, no separator or control
 * character inside a component, and stays within the limits of contract section 5.
 */
export class SitePath {
  static readonly root = new SitePath('');

  private constructor(private readonly text: string) {}

  /** Returns the problem with `path` (components joined by `/`), or undefined when it is valid. */
  static problemOf(path: string): string | undefined {
    if (path.length <= MAX_PLAIN && PLAIN.test(path)) return undefined;
    if (path.startsWith('/')) return 'is an absolute path';
    if (/^[A-Za-z]:/.test(path)) return 'has a drive letter';
    const components = path.split('/');
    if (components.length > MAX_LEVELS) return `has more than ${MAX_LEVELS} levels`;
    if (isLonger(path, MAX_PATH_BYTES)) return `is longer than ${MAX_PATH_BYTES} bytes`;
    for (const component of components) {
      if (component === '') return 'has an empty component in its path';
      if (component === '.' || component === '..') return `has '${component}' in its path`;
      if (/\p{Cc}/u.test(component)) return 'has a control character in its name';
      // A lone surrogate can be neither stored nor written in a URL.
      if (/\p{Cs}/u.test(component)) return 'has an unpaired surrogate in its name';
      if (component.includes('\\')) return "has a '\\' in its name";
      if (isLonger(component, MAX_COMPONENT_BYTES)) {
        return `has a component longer than ${MAX_COMPONENT_BYTES} bytes`;
      }
    }
    return undefined;
  }

  /** Returns the path, or undefined when `problemOf` finds a problem. The empty string is the root. */
  static of(path: string): SitePath | undefined {
    if (path === '') return SitePath.root;
    return SitePath.problemOf(path) === undefined ? new SitePath(path) : undefined;
  }

  /** Reads the percent-encoded path of a URL, without its leading and trailing `/`. */
  static fromUrl(encoded: string): SitePath | undefined {
    if (!encoded.includes('%')) return SitePath.of(encoded);
    try {
      // Components are decoded one by one, so that `a%2Fb` does not become two.
      const components = encoded.split('/').map(decodeURIComponent);
      return components.some((component) => component.includes('/'))
        ? undefined
        : SitePath.of(components.join('/'));
    } catch {
      return undefined;
    }
  }

  /** Returns the path with `name` appended, unchecked: a constant or a component checked before. */
  child(name: string): SitePath {
    return new SitePath(this.text === '' ? name : `${this.text}/${name}`);
  }

  /** Appends a suffix: `guide` -> `guide.html`. Undefined for the root. */
  withSuffix(suffix: string): SitePath | undefined {
    return this.text === '' ? undefined : SitePath.of(this.text + suffix);
  }

  /** Removes a suffix: `guide.html` -> `guide`. Other paths are returned as they are. */
  withoutSuffix(suffix: string): SitePath {
    const last = this.text.slice(this.text.lastIndexOf('/') + 1);
    if (!last.endsWith(suffix) || last === suffix) return this;
    return new SitePath(this.text.slice(0, -suffix.length));
  }

  get components(): readonly string[] {
    return this.text === '' ? [] : this.text.split('/');
  }

  /** True for dot-files and dot-directories except `.well-known/`: they are never served (contract section 7). */
  get isHidden(): boolean {
    return /(?:^|\/)\.(?!well-known(?:\/|$))/.test(this.text);
  }

  /** Returns the path percent-encoded for a URL. */
  toUrl(): string {
    return this.components.map(encodeURIComponent).join('/');
  }

  toString(): string {
    return this.text;
  }
}

/**
 * Returns whether a file is a page by its name: `guide.html`, `GUIDE.HTM`, `guide.xhtml`. Translations as Apache names them,
 * `guide.html.pt-br`, are none: their content type is not that of HTML, so browsers don't show them.
 */
export function isPage(path: string): boolean {
  return /\.x?html?$/i.test(path);
}

/** An ending with a letter: `.png`, not the `.2` of `whatsnew/3.2`. */
const FILE_ENDING = /\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,10}$/i;

/** Whether a missing path is that of a style, an image or another file, and not of a page. */
export function isOfFile(path: string): boolean {
  return !isPage(path) && FILE_ENDING.test(path);
}

/** The file of a site that it shows for a missing page. */
export const MISSING_PAGE = '404.html';

/** Returns whether a file of a site is a page by its name, except for the page of missing files: `404.html`. */
export function isContentPage(path: string): boolean {
  return isPage(path) && path !== MISSING_PAGE;
}

/** Decodes one component of a URL's path. Malformed input is returned as it is: with its `%` it matches no name. */
export function decodedComponent(component: string): string {
  try {
    return decodeURIComponent(component);
  } catch {
    return component;
  }
}

/** Percent-encodes one component of a URL's path. Half of a surrogate pair, which cannot be encoded, becomes U+FFFD. */
export function encodedComponent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\uFFFD'));
}

/**
 * Removes all `/` at the end of the text. No regular expression: `/\/+$/` takes quadratic time on slashes that another
 * character follows, and a URL may have 16,000 of them.
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** Returns whether the text exceeds `maxBytes` in UTF-8, where a code unit takes three bytes at most. */
function isLonger(text: string, maxBytes: number): boolean {
  return text.length * 3 > maxBytes && utf8.encode(text).length > maxBytes;
}
