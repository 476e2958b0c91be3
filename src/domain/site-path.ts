const MAX_COMPONENT_BYTES = 255;
const MAX_PATH_BYTES = 1024;
const MAX_LEVELS = 64;

/** What nearly every path is like. In twice as many characters as levels, no other rule can be broken. */
const PLAIN = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
const MAX_PLAIN = 2 * MAX_LEVELS;

const utf8 = new TextEncoder();

/**
 * A relative path inside one site: checked once, safe ever after. It has no empty, `.` or `..` component, no
 * separator or control character inside a component, and stays within the limits of contract section 5.
 */
export class SitePath {
  static readonly root = new SitePath('');

  private constructor(private readonly text: string) {}

  /** Why `path` (components joined by `/`) can be no path in a site, or undefined when it can. */
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
      // It could be neither stored nor written in a URL as it is.
      if (/\p{Cs}/u.test(component)) return 'has half a Unicode character in its name';
      if (component.includes('\\')) return "has a '\\' in its name";
      if (isLonger(component, MAX_COMPONENT_BYTES)) {
        return `has a component longer than ${MAX_COMPONENT_BYTES} bytes`;
      }
    }
    return undefined;
  }

  /** The path, or undefined when `problemOf` has something to say. The empty string is the root. */
  static of(path: string): SitePath | undefined {
    if (path === '') return SitePath.root;
    return SitePath.problemOf(path) === undefined ? new SitePath(path) : undefined;
  }

  /** Reads the percent-encoded path of a URL, without its leading and trailing `/`. */
  static fromUrl(encoded: string): SitePath | undefined {
    if (!encoded.includes('%')) return SitePath.of(encoded);
    try {
      // Decoding each component by itself keeps `a%2Fb` from becoming two of them.
      const components = encoded.split('/').map(decodeURIComponent);
      return components.some((component) => component.includes('/'))
        ? undefined
        : SitePath.of(components.join('/'));
    } catch {
      return undefined;
    }
  }

  /** A file beside or below this one. `name` is one of our own constants, or a component already checked. */
  child(name: string): SitePath {
    return new SitePath(this.text === '' ? name : `${this.text}/${name}`);
  }

  /** `guide` -> `guide.html`; undefined for the root. */
  withSuffix(suffix: string): SitePath | undefined {
    return this.text === '' ? undefined : SitePath.of(this.text + suffix);
  }

  /** `guide.html` -> `guide`; the path itself when it ends differently. */
  withoutSuffix(suffix: string): SitePath {
    const last = this.text.slice(this.text.lastIndexOf('/') + 1);
    if (!last.endsWith(suffix) || last === suffix) return this;
    return new SitePath(this.text.slice(0, -suffix.length));
  }

  get components(): readonly string[] {
    return this.text === '' ? [] : this.text.split('/');
  }

  /** Dot-files and dot-directories are never served, except `.well-known/` (contract section 7). */
  get isHidden(): boolean {
    return /(?:^|\/)\.(?!well-known(?:\/|$))/.test(this.text);
  }

  /** The path as it stands in a URL, percent-encoded. */
  toUrl(): string {
    return this.components.map(encodeURIComponent).join('/');
  }

  toString(): string {
    return this.text;
  }
}

/** Whether it takes more bytes than that in UTF-8, where no code unit takes more than three. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && utf8.encode(text).length > bytes;
}
