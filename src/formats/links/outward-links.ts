import {
  decodedComponent,
  encodedComponent,
  isContentPage,
  isPreview,
  parseDirectoryName,
} from '../../domain/index.js';
import { ELSEWHERE, encodedPath, type LinkingPage } from './linking-page.js';

/** Addresses at which readers reach the server. */
export interface ServerAddress {
  /** Empty, or starts with `/` and does not end with one. */
  readonly basePath: string;
  /** Host, with a port, of `--public-url`; undefined where it is not known: then no absolute link leads here. */
  readonly host?: string | undefined;
  /** Domain of the hosts of projects, if they have any. */
  readonly domain?: string | undefined;
}

/** A link that leads to a site of the server, other than by a relative link inside the own one. */
export interface OutwardLink {
  /** Path of the page that has it. */
  readonly page: string;
  /** Link as the page has it. */
  readonly link: string;
  /** Directory name of the version or alias; the first label of the host where `isHost`. */
  readonly name: string;
  readonly isHost: boolean;
  /** Address inside the site, percent-encoded, without a leading `/`, with the fragment. */
  readonly place: string;
}

/** A relative link without `..`, an encoded form of it, or a scheme: most links, which need not be resolved. */
const STAYS_INSIDE = /^(?!.*\.\.)[\w#?][\w.#?/=&,;()+*@$'!~-]*$/;
/** Any host, for links without one. */
const OWN = 'http://server.invalid';
/** A file beside the sites, such as `/robots.txt` and `/a-1.0-docs.zip`. */
const FILE = /\.[a-z]+$/i;

/** Pages of the server's own, which the hosts of projects have as well. */
const OWN_PATH = /^\/(?:-|api)\//;

/** Finds the links of a version that lead to sites of the server. */
export class OutwardLinks {
  private readonly site: string;

  /** @param directoryName of the version whose pages these are */
  constructor(
    directoryName: string,
    private readonly at: ServerAddress,
  ) {
    this.site = `${OWN}${at.basePath}/${encodedComponent(directoryName)}/`;
  }

  /** Yields the links of a page. Never throws. */
  *of({ path, base = '', links }: LinkingPage): Generator<OutwardLink> {
    const own = this.site + encodedPath(path);
    // Readers get the page for missing pages at any address.
    const start = isContentPage(path) ? urlOf(base.trim(), own) : undefined;
    if (start === undefined) return;
    const isInside = start.href.startsWith(this.site);
    for (const link of links) {
      if (isInside && STAYS_INSIDE.test(link)) continue;
      const url = urlOf(link, start.href);
      if (url === undefined) continue;
      const isInward = isInside && !ELSEWHERE.test(link) && url.href.startsWith(this.site);
      const target = isInward ? undefined : this.targetOf(url);
      if (target !== undefined) yield { page: path, link, ...target };
    }
  }

  private targetOf(url: URL): Pick<OutwardLink, 'name' | 'isHost' | 'place'> | undefined {
    const { basePath, host, domain } = this.at;
    if (url.origin === OWN || url.host === host) {
      if (!url.pathname.startsWith(`${basePath}/`)) return undefined;
      const [, first = '', rest] = /^\/([^/]+)(?:\/(.*))?$/s.exec(url.pathname.slice(basePath.length)) ?? [];
      const name = decodedComponent(first);
      if (projectInName(name) === undefined || (rest === undefined && FILE.test(name))) return undefined;
      return { name, isHost: false, place: (rest ?? '') + url.hash };
    }
    if (domain === undefined || !url.hostname.endsWith(`.${domain}`)) return undefined;
    const label = url.hostname.slice(0, -domain.length - 1);
    if (label.includes('.') || OWN_PATH.test(url.pathname)) return undefined;
    return { name: label, isHost: true, place: url.pathname.slice(1) + url.hash };
  }
}

/** Returns the project in the name of a version or alias, whether it exists or not; undefined for any other name. */
export function projectInName(directoryName: string): string | undefined {
  const id = parseDirectoryName(directoryName);
  return id?.project ?? /^(.+)-latest$/.exec(directoryName)?.[1];
}

/**
 * Whether a link to no version may lead to a page of its own site, where that stands at the root of a host: `/getting-started/`, but
 * not `/lib-2.0/`.
 */
export function mayBeOwnPage({ link, name }: Pick<OutwardLink, 'link' | 'name'>): boolean {
  const id = parseDirectoryName(name);
  return /^\/(?!\/)/.test(link) && id !== undefined && !isPreview(id) && !/^v?\d/.test(id.label);
}

function urlOf(link: string, start: string): URL | undefined {
  return URL.canParse(link, start) ? new URL(link, start) : undefined;
}
