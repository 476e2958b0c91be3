import type { IncomingHttpHeaders } from 'node:http';
import { type Reader, readerOnHostOf } from '../../../domain/index.js';
import type { Visitor, VisitorListener } from '../access/readers.js';
import type { Asked } from '../response/answer.js';
import { hostTableOf, type ProjectHosts } from './project-hosts.js';

/** Path for which a request to a host without a site is answered. No site has this path: they begin with their directory. */
export const NO_SITE = '/';

/**
 * First handler of requests to the hosts of projects: puts the directory of the host's site in front of the path, so that
 * everything behind works as for path addresses. Addresses below `/-/` stay as they are.
 */
export class HostEntrance {
  /** @param trustProxy whether `X-Forwarded-Host` is believed */
  constructor(
    private readonly hosts: ProjectHosts,
    private readonly trustProxy: boolean,
  ) {}

  /** Passes requests for hosts of projects to `onHosts`, others to `main`. */
  between(main: VisitorListener, onHosts: VisitorListener): VisitorListener {
    return (request, response, visitor) => {
      const label = this.labelIn(request.headers);
      if (label === undefined) return main(request, response, visitor);
      const { url = '' } = request;
      if (!url.startsWith('/-/')) request.url = pathFor(visitor, label, url);
      const there = visitor.onHost(() => readerAt(visitor, label));
      onHosts(request, response, there);
    };
  }

  /**
   * Returns the directory of the site at the host that is asked; undefined when there is none.
   * @throws Refusal when the store is out of reach
   */
  siteOf({ headers, visitor }: Asked): string | undefined {
    const label = this.labelIn(headers);
    return label === undefined ? undefined : directoryAt(visitor.main, label);
  }

  private labelIn(headers: IncomingHttpHeaders): string | undefined {
    const forwarded = this.trustProxy
      ? String(headers['x-forwarded-host'] ?? '')
          .split(',', 1)[0]
          ?.trim()
      : '';
    return this.hosts.labelIn(forwarded || headers.host || '');
  }
}

/**
 * Returns who a visitor is on the host of a project.
 * @throws Refusal when the store is out of reach
 */
function readerAt(visitor: Visitor, label: string): Reader {
  const directory = directoryAt(visitor, label);
  const version = directory === undefined ? undefined : visitor.look().resolve(directory);
  return readerOnHostOf(version?.project, visitor.reader());
}

function pathFor(visitor: Visitor, label: string, url: string): string {
  // A whole address (`GET http://…`) may name another host.
  if (!url.startsWith('/')) return NO_SITE;
  try {
    const directory = directoryAt(visitor, label);
    return directory === undefined ? NO_SITE : `/${directory}${url}`;
  } catch {
    // The handler of this path fails likewise, and reports it.
    return NO_SITE;
  }
}

function directoryAt(visitor: Visitor, label: string): string | undefined {
  return hostTableOf(visitor.look()).directoryAt(label);
}
