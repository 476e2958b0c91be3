import { StartError } from '../start-error.js';

/** The public address of the server, as far as it is configured. */
export interface PublicPlace {
  /** Empty, or starts with `/` and does not end with one. */
  readonly basePath: string;
  /** Scheme and host, without a path; undefined when it is taken from each request. */
  readonly origin?: string;
}

/** Lectern's own first path components. As base paths they are ambiguous, since a proxy may strip the base path. */
const OWN_NAMES = ['api', '-', 'help'];

/**
 * Combines `--base-path` and `--public-url`.
 * @throws StartError with the option and the expected form, or when the two contradict
 */
export function readPublicPlace(basePath: string | undefined, publicUrl: string | undefined): PublicPlace {
  const given = basePath === undefined ? undefined : assertPath('--base-path', basePath);
  if (publicUrl === undefined) return { basePath: given ?? '' };
  const { origin, path } = parseUrl(publicUrl);
  const inUrl = assertPath('--public-url', path);
  if (given !== undefined && inUrl !== '' && inUrl !== given) {
    throw new StartError(
      `--base-path: '${given}' is not the path of --public-url, '${inUrl}'; give one of them`,
    );
  }
  return { basePath: inUrl || (given ?? ''), origin };
}

function assertPath(option: string, value: string): string {
  const path = value.replace(/\/$/, '');
  const components = path.split('/').slice(1);
  if (path !== '' && (!path.startsWith('/') || !components.every(isPlain))) {
    throw new StartError(
      `${option}: expected a path such as /docs, of letters, digits and any of ._~-, not '${value}'`,
    );
  }
  const [first = ''] = components;
  if (OWN_NAMES.includes(first)) {
    throw new StartError(
      `${option}: '/${first}' is an address of Lectern's own; take another path than '${value}'`,
    );
  }
  return path;
}

function isPlain(component: string): boolean {
  return /^[\w.~-]+$/.test(component) && !/^\.\.?$/.test(component);
}

function parseUrl(value: string): { readonly origin: string; readonly path: string } {
  const [, origin, path = ''] = /^(https?:\/\/[^/?#@\s\\]+)(\/[^?#]*)?$/i.exec(value) ?? [];
  if (origin === undefined || !URL.canParse(value)) {
    throw new StartError(
      `--public-url: expected an address such as https://docs.example.org/docs, without query or user, not '${value}'`,
    );
  }
  // The path is not normalized, so that `assertPath` refuses an odd one.
  return { origin: new URL(origin).origin, path };
}
