import { createHash } from 'node:crypto';
import {
  bytesOfEntry,
  bytesOfText,
  decodedComponent,
  HostTable,
  hostLabelOf,
  LruCache,
  shortHash,
  type VisibleCatalogue,
} from '../../../domain/index.js';

/** Own addresses that the hosts of projects have as well, since pages of sites need them. */
const SERVED_ON_HOSTS =
  /^\/-\/(?:(?:assets|go|identity|suggest)\/|search(?:\?|$)|switcher|readthedocs\.js$|projects\/[^/]+\/versions\.json)/;

/** Returns whether an address of the server's own, or the pattern of a route, is on the hosts of projects too. */
export function isServedOnHosts(path: string): boolean {
  return SERVED_ON_HOSTS.test(path);
}

/** Max. bytes of known hashes: some 50,000 names. */
const MAX_BYTES = 10_000_000;

/** Known hashes: a new catalogue has nearly the same names as the one before. */
const known = new LruCache<string>(MAX_BYTES, (hash, key) => bytesOfEntry(key, bytesOfText(hash)));

/** Returns the twelve characters that represent a name in a host. */
export function hostHash(text: string): string {
  return known.get(text) ?? known.set(text, shortHash(createHash('sha256').update(text).digest()));
}

/** Hosts of projects and versions below one domain (`--project-hosts`), and the addresses there. */
export class ProjectHosts {
  private readonly main: URL;
  private readonly suffix: string;

  /**
   * @param mainHost address of the main host, without a path: the hosts have its scheme and port
   * @param domain in lower case: `docs.example.org` for `*.docs.example.org`
   * @param isRedirecting whether the path addresses of sites redirect to the hosts, which then are the canonical ones
   */
  constructor(
    mainHost: string,
    domain: string,
    readonly isRedirecting: boolean,
  ) {
    this.main = new URL(mainHost);
    this.suffix = `.${domain}`;
  }

  /** Sources for a Content-Security-Policy: all hosts. */
  get sources(): string {
    return this.on('*');
  }

  /** Returns the label of a project or version in a `Host` header, in lower case; undefined for other hosts. */
  labelIn(host: string): string | undefined {
    const name = host.replace(/\.?(?::\d*)?$/, '').toLowerCase();
    if (!name.endsWith(this.suffix)) return undefined;
    const label = name.slice(0, -this.suffix.length);
    return label === '' || label.includes('.') ? undefined : label;
  }

  /** Returns the address on a host for the path of a site's page, `/<version_dir>/…`; undefined for other paths. */
  siteAddress(path: string): string | undefined {
    const [, name = '', rest = ''] = /^\/([^/?#]+)(.*)$/s.exec(path) ?? [];
    const label = hostLabelOf(decodedComponent(name), hostHash);
    return label === undefined ? undefined : this.on(label) + (rest.startsWith('/') ? rest : `/${rest}`);
  }

  /** Returns the address to link on pages of the main host. */
  linkOnMain(path: string): string {
    return (this.isRedirecting ? this.siteAddress(path) : undefined) ?? path;
  }

  /** Returns the address to link on the hosts of projects: sites on their hosts, own pages on the main host. */
  linkOnHosts(path: string): string {
    if (isServedOnHosts(path)) return path;
    return this.siteAddress(path) ?? this.main.origin + path;
  }

  private on(label: string): string {
    const { protocol, port } = this.main;
    return `${protocol}//${label}${this.suffix}${port === '' ? '' : `:${port}`}`;
  }
}

const tables = new WeakMap<VisibleCatalogue, HostTable>();

/** The hosts of everything in one catalogue, made once for it: its names are hashed. */
export function hostTableOf(seen: VisibleCatalogue): HostTable {
  let table = tables.get(seen);
  if (table === undefined) {
    table = new HostTable(seen, hostHash);
    tables.set(seen, table);
  }
  return table;
}
