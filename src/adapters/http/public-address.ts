import type { RequestListener } from 'node:http';
import type { HostOfSites, SiteRoot } from '../../application/index.js';
import type { ProjectHosts } from './hosts/project-hosts.js';
import type { Asked } from './response/answer.js';

/** Path of the Model Context Protocol for those who sign in. */
export const PRIVATE_MCP_PATH = '/-/mcp/private';
/** Beginning of the paths of metadata, at the root of the host; the path of the resource follows (RFC 9728, section 3.1). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address is one of the machine that asks. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}

/** Scheme and host, with a port, of the address that was asked. */
type AskedHost = Pick<Asked, 'protocol' | 'host'>;

/**
 * Public address of the server: optional origin and base path. Adds the base path to links, redirects and addresses,
 * and removes it from request paths.
 */
export class PublicAddress implements HostOfSites {
  readonly isOnHost: boolean = false;

  /**
   * @param basePath starts with `/` and does not end with one; empty for the root
   * @param origin scheme and host, without a path; by default the requested ones
   * @param hosts hosts of projects, if they have any
   */
  constructor(
    readonly basePath = '',
    private readonly origin?: string,
    readonly hosts?: ProjectHosts,
  ) {}

  get hasHosts(): boolean {
    return this.hosts !== undefined;
  }

  get isRedirecting(): boolean {
    return this.hosts?.isRedirecting === true;
  }

  /** The address of a page below the root of a site. */
  toSite({ path, onHost }: SiteRoot): string {
    return (onHost ? this.hosts?.siteAddress(path) : undefined) ?? this.to(path);
  }

  /** @param path starts with `/`, without the base path */
  to(path: string): string {
    return this.basePath + path;
  }

  /** Server URL for the API description: absolute where the origin is known, else a path. */
  get server(): string {
    return `${this.origin ?? ''}${this.basePath}` || '/';
  }

  /**
   * Absolute address without a trailing `/`, for examples on pages; never for a redirect. Without a fixed origin the
   * host comes from the request's `Host` header, or a trusted proxy's `X-Forwarded-Host`.
   */
  of(asked: AskedHost): string {
    return (this.origin ?? originOf(asked)) + this.basePath;
  }

  /** Like `of`, for the host that was asked. */
  asked(asked: AskedHost): string {
    return this.of(asked);
  }

  /** Absolute address if the origin is fixed; undefined if it comes from each request. */
  get fixed(): string | undefined {
    return this.origin === undefined ? undefined : this.origin + this.basePath;
  }

  /** Name of `/-/mcp/private` for issuers of access tokens (RFC 8707); undefined where tokens could be read on the way. */
  get resource(): string | undefined {
    const { fixed } = this;
    if (fixed === undefined) return undefined;
    const url = new URL(fixed);
    return url.protocol === 'https:' || isLoopback(url) ? fixed + PRIVATE_MCP_PATH : undefined;
  }

  /** Absolute address of a page below the root of a site, the same on all hosts; undefined if the origin is not fixed. */
  canonical({ path, onHost }: SiteRoot): string | undefined {
    if (this.fixed === undefined) return undefined;
    return (onHost ? this.hosts?.siteAddress(path) : undefined) ?? this.fixed + path;
  }

  /**
   * Address in a version, the same on all hosts: absolute where the origin is known.
   * @param path in the site, percent-encoded, without a leading `/`
   */
  inVersion(directoryName: string, path: string): string {
    const rooted = `/${directoryName}/${path}`;
    return this.canonical({ path: rooted, onHost: this.isRedirecting }) ?? this.to(rooted);
  }

  /** How sites are found for addresses that are the same on all hosts. */
  get everywhere(): HostOfSites {
    const { basePath, hasHosts, isRedirecting } = this;
    return { basePath, hasHosts, isRedirecting, isOnHost: false };
  }

  /** Removes the base path from a path, if it is there: a proxy may have removed it. */
  within(target: string): string {
    return this.isBelow(target) ? target.slice(this.basePath.length) : target;
  }

  /** Removes the base path from request targets before any other handler. */
  entering(handle: RequestListener): RequestListener {
    if (this.basePath === '') return handle;
    return (request, response) => {
      const { url = '' } = request;
      if (this.isBelow(url)) request.url = url.slice(this.basePath.length);
      else if (url === this.basePath) request.url = '/';
      else if (url.startsWith(`${this.basePath}?`)) request.url = `/${url.slice(this.basePath.length)}`;
      else if (url.startsWith(METADATA_PATH)) {
        const resource = url.slice(METADATA_PATH.length);
        if (this.isBelow(resource)) request.url = METADATA_PATH + resource.slice(this.basePath.length);
      }
      handle(request, response);
    };
  }

  private isBelow(target: string): boolean {
    return target.startsWith(this.basePath) && target[this.basePath.length] === '/';
  }
}

/** Addresses in responses on the hosts of projects: relative for what these hosts have themselves, else absolute. */
export class AddressOnHosts extends PublicAddress {
  override readonly isOnHost = true;

  constructor(
    main: PublicAddress,
    private readonly onHosts: ProjectHosts,
  ) {
    super('', main.fixed, onHosts);
  }

  override to(path: string): string {
    return this.onHosts.linkOnHosts(path);
  }

  override asked({ host }: AskedHost): string {
    return `${this.server.slice(0, this.server.indexOf(':'))}://${host}`;
  }
}

function originOf({ protocol, host }: AskedHost): string {
  return /^[A-Za-z0-9.:[\]_-]+$/.test(host) ? `${protocol}://${host}` : 'http://localhost:8080';
}
