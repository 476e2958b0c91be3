import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  base64url,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { type Certificate, makeCertificate } from './certificate.js';

export type Algorithm = 'RS256' | 'ES256' | 'EdDSA' | 'PS256';

/** A key that the issuer signs with, and publishes. */
export interface IssuerKey {
  readonly alg: Algorithm;
  readonly kid: string;
  readonly secret: CryptoKey;
  readonly published: JWK;
}

export async function makeKey(alg: Algorithm): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  return {
    alg,
    kid,
    secret: privateKey,
    published: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
  };
}

/** An issuer of OpenID Connect tokens on this machine, over HTTPS with a certificate of its own. */
export class TestIssuer {
  /** Paths of all requests, as they came. */
  readonly requests: string[] = [];
  /** Handlers that answer in place of the issuer, keyed by path. */
  readonly instead = new Map<string, (response: ServerResponse, request: IncomingMessage) => void>();
  /** Public keys that it publishes. */
  published: readonly object[];

  private constructor(
    readonly url: string,
    readonly certificate: Certificate,
    readonly key: IssuerKey,
    private readonly server: Server,
  ) {
    this.published = [key.published];
  }

  /**
   * @param directory for the files of the certificate
   * @param path of its address behind the host
   */
  static async start(directory: string, alg: Algorithm = 'ES256', port = 0, path = ''): Promise<TestIssuer> {
    const certificate = await makeCertificate(directory, 'localhost');
    const server = createServer({ cert: certificate.pem, key: await readFile(certificate.key) });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://localhost:${(server.address() as AddressInfo).port}${path}`;
    const issuer = new TestIssuer(url, certificate, await makeKey(alg), server);
    server.on('request', (request, response) => issuer.answer(request, response));
    return issuer;
  }

  /** Claims of a job on GitHub Actions, for a minute. */
  claims(audience: string): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: this.url,
      aud: audience,
      sub: 'repo:acme/widgets:ref:refs/tags/v1.0',
      iat: now,
      nbf: now,
      exp: now + 60,
      repository: 'acme/widgets',
      repository_owner: 'acme',
      repository_owner_id: '1234',
      ref: 'refs/tags/v1.0',
    };
  }

  async sign(claims: JWTPayload, key: IssuerKey = this.key, header: object = {}): Promise<string> {
    const protectedHeader = { alg: key.alg, kid: key.kid, typ: 'JWT', ...header };
    return new SignJWT(claims).setProtectedHeader(protectedHeader).sign(key.secret);
  }

  json(path: string, body: unknown): void {
    this.instead.set(path, (response) => sendJson(response, body));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? '', this.url).pathname;
    this.requests.push(path);
    const instead = this.instead.get(path);
    if (instead !== undefined) instead(response, request);
    else if (path === new URL(this.url + DISCOVERY).pathname)
      sendJson(response, { issuer: this.url, jwks_uri: this.url + KEYS });
    else if (path === new URL(this.url + KEYS).pathname) sendJson(response, { keys: this.published });
    else response.writeHead(404).end();
  }
}

export const DISCOVERY = '/.well-known/openid-configuration';
export const KEYS = '/keys';

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

const encoded = (value: unknown) => base64url.encode(JSON.stringify(value));

/** A token without a signature. */
export function unsigned(claims: JWTPayload, alg = 'none'): string {
  return `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}.`;
}

/** A token signed by HMAC with a text that everybody knows: the public key of the issuer. */
export function signedWithPublicText(claims: JWTPayload, key: IssuerKey, text: string): string {
  const content = `${encoded({ alg: 'HS256', kid: key.kid })}.${encoded(claims)}`;
  return `${content}.${createHmac('sha256', text).update(content).digest('base64url')}`;
}
