import { StartError } from '../start-error.js';

/** The public address of the server, as far as it is configured. */
export interface PublicPlace {
  /** Empty, or starts with `/` and does not end with one. */
  readonly basePath: string;
  /** Scheme and host, without a path; undefined when it is taken from each request. */
  readonly origin?: string;
  /** Hosts of projects. */
  readonly hosts?: {
    /** Address of the main host, without a path. */
    readonly main: string;
    /** Domain after the names of projects, in lower case: `docs.example.org`. */
    readonly domain: string;
    /** Whether path addresses of sites redirect to the hosts. */
    readonly isRedirecting: boolean;
  };
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
      `--base-path: '${given}' differs from the path of --public-url, '${inUrl}'; give only one`,
    );
  }
  return { basePath: inUrl || (given ?? ''), origin };
}

/**
 * Adds the hosts of projects, if there are any.
 * @param pattern value of `--project-hosts`
 * @throws StartError when the pattern is invalid, or the public address does not fit it
 */
export function withProjectHosts(
  place: PublicPlace,
  pattern: string | undefined,
  isRedirecting: boolean,
): PublicPlace {
  if (pattern === undefined) {
    if (isRedirecting) throw new StartError('--project-hosts-redirect needs --project-hosts');
    return place;
  }
  const [, domain = ''] = /^\*\.(.+)$/.exec(pattern.toLowerCase()) ?? [];
  if (!isDomain(domain)) {
    throw new StartError(
      `--project-hosts: expected * and a domain, such as *.docs.example.org, not '${pattern}'`,
    );
  }
  const { origin, basePath } = place;
  if (origin === undefined) {
    throw new StartError(
      '--project-hosts needs --public-url, the address of the main host, such as https://docs.example.org',
    );
  }
  if (basePath !== '') {
    throw new StartError(
      `--project-hosts: the main host can't have a path, but --public-url or --base-path sets '${basePath}'`,
    );
  }
  const { hostname } = new URL(origin);
  if (hostname.endsWith(`.${domain}`)) {
    throw new StartError(
      `--project-hosts: '${hostname}' of --public-url matches ${pattern}, so it could be the host of a project`,
    );
  }
  return { ...place, hosts: { main: origin, domain, isRedirecting } };
}

/** At most 189 characters: a label of 63 and a dot come before it, and a name has 253 (RFC 1035 section 2.3.4). */
function isDomain(text: string): boolean {
  const isLabel = (label: string) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label);
  return text.length <= 189 && text.split('.').every(isLabel) && !/(?:^|\.)\d+$/.test(text);
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
    throw new StartError(`${option}: '/${first}' is reserved for Lectern; use another path than '${value}'`);
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
