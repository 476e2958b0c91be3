import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Authenticate, ReaderCredential } from '../../../application/index.js';
import {
  type AccessPolicy,
  ANYBODY,
  NOBODY,
  type PeopleIssuer,
  type Principal,
  type Reader,
  type VisibleCatalogue,
} from '../../../domain/index.js';
import type { People } from './people.js';

const AUTHORIZATION = /^(Bearer|Basic)(?: +(.*))?$/i;

/** The rules that say who may read, as they are now. */
export interface Access {
  readonly policy: AccessPolicy;
  /** Where people get access tokens. @default none */
  readonly peopleIssuers?: readonly PeopleIssuer[];
}

/**
 * Returns what a reader may see at a moment.
 * @throws Refusal `unavailable` when the store is out of reach
 */
export type SeenBy = (reader: Reader, now: Date) => VisibleCatalogue;

/** Sender of a request, or the error that leaves the sender unknown. */
type Finding = Principal | { readonly kind: 'unknown'; readonly error: unknown };

/** Handles a request of a visitor. */
export type VisitorListener = (request: IncomingMessage, response: ServerResponse, visitor: Visitor) => void;

/** Sender of a request, and what they may see: looked up once, so that one answer has one view. */
export class Visitor {
  private view: VisibleCatalogue | undefined;

  constructor(
    readonly whose: Finding,
    /** The credential that counts: beside a person, `Authorization` is what the proxy tells about them. */
    readonly credential: ReaderCredential | undefined,
    /** Returns the visitor as a reader, by the current rules. */
    readonly reader: () => Reader,
    private readonly seenBy: SeenBy,
    /**
     * Returns the address to sign in and come back to the requested one, base path included. Undefined without a sign-in, and
     * where the sender is known or cannot be determined.
     */
    readonly signIn: (origin: string) => string | undefined,
    /** The same visitor on the main host, where this one is on that of a project. */
    private readonly onMain?: Visitor,
  ) {}

  get main(): Visitor {
    return this.onMain ?? this;
  }

  /** Whether the sender could be determined. */
  get isKnown(): boolean {
    return this.whose.kind !== 'unknown';
  }

  /** Whether the request identifies nobody. */
  get isNobody(): boolean {
    return this.whose.kind === 'nobody';
  }

  /** Whether the request comes from a person, or the holder of a token, by the rules for readers. */
  get isSomebody(): boolean {
    return this.isKnown && !this.isNobody;
  }

  /**
   * Returns what was seen first, or looks now.
   * @throws as `SeenBy`
   */
  seen(now?: Date): VisibleCatalogue {
    this.view ??= this.look(now);
    return this.view;
  }

  /**
   * Looks again, for an answer that took its time or shows what the request has changed.
   * @throws as `SeenBy`
   */
  look(now = new Date()): VisibleCatalogue {
    return this.seenBy(this.reader(), now);
  }

  /** Returns the same visitor on the host of a project, as the reader that they are there. */
  onHost(reader: () => Reader): Visitor {
    return new Visitor(this.whose, this.credential, reader, this.seenBy, this.signIn, this);
  }
}

/** Determines, once for each request, the sender and what they may read. Without rules, everybody may read everything. */
export class Readers {
  constructor(
    private readonly authenticate: Authenticate,
    private readonly seenBy: SeenBy,
    /** Undefined: there are no rules. */
    private readonly access?: Access,
    /** Undefined: nobody is known but by a token. */
    private readonly people?: People,
  ) {}

  /** Names of the headers that it depends on who somebody is. */
  get headers(): readonly string[] {
    return ['X-Token', 'Authorization', ...(this.people?.headers ?? [])];
  }

  /** Whether it depends on the reader what there is to read. */
  get areDifferent(): boolean {
    return this.access !== undefined;
  }

  /** Where people get access tokens. */
  get issuers(): readonly PeopleIssuer[] {
    return this.access?.peopleIssuers ?? [];
  }

  /** First handler of all requests: determines the sender before it passes a request on. */
  identify(next: VisitorListener): RequestListener {
    return (request, response) => {
      const { headers, url = '' } = request;
      const pass = (whose: Finding, credential: ReaderCredential | undefined) =>
        next(request, response, this.visitor(whose, credential, url));
      const person = this.access === undefined ? NOBODY : this.personOf(request);
      const sent = credentialOf(headers);
      const credential = sent?.scheme !== 'token' && person.kind === 'person' ? undefined : sent;
      // Headers that contradict each other are refused whatever token comes with them.
      if (this.access === undefined || credential === undefined || person.kind === 'unknown') {
        pass(person, credential);
        return;
      }
      void this.authenticate
        .reader(credential)
        .then((found): Finding => found ?? NOBODY)
        .catch((error: unknown): Finding => ({ kind: 'unknown', error }))
        .then((whose) => pass(whose, credential));
    };
  }

  /** Separate from `identify`, whose closures would keep the request and its response as long as the visitor. */
  private visitor(whose: Finding, credential: ReaderCredential | undefined, target: string): Visitor {
    const reader = () => this.readerOf(whose);
    const signIn = (origin: string) =>
      whose.kind === 'nobody' ? this.people?.signInAt(origin + target) : undefined;
    return new Visitor(whose, credential, reader, this.seenBy, signIn);
  }

  /** Whether everybody gets the same answer about a project. */
  isPublic(project: string): boolean {
    return this.access === undefined || this.access.policy.isPublic(project);
  }

  private readerOf(whose: Finding): Reader {
    if (this.access === undefined) return ANYBODY;
    const { policy } = this.access;
    return whose.kind === 'unknown' ? policy.ofNobody : policy.readerOf(whose);
  }

  private personOf(request: IncomingMessage): Finding {
    try {
      return this.people?.in(request) ?? NOBODY;
    } catch (error) {
      return { kind: 'unknown', error };
    }
  }
}

/**
 * Returns the credential of a request: `X-Token`, else `Authorization` with `Bearer` (RFC 6750, section 2.1) or with the password of
 * `Basic` (RFC 7617). Other schemes are for proxies. No other place reads these headers.
 */
function credentialOf(headers: IncomingHttpHeaders): ReaderCredential | undefined {
  const token = headers['x-token'];
  if (typeof token === 'string') return { scheme: 'token', secret: asSent(token) };
  const [, scheme = '', value = ''] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  if (scheme === '') return undefined;
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', secret: asSent(value) };
  const login = Buffer.from(value, 'base64').toString('utf8');
  const colon = login.indexOf(':');
  return colon === -1 ? undefined : { scheme: 'password', secret: login.slice(colon + 1) };
}

/** Node decodes headers as Latin-1; clients send non-ASCII secrets as UTF-8, as in the tokens file. */
function asSent(header: string): string {
  return Buffer.from(header, 'latin1').toString('utf8');
}
