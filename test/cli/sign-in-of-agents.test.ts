import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  Client,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { writeTree } from '../client/lectern.js';
import { AuthorizationServer } from '../support/authorization-server.js';
import { fetchBy } from '../support/fetch-within.js';
import { KEYS, TestIssuer } from '../support/issuer.js';
import { run, SpawnedServer } from '../support/spawned-server.js';

const BACK = 'http://localhost:1/callback';
const PUBLIC = 'https://docs.example.org';
const RESOURCE = `${PUBLIC}/-/mcp/private`;

type Started = SpawnedServer & { readonly url: string };

/** A coding agent whose user signs in in a browser, where they are known already. */
class Agents implements OAuthClientProvider {
  readonly redirectUrl = BACK;
  readonly clientMetadata = {
    client_name: 'test',
    redirect_uris: [BACK],
    token_endpoint_auth_method: 'none',
  };
  asked: URL | undefined;
  signedIn: StoredOAuthTokens | undefined;
  private registered: StoredOAuthClientInformation | undefined;
  private discovered: OAuthDiscoveryState | undefined;
  private verifier = '';

  clientInformation = () => this.registered;
  saveClientInformation(information: StoredOAuthClientInformation): void {
    this.registered = information;
  }
  tokens = () => this.signedIn;
  saveTokens(tokens: StoredOAuthTokens): void {
    this.signedIn = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier = () => this.verifier;
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }
  discoveryState = () => this.discovered;
}

