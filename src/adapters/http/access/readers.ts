import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Authenticate, ReaderCredential } from '../../../application/index.js';
import { type AccessPolicy, ANYBODY, NOBODY, type Principal, type Reader } from '../../../domain/index.js';
import { noteActor, noteUnknown } from '../api/actor-of.js';
import type { PublicAddress } from '../public-address.js';
import type { People } from './people.js';

const AUTHORIZATION = /^(Bearer|Basic)(?: +(.*))?$/i;

/** The rules that say who may read, as they are now. */
export interface Access {
  readonly policy: AccessPolicy;
}

/** Whose request it is, or why that cannot be said. */
type Finding = Principal | { readonly kind: 'unknown'; readonly error: unknown };

/** Finds out, once for each request, whose it is, and what they may read. Without rules, everybody may read everything. */
export class Readers {
  private readonly found = new WeakMap<IncomingMessage, Finding>();
  /** Targets of requests as they came in: behind the entrance to hosts they are others. */
  private readonly targets = new WeakMap<IncomingMessage, string>();

  constructor(
    private readonly authenticate: Authenticate,
    /** Undefined: there are no rules. */
    private readonly access?: Access,
    /** Undefined: nobody is known but by a token. */
    readonly people?: People,
  ) {}

  /** Whether it depends on the reader what there is to read. */
  get areDifferent(): boolean {
    return this.access !== undefined;
  }

  /** First handler of all requests: finds out whose a request is before it passes it on. */
  identify(next: RequestListener): RequestListener {
    if (this.access === undefined) return next;
    return (request, response) => {
      this.targets.set(request, request.url ?? '');
      this.found.set(request, this.personOf(request));
      // Headers that contradict each other are refused whatever token comes with them.
      const credential = this.isKnown(request) ? this.credentialIn(request) : undefined;
      if (credential === undefined) {
        next(request, response);
        return;
      }
      const finding = this.authenticate
        .reader(credential)
        .then((actor): Finding => actor ?? NOBODY)
        .catch((error: unknown): Finding => ({ kind: 'unknown', error }));
      void finding.then((each) => {
        this.found.set(request, each);
        next(request, response);
      });
    };
  }

  /** Returns the credential that counts: beside a person, `Authorization` is what the proxy tells about them. */
  credentialIn(request: IncomingMessage): ReaderCredential | undefined {
    const credential = credentialOf(request.headers);
    const isOfProxy = credential?.scheme !== 'token' && this.found.get(request)?.kind === 'person';
    return isOfProxy ? undefined : credential;
  }

  readerOf(request: IncomingMessage): Reader {
    const finding = this.found.get(request);
    if (this.access === undefined) return ANYBODY;
    const { policy } = this.access;
    return finding === undefined || finding.kind === 'unknown' ? policy.ofNobody : policy.readerOf(finding);
  }

  /** Whether everybody gets the same answer about a project. */
  isPublic(project: string): boolean {
    return this.access === undefined || this.access.policy.isPublic(project);
  }

  /** Whether a request says nothing of whose it is. */
  isOfNobody(request: IncomingMessage): boolean {
    return (this.found.get(request)?.kind ?? 'nobody') === 'nobody';
  }

  /** Returns where whoever is nobody yet can sign in and come back; undefined where people are not known. */
  signInFor(ctx: Context, at: PublicAddress): string | undefined {
    if (!this.isOfNobody(ctx.req)) return undefined;
    return this.people?.signInAt(at.asked(ctx) + (this.targets.get(ctx.req) ?? ''));
  }

  /** Whether it could be found out whose a request is: others are refused by `refuseUnknown`. */
  isKnown(request: IncomingMessage): boolean {
    return this.found.get(request)?.kind !== 'unknown';
  }

  /** Refuses requests of which it could not be found out whose they are, such as with a wrong token. Notes tokens for the log. */
  readonly refuseUnknown: Middleware = (ctx, next) => {
    const finding = this.found.get(ctx.req);
    if (finding?.kind === 'unknown') {
      noteUnknown(ctx.state.notes, finding.error);
      throw finding.error;
    }
    if (finding?.kind === 'token' || finding?.kind === 'job') noteActor(ctx.state.notes, finding);
    return next();
  };

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
