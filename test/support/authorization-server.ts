import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JWTPayload } from 'jose';
import { DISCOVERY, KEYS, type TestIssuer } from './issuer.js';

/** A client that has asked for a person's consent. */
interface Grant {
  readonly challenge: string;
  readonly resource: string;
  readonly scope: string;
  readonly redirect: string;
}

/**
 * Makes an issuer an authorization server of OAuth 2.1 as MCP clients need one: metadata (RFC 8414), registration of clients (RFC 7591),
 * authorization codes with PKCE (RFC 7636), tokens for a resource (RFC 8707), refresh. Whoever comes consents at once.
 */
export class AuthorizationServer {
  /** Claims of the person who has signed in in the browser. */
  person: JWTPayload = {};
  /** Lifetime of access tokens, in seconds. */
  lifetimeS = 60;
  private readonly grants = new Map<string, Grant>();

  constructor(private readonly issuer: TestIssuer) {
    const { url, instead } = issuer;
    const metadata = {
      issuer: url,
      jwks_uri: url + KEYS,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    };
    issuer.json('/.well-known/oauth-authorization-server', metadata);
    issuer.json(DISCOVERY, metadata);
    instead.set('/register', (response, request) => void this.register(response, request));
    instead.set('/authorize', (response, request) => this.authorize(response, request));
    instead.set('/token', (response, request) => void this.grant(response, request));
  }

  private async register(response: ServerResponse, request: IncomingMessage): Promise<void> {
    const client = JSON.parse(await textOf(request)) as object;
    send(response, 201, { ...client, client_id: randomUUID() });
  }

  private authorize(response: ServerResponse, request: IncomingMessage): void {
    const query = new URL(request.url ?? '', this.issuer.url).searchParams;
    const said = (name: string) => query.get(name) ?? '';
    if (said('code_challenge_method') !== 'S256') {
      send(response, 400, { error: 'invalid_request' });
      return;
    }
    const code = randomUUID();
    const redirect = said('redirect_uri');
    const [challenge, resource, scope] = [said('code_challenge'), said('resource'), said('scope')];
    this.grants.set(code, { challenge, resource, scope, redirect });
    const back = new URL(redirect);
    back.searchParams.set('code', code);
    if (query.has('state')) back.searchParams.set('state', said('state'));
    response.writeHead(302, { Location: back.href }).end();
  }

  private async grant(response: ServerResponse, request: IncomingMessage): Promise<void> {
    const form = new URLSearchParams(await textOf(request));
    const isRefresh = form.get('grant_type') === 'refresh_token';
    const name = form.get(isRefresh ? 'refresh_token' : 'code') ?? '';
    const grant = this.grants.get(name);
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    if (grant === undefined || (!isRefresh && verifier.digest('base64url') !== grant.challenge)) {
      send(response, 400, { error: 'invalid_grant' });
      return;
    }
    this.grants.delete(name);
    const refresh = randomUUID();
    this.grants.set(refresh, grant);
    const now = Math.floor(Date.now() / 1000);
    const access = await this.issuer.sign(
      {
        iss: this.issuer.url,
        aud: grant.resource,
        scope: grant.scope,
        iat: now,
        exp: now + this.lifetimeS,
        ...this.person,
      },
      this.issuer.key,
      { typ: 'at+jwt' },
    );
    const { scope } = grant;
    send(response, 200, { access_token: access, token_type: 'Bearer', scope, refresh_token: refresh });
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
