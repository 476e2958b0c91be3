import { get } from 'node:https';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import { refuse } from '../../domain/index.js';

/** Max. time for both answers of an issuer, in milliseconds. */
const MAX_ASKING_MS = 10_000;
/** Time for which keys are used, in milliseconds: a key that its issuer has withdrawn works no longer than this. */
const MAX_AGE_MS = 60 * 60_000;
/** Min. time between two questions for a key that is not among those known, in milliseconds: anybody can name one. */
const MIN_UNKNOWN_KEY_PAUSE_MS = 60_000;
/** Min. time between two questions while there are no keys, in milliseconds. */
const MIN_NO_KEYS_PAUSE_MS = 5_000;
/** Max. bytes of an answer: keys and their description have some thousands. */
const MAX_BYTES = 1024 ** 2;

export interface IssuerKeysOptions {
  /** Certificates in PEM that are trusted in place of those of Node. */
  readonly ca?: string | undefined;
  /** Called once for each failed question. */
  readonly report?: ((message: string, fields: object) => void) | undefined;
  /** Makes a signal that is aborted after this time. */
  readonly deadline?: ((ms: number) => AbortSignal) | undefined;
  /** Milliseconds since any moment; never goes back. */
  readonly clock?: (() => number) | undefined;
}

/**
 * The keys of one issuer: asked for when they are needed first, after an hour, and when a token names another one. Found by
 * OpenID Connect Discovery 1.0, at the issuer's own https address only.
 */
export class IssuerKeys {
  private known: { readonly keys: LocalJWKSet; readonly at: number } | undefined;
  private asking: Promise<LocalJWKSet> | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown;

  constructor(
    private readonly issuer: string,
    private readonly options: IssuerKeysOptions = {},
  ) {}

  /**
   * The key that has to have signed a token with this header.
   * @throws Refusal `unavailable`; errors of jose when there is no such key
   */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.current();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.ask(keys, MIN_UNKNOWN_KEY_PAUSE_MS);
      return newer(header, token);
    }
  };

  private async current(): Promise<LocalJWKSet> {
    const { known } = this;
    if (known !== undefined && this.now() - known.at < MAX_AGE_MS) return known.keys;
    return this.ask(undefined, MIN_NO_KEYS_PAUSE_MS);
  }

  /**
   * Asks the issuer, or waits for the question that is under way.
   * @param keys those that are known; returned when the last question, which succeeded, is too near
   */
  private async ask(keys: LocalJWKSet | undefined, pauseMs: number): Promise<LocalJWKSet> {
    if (this.asking === undefined && this.now() - this.askedAt < pauseMs) {
      if (this.failure !== undefined) throw refuse.issuerUnavailable({ cause: this.failure });
      if (keys !== undefined) return keys;
    }
    this.asking ??= this.answer().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async answer(): Promise<LocalJWKSet> {
    this.askedAt = this.now();
    try {
      const keys = createLocalJWKSet((await this.keySet()) as JSONWebKeySet);
      this.known = { keys, at: this.askedAt };
      this.failure = undefined;
      return keys;
    } catch (error) {
      this.failure = error;
      const message = 'cannot fetch the keys of an issuer of tokens';
      this.options.report?.(message, { issuer: this.issuer, err: error });
      throw refuse.issuerUnavailable({ cause: error });
    }
  }

  private async keySet(): Promise<unknown> {
    const { ca, deadline: after = AbortSignal.timeout } = this.options;
    const deadline = after(MAX_ASKING_MS);
    const base = this.issuer.replace(/\/$/, '');
    const described = await getJson(`${base}/.well-known/openid-configuration`, deadline, ca);
    const { issuer, jwks_uri: address } = (described ?? {}) as Readonly<Record<string, unknown>>;
    if (issuer !== this.issuer)
      throw new Error(`${this.issuer} has the issuer ${JSON.stringify(issuer)} in its configuration`);
    const isOwn =
      typeof address === 'string' &&
      URL.canParse(address) &&
      new URL(address).origin === new URL(this.issuer).origin;
    if (!isOwn) {
      throw new Error(
        `${this.issuer} does not serve its keys from its own origin: ${JSON.stringify(address)}`,
      );
    }
    return getJson(address, deadline, ca);
  }

  private now(): number {
    return (this.options.clock ?? (() => performance.now()))();
  }
}

/**
 * Reads a JSON document over HTTPS. Follows no redirect.
 * @param url an https address
 * @param ca certificates in PEM that are trusted in place of those of Node
 * @throws Error for another status than 200, an answer that is larger than 1 MiB, or one that is no JSON
 */
async function getJson(url: string, signal: AbortSignal, ca?: string): Promise<unknown> {
  const text = await new Promise<string>((resolve, reject) => {
    const options = { headers: { Accept: 'application/json' }, agent: false, signal, ca };
    get(url, options, (response) => {
      const { statusCode } = response;
      if (statusCode !== 200) {
        response.destroy();
        reject(new Error(`${url} returned ${statusCode}`));
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > MAX_BYTES) response.destroy(new Error(`${url} returned more than ${MAX_BYTES} bytes`));
      });
      response.on('error', reject);
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    }).on('error', reject);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${url} did not return JSON`);
  }
}
