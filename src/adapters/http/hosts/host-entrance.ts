import type { IncomingMessage, RequestListener } from 'node:http';
import { type Reader, readerOnHostOf } from '../../../domain/index.js';
import type { SeenBy } from '../server/seen.js';
import { hostTableOf, type ProjectHosts } from './project-hosts.js';

/** What a request for a host without a site is answered for. No site has this path: they begin with their directory. */
export const NO_SITE = '/';

/**
 * First handler of requests to the hosts of projects: puts the directory of the host's site in front of the path, so that
 * everything behind works as for path addresses. Addresses below `/-/` stay as they are.
 */
export class HostEntrance {
  /** @param trustProxy whether `X-Forwarded-Host` is believed */
  constructor(
    private readonly hosts: ProjectHosts,
    private readonly whoAsks: (request: IncomingMessage) => Reader,
    private readonly seenBy: SeenBy,
    private readonly trustProxy: boolean,
  ) {}

  /** Passes requests for hosts of projects to `onHosts`, others to `main`. */
  between(main: RequestListener, onHosts: RequestListener): RequestListener {
    return (request, response) => {
      const label = this.labelOf(request);
      if (label === undefined) return main(request, response);
      const { url = '' } = request;
      if (!url.startsWith('/-/')) request.url = this.pathFor(request, label, url);
      onHosts(request, response);
    };
  }

  /**
   * Returns the directory of the site at the host of a request; undefined when there is none.
   * @throws Refusal when the store is out of reach
   */
  siteOf(request: IncomingMessage): string | undefined {
    const label = this.labelOf(request);
    return label === undefined ? undefined : this.directoryAt(request, label);
  }

  /**
   * Returns who asks on the host of a request.
   * @throws Refusal when the store is out of reach
   */
  readerOf(request: IncomingMessage): Reader {
    const directory = this.siteOf(request);
    const reader = this.whoAsks(request);
    const version = directory === undefined ? undefined : this.seenBy(reader, new Date()).resolve(directory);
    return readerOnHostOf(version?.project, reader);
  }

  private pathFor(request: IncomingMessage, label: string, url: string): string {
    // A whole address (`GET http://…`) may name another host.
    if (!url.startsWith('/')) return NO_SITE;
    try {
      const directory = this.directoryAt(request, label);
      return directory === undefined ? NO_SITE : `/${directory}${url}`;
    } catch {
      // The handler of this path fails likewise, and reports it.
      return NO_SITE;
    }
  }

  private directoryAt(request: IncomingMessage, label: string): string | undefined {
    return hostTableOf(this.seenBy(this.whoAsks(request), new Date())).directoryAt(label);
  }

  private labelOf({ headers }: IncomingMessage): string | undefined {
    const forwarded = this.trustProxy
      ? String(headers['x-forwarded-host'] ?? '')
          .split(',', 1)[0]
          ?.trim()
      : '';
    return this.hosts.labelIn(forwarded || headers.host || '');
  }
}
