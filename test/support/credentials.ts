import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobTokenRegistry } from '../../src/adapters/issuers/job-token-registry.js';
import { JsonTokenRegistry } from '../../src/adapters/json/index.js';
import type { TokenRegistry } from '../../src/application/index.js';
import { TestIssuer } from './issuer.js';
import type { Json, TestServer } from './server.js';

export type Headers = Readonly<Record<string, string>>;

const AUDIENCE = 'https://docs.example.org';
const RIGHTS = { projects: ['vault'], allow_overwrite: true, allow_delete: true, allow_manage: true };

/** The header of a login, as clients make it (RFC 7617). */
export const basic = (user: string, password: string): Headers => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

/** The forms in which a secret may be sent. */
export const FORMS = {
  'X-Token': (secret: string): Headers => ({ 'X-Token': latin1(secret) }),
  Bearer: (secret: string): Headers => ({ Authorization: `Bearer ${latin1(secret)}` }),
  'Basic, password': (secret: string) => basic('anybody', secret),
  'Basic, user name': (secret: string) => basic(secret, ''),
} as const satisfies Readonly<Record<string, (secret: string) => Headers>>;

/** An issuer of jobs' tokens, a registry that trusts it, and secrets of every kind for it. */
export class Credentials {
  private constructor(
    readonly tokens: TokenRegistry,
    private readonly issuer: TestIssuer,
    private readonly directory: string,
  ) {}

  static async start(): Promise<Credentials> {
    const directory = await mkdtemp(join(tmpdir(), 'lectern-credentials-'));
    const issuer = await TestIssuer.start(directory);
    const entry = { issuer: issuer.url, audience: AUDIENCE, claims: { repository_owner_id: '1234' } };
    const file = {
      tokens: {
        admin: { token: 'secret-admin', allow_overwrite: true, allow_delete: true, allow_manage: true },
        owner: { token: 'secret-öwner', ...RIGHTS, allow_tokens: true },
        ended: { token: 'secret-ended', ...RIGHTS, expires: '2020-01-01' },
      },
      trusted_issuers: { releases: { ...entry, ...RIGHTS } },
    };
    const known = JsonTokenRegistry.parse(JSON.stringify(file));
    return new Credentials(new JobTokenRegistry(known, { ca: issuer.certificate.pem }), issuer, directory);
  }

  /** Returns a secret of each kind. @param server one with these tokens, which makes another one */
  async secrets(server: TestServer) {
    const made = await server.fetch('/api/tokens', {
      method: 'POST',
      headers: { ...FORMS['X-Token']('secret-öwner'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'made', ...RIGHTS }),
    });
    const claims = { ...this.issuer.claims(AUDIENCE), exp: Math.floor(Date.now() / 1000) + 3_600 };
    const sign = (more: object) => this.issuer.sign({ ...claims, ...more });
    return {
      'a token of the file': 'secret-öwner',
      'a token that was made': ((await made.json()) as Json).token as string,
      'an expired token': 'secret-ended',
      'an unknown token': 'secret-nobody',
      "a job's token": await sign({}),
      "a job's token that has ended": await sign({ exp: 1_000_000_000 }),
      'a token of another issuer': await sign({ iss: 'https://evil.example' }),
      'an empty text': '',
    };
  }

  async close(): Promise<void> {
    await this.issuer.close();
    await rm(this.directory, { recursive: true });
  }
}

export type Kind = keyof Awaited<ReturnType<Credentials['secrets']>>;

/** The UTF-8 of a text as `fetch` takes it for a header: a character for each byte. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
