import type { IncomingMessage } from 'node:http';
import type { Person } from '../../../domain/index.js';
import type { TrustedProxies } from '../../../node/trusted-proxies.js';
import { HttpFault } from '../errors.js';
import type { Logger } from '../server/request-log.js';

/** Headers in which a proxy in front names who has signed in there. */
export interface PeopleOptions {
  /** Name of the header with the person's name, in lower case. */
  readonly userHeader: string;
  /** Name of the header with the groups of the person, with commas between them, in lower case. */
  readonly groupsHeader?: string | undefined;
  readonly proxies: TrustedProxies;
  /** Address where people sign in; `{url}` in it is replaced by the address to come back to. */
  readonly signInUrl?: string | undefined;
}

/** People who have signed in at a proxy in front. */
export class People {
  private hasWarned = false;

  constructor(
    private readonly options: PeopleOptions,
    private readonly logger: Logger,
  ) {}

  /** Names of the headers that it depends on who somebody is. */
  get headers(): readonly string[] {
    const { userHeader, groupsHeader } = this.options;
    return groupsHeader === undefined ? [userHeader] : [userHeader, groupsHeader];
  }

  /** Returns the address at which to sign in, and to come back from to `address`; undefined where none is known. */
  signInAt(address: string): string | undefined {
    return this.options.signInUrl?.replaceAll('{url}', encodeURIComponent(address));
  }

  /**
   * Returns the person whom a trusted proxy names in a request; undefined for nobody. Headers from other senders are dropped.
   * @throws HttpFault `invalid_request` for a header that is there twice
   */
  in(request: IncomingMessage): Person | undefined {
    const { headers, socket } = request;
    const { userHeader, groupsHeader, proxies } = this.options;
    if (this.headers.every((name) => headers[name] === undefined)) return undefined;
    if (!proxies.have(socket)) {
      this.warn(socket.remoteAddress);
      return undefined;
    }
    // Somebody who gets one through the proxy beside its own must not choose which one counts.
    const sent = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    for (const name of this.headers) {
      if (sent.indexOf(name) !== sent.lastIndexOf(name)) {
        throw new HttpFault('invalid_request', `The header ${name} was sent more than once`);
      }
    }
    const name = textOf(headers[userHeader]);
    if (name === '') return undefined;
    const groups = groupsHeader === undefined ? [] : textOf(headers[groupsHeader]).split(',');
    return { kind: 'person', name, groups: groups.map((each) => each.trim()).filter((each) => each !== '') };
  }

  /** Warns once: anybody can send such headers. */
  private warn(address: string | undefined): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(
      { address, headers: this.headers },
      'dropped identity headers from an address outside --trusted-proxies; this is logged once',
    );
  }
}

/** Node decodes headers as Latin-1; proxies send UTF-8. */
function textOf(header: string | readonly string[] | undefined): string {
  return Buffer.from(String(header ?? ''), 'latin1')
    .toString('utf8')
    .trim();
}