describe('Coding agents that sign in', () => {
  let home: string;
  let issuer: TestIssuer;
  let company: AuthorizationServer;
  let servers: readonly Started[] = [];
  let fetchLike: FetchLike;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'lectern-sign-in-'));
    issuer = await TestIssuer.start(home);
    const agent = new Agent({ ca: issuer.certificate.pem });
    // As a proxy with the certificate of the public address passes requests on.
    fetchLike = (asked, init) => {
      const { origin, pathname, search } = new URL(asked);
      return origin === PUBLIC
        ? fetch(servers[0]?.url + pathname + search, init)
        : fetchBy(agent, new URL(asked), init);
    };
    company = new AuthorizationServer(issuer);
    for (const [project, text] of [
      ['handbook', 'Ann may read this.'],
      ['vault', 'Nobody may.'],
    ] as const) {
      await writeTree(join(home, 'docs', `${project}-1.0`), {
        'index.html': `<!doctype html><title>${project}</title><h1>${project}</h1><p>${text}`,
      });
    }
    const access = {
      default: { people: ['ann'] },
      projects: { vault: { people: [] } },
      people_issuers: { company: { issuer: issuer.url, user: 'sub', scopes: ['docs:read'] } },
    };
    await writeFile(join(home, 'access.json'), JSON.stringify(access));
    servers = [await start(), await start()];
  });
  after(async () => {
    for (const server of servers) await server.stop();
    await issuer.close();
    await rm(home, { recursive: true });
  });
  afterEach(() => {
    company.lifetimeS = 60;
  });

  const start = () =>
    SpawnedServer.start(
      ['-d', join(home, 'docs'), '--access', join(home, 'access.json'), '--public-url', PUBLIC],
      { NODE_EXTRA_CA_CERTS: issuer.certificate.file },
    );
  const transportOf = (agent: Agents) =>
    new StreamableHTTPClientTransport(new URL(RESOURCE), {
      authProvider: agent,
      fetch: fetchLike,
    });
  const newClient = () => new Client({ name: 'test', version: '1.0.0' });

  /** Signs in as the official client does, which knows nothing but the address. */
  async function signIn(person: string, agent = new Agents()): Promise<Client> {
    company.person = { sub: person };
    const transport = transportOf(agent);
    await assert.rejects(newClient().connect(transport), UnauthorizedError);
    const consent = await fetchLike(agent.asked ?? assert.fail(), { redirect: 'manual' });
    const back = new URL(consent.headers.get('location') ?? '');
    await transport.finishAuth(back.searchParams);
    const client = newClient();
    await client.connect(transportOf(agent));
    return client;
  }

  async function projectsSeenBy(client: Client): Promise<string> {
    const { content } = await client.callTool({ name: 'find_project', arguments: {} });
    return JSON.stringify(content);
  }

  it("read their user's projects, and find no other project", async () => {
    const agent = new Agents();
    const ann = await signIn('ann', agent);
    assert.match(await projectsSeenBy(ann), /handbook/);
    assert.doesNotMatch(await projectsSeenBy(ann), /vault/);
    const page = await ann.callTool({
      name: 'read_page',
      arguments: { project: 'handbook', path: 'index.html' },
    });
    assert.match(JSON.stringify(page.content), /Ann may read this/);
    await ann.close();
    assert.equal(agent.asked?.searchParams.get('scope'), 'docs:read');
    assert.equal(agent.asked?.searchParams.get('resource'), RESOURCE);
    const bob = await signIn('bob');
    assert.doesNotMatch(await projectsSeenBy(bob), /handbook|vault/);
    await bob.close();
  });

  it('refresh an access token that has expired', async () => {
    const agent = new Agents();
    company.lifetimeS = -120;
    company.person = { sub: 'ann' };
    const transport = transportOf(agent);
    await assert.rejects(newClient().connect(transport), UnauthorizedError);
    const consent = await fetchLike(agent.asked ?? assert.fail(), { redirect: 'manual' });
    await transport.finishAuth(new URL(consent.headers.get('location') ?? '').searchParams);
    const expired = agent.signedIn?.access_token;
    company.lifetimeS = 60;
    const client = newClient();
    await client.connect(transportOf(agent));
    assert.match(await projectsSeenBy(client), /handbook/);
    assert.notEqual(agent.signedIn?.access_token, expired);
    await client.close();
  });

  it('read pages and the API with the same token, on another node as well', async () => {
    const agent = new Agents();
    await (await signIn('ann', agent)).close();
    const headers = { Authorization: `Bearer ${agent.signedIn?.access_token}` };
    for (const { url } of servers) {
      assert.match(await (await fetch(`${url}/handbook-1.0/`, { headers })).text(), /Ann may read this/);
      assert.match(await (await fetch(`${url}/api/projects`, { headers })).text(), /handbook/);
      assert.equal((await fetch(`${url}/vault-1.0/`, { headers })).status, 404);
    }
  });

  it('get 503 while the issuer is unreachable, and public reading continues', async () => {
    const third = await start();
    issuer.instead.set(KEYS, (response) => response.destroy());
    try {
      const headers = { Authorization: `Bearer ${await issuer.sign(issuer.claims(RESOURCE))}` };
      const answer = await fetch(`${third.url}/-/mcp/private`, { method: 'POST', headers });
      assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [503, null]);
      assert.equal((await fetch(`${third.url}/help`)).status, 200);
    } finally {
      issuer.instead.delete(KEYS);
      await third.stop();
    }
  });
});

describe('A server whose issuer of people is also an issuer of jobs', () => {
  it('does not start', async () => {
    const home = await mkdtemp(join(tmpdir(), 'lectern-sign-in-'));
    const issuer = 'https://login.example.org';
    const job = { issuer, audience: 'x', claims: { repository_owner: 'acme' }, projects: ['a'] };
    await writeFile(
      join(home, 'tokens.json'),
      JSON.stringify({ tokens: {}, trusted_issuers: { jobs: job } }),
    );
    await writeFile(
      join(home, 'access.json'),
      JSON.stringify({ default: 'public', people_issuers: { company: { issuer, user: 'sub' } } }),
    );
    const { code, stderr } = await run([
      ...['-d', join(home, 'docs'), '--tokens', join(home, 'tokens.json')],
      ...['--access', join(home, 'access.json'), '--public-url', 'https://docs.example.org', '--port', '0'],
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /people_issuers: expected different issuers than trusted_issuers/);
    await rm(home, { recursive: true });
  });
});
