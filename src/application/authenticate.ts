import { type Actor, type Person, refuse } from '../domain/index.js';
import type { PeopleTokens } from './ports/people-tokens.js';
import type { ReaderCredential, TokenRegistry } from './ports/token-registry.js';

/** The form of a JSON Web Token (RFC 7515, section 7.1): three parts in base64url, of which the signature may be empty. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Use case: finds out who asks. Changes take fewer kinds of credentials than reading. */
export class Authenticate {
  /** @param people undefined: nobody signs in at an issuer of access tokens */
  constructor(
    private readonly tokens: TokenRegistry,
    private readonly people?: PeopleTokens,
  ) {}

  /** Whether this server has tokens at all. */
  get isPossible(): boolean {
    return this.tokens.isConfigured;
  }

  /**
   * Finds out whose request for an operation it is that needs a token: a secret of this server's own as such, or a job's token.
   * @throws Refusal `authentication_required`, worded for a server without tokens, a missing credential,
   *   an unknown one, or one that has expired; the last has its names in `facts.token` and `facts.maker`, and that of a job
   *   which is not accepted its subject in `facts.job`. `unavailable` when the issuer of a job's token cannot be asked
   */
  async execute(credential: ReaderCredential | undefined, now = new Date()): Promise<Actor> {
    if (!this.tokens.isConfigured) throw refuse.noTokensConfigured();
    if (credential === undefined || credential.scheme === 'password' || credential.secret === '') {
      throw refuse.missingToken();
    }
    const actor = await this.tokens.authenticate(credential, now);
    if (actor === undefined) {
      throw credential.scheme === 'token' ? refuse.unknownToken() : refuse.untrustedIssuer();
    }
    return notExpired(actor, now);
  }

  /**
   * Finds out who reads: a secret of this server's own counts as a bearer token and as a password as well, and so does, as a bearer
   * token, the access token of a person.
   * @returns undefined for a password that is none: it may be meant for a proxy
   * @throws Refusal as `execute` does; `person_not_accepted`
   */
  async reader(credential: ReaderCredential, now = new Date()): Promise<Actor | Person | undefined> {
    const { scheme, secret } = credential;
    if (scheme === 'token' || (scheme === 'bearer' && secret === '')) return this.execute(credential, now);
    const holder =
      secret === '' ? undefined : await this.tokens.authenticate({ scheme: 'token', secret }, now);
    if (holder !== undefined) return notExpired(holder, now);
    if (scheme === 'password') return undefined;
    const isJwt = JWT.test(secret);
    const person = isJwt ? await this.people?.personOf(secret, now) : undefined;
    if (person !== undefined) return person;
    if (this.isPossible && !isJwt) throw refuse.unknownToken();
    return this.execute(credential, now);
  }
}

/** @throws Refusal `authentication_required` */
function notExpired(actor: Actor, now: Date): Actor {
  const refusal = actor.policy.whyNotAtAll(now, actor.maker);
  if (refusal !== undefined) throw refusal;
  return actor;
}
