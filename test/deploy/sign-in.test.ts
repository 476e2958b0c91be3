import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { basic } from '../support/credentials.js';
import { DISCOVERY, KEYS, TestIssuer } from '../support/issuer.js';
import { skipUnless } from '../support/needs.js';
import { ROOT } from '../support/root.js';
import { adapted, type TlsWebServer } from '../support/web-server.js';
import { startApache } from '../support/web-servers.js';
import { type PrivateLectern, publishAll, signInOn, startPrivateLectern } from './private-lectern.js';

const needsModule = skipUnless(
  existsSync('/usr/lib/apache2/modules/mod_auth_openidc.so'),
  'there is no mod_auth_openidc here',
);

const MAIN = 'docs.example.org';

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly body: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** A browser with cookies, for which every host of the documentation is the web server of the test. */
class Browser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly front: TlsWebServer) {}

  async get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { host, pathname, search } = new URL(address, `https://${MAIN}`);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const asked = request({
      host: '127.0.0.1',
      port: this.front.securePort,
      servername: MAIN,
      ca: this.front.certificate,
      path: pathname + search,
      headers: { Host: host, ...(cookie === '' ? {} : { Cookie: cookie }), ...headers },
      agent: false,
    }).end();
    return new Promise((resolve, reject) => {
      asked.on('error', reject).on('response', async (response) => {
        for (const line of response.headers['set-cookie'] ?? []) this.keep(line);
        const { statusCode: status = 0, headers: received } = response;
        resolve({
          status,
          headers: received,
          location: received.location ?? '',
          body: await text(response),
        });
      });
    });
  }

  private keep(line: string): void {
    assert.match(line, /; *HttpOnly/i);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

describe(
  'Signing in through mod_auth_openidc, as configured by deploy/apache/sign-in.conf,',
  needsModule,
  () => {
    let home: string;
    let docs: string;
    let issuer: TestIssuer;
    let lectern: PrivateLectern['server'];
    let front: TlsWebServer;
    /** Claims of the provider about the person who signs in next. */
    let person: object;

    before(async () => {
      home = await mkdtemp(join(tmpdir(), 'lectern-sign-in-'));
      issuer = await TestIssuer.start(home, 'RS256');
      let nonce = '';
      issuer.json(DISCOVERY, {
        issuer: issuer.url,
        jwks_uri: issuer.url + KEYS,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      });
      issuer.instead.set('/authorize', (response, asked) => {
        const query = new URL(asked.url ?? '', issuer.url).searchParams;
        nonce = query.get('nonce') ?? '';
        const back = new URL(query.get('redirect_uri') ?? '');
        back.searchParams.set('code', 'a-code');
        back.searchParams.set('state', query.get('state') ?? '');
        response.writeHead(302, { Location: back.href }).end();
      });
      issuer.instead.set('/token', async (response, asked) => {
        await text(asked);
        const now = Math.floor(Date.now() / 1000);
        const claims = {
          iss: issuer.url,
          aud: 'lectern',
          sub: '1',
          iat: now,
          exp: now + 300,
          nonce,
          ...person,
        };
        const body = { access_token: 'a', token_type: 'Bearer', id_token: await issuer.sign(claims) };
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      });
      ({ docs, server: lectern } = await startPrivateLectern(home, 'apache/sign-in.conf', {
        'https%3A%2F%2Faccounts.example.org': encodeURIComponent(issuer.url),
      }));
      const recipe = await readFile(join(ROOT, 'deploy/apache/sign-in.conf'), 'utf8');
      const signIn = adapted(recipe, {
        'OIDCProviderMetadataURL https://accounts.example.org': `OIDCCABundlePath ${issuer.certificate.file}\nOIDCProviderMetadataURL ${issuer.url}`,
        '/etc/apache2/lectern-passphrase': join(home, 'passphrase'),
      });
      await writeFile(join(home, 'passphrase'), 'a passphrase');
      await writeFile(join(home, 'sign-in.conf'), signIn);
      front = await startApache(
        docs,
        lectern.url,
        {
          '    RewriteEngine On\n    # The rules read': `    Include ${home}/sign-in.conf\n    RewriteEngine On\n    # The rules read`,
        },
        ['authn_core', 'authz_user', 'auth_openidc'],
      );
      await publishAll(lectern.url);
    });
    after(async () => {
      await front?.close();
      await lectern?.stop();
      await issuer?.close();
      await rm(home, { recursive: true, force: true });
    });

    /** Follows redirects: to the provider, to the callback, and back. */
    async function signIn(browser: Browser, at: string): Promise<Answer> {
      const missing = await browser.get(at);
      const begun = await browser.get(signInOn(missing.body).href);
      assert.ok(begun.location.startsWith(`${issuer.url}/authorize?`), `${begun.status} ${begun.body}`);
      const allowed = await new Promise<string>((resolve, reject) => {
        request(begun.location, { ca: issuer.certificate.pem, agent: false }, (response) => {
          response.resume();
          resolve(response.headers.location ?? '');
        })
          .on('error', reject)
          .end();
      });
      const back = await browser.get(allowed);
      assert.equal(back.status, 302, back.body);
      return browser.get(back.location);
    }

    it('is not required for public projects, and offered for missing and private ones alike', async () => {
      const nobody = new Browser(front);
      const open = await nobody.get('https://open.docs.example.org/');
      assert.deepEqual([open.status, open.body], [200, 'open pages']);
      assert.equal((await nobody.get('/')).status, 200);
      const [missing, hidden] = await Promise.all(
        ['absent', 'handbook'].map((name) => nobody.get(`https://${name}.docs.example.org/`)),
      );
      assert.deepEqual([missing?.status, hidden?.status], [404, 404]);
      for (const answer of [missing, hidden]) assert.match(answer?.body ?? '', /Sign in/);
      assert.equal(nobody.cookies.size, 0);
    });

    it("shows the user's projects, at the originally requested address", async () => {
      person = { email: 'ann@example.org' };
      const ann = new Browser(front);
      const shown = await signIn(ann, 'https://handbook.docs.example.org/');
      assert.deepEqual([shown.status, shown.body], [200, 'handbook pages']);
      assert.equal(shown.headers['cache-control'], 'private, no-cache');
      assert.equal((await ann.get('https://payments.docs.example.org/')).status, 200);

      person = { email: 'bob@example.org', groups: ['docs'] };
      const bob = new Browser(front);
      assert.equal((await signIn(bob, 'https://handbook.docs.example.org/')).status, 200);
      assert.equal((await bob.get('https://payments.docs.example.org/')).status, 404);

      person = { email: 'cy@example.org', groups: ['docs', 'payments'] };
      const cy = new Browser(front);
      assert.equal((await signIn(cy, 'https://payments.docs.example.org/')).status, 200);
    });

    it('ignores identity headers of clients and forged cookies', async () => {
      const claimed = { 'X-Auth-Request-Email': 'ann@example.org', 'X-Auth-Request-Groups': 'payments' };
      const nobody = new Browser(front);
      for (const headers of [
        claimed,
        { 'X-Auth-Request-Groups': 'payments' },
        { Cookie: 'mod_auth_openidc_session=x' },
      ]) {
        const answer = await nobody.get('https://payments.docs.example.org/', headers);
        assert.equal(answer.status, 404, JSON.stringify(headers));
      }
      person = { email: 'bob@example.org' };
      const bob = new Browser(front);
      await signIn(bob, 'https://handbook.docs.example.org/');
      assert.equal((await bob.get('https://payments.docs.example.org/', claimed)).status, 404);
    });

    it('leaves requests with a token to Lectern', async () => {
      const program = new Browser(front);
      for (const headers of [
        { 'X-Token': 'secret-reader' },
        { Authorization: 'Bearer secret-reader' },
        basic('sphinx', 'secret-reader'),
      ] as const) {
        const read = await program.get('https://handbook.docs.example.org/', headers);
        assert.deepEqual([read.status, read.body], [200, 'handbook pages'], JSON.stringify(headers));
      }
      // The user name of a login is nobody's name.
      for (const headers of [basic('ann@example.org', 'hunter2'), basic('ann@example.org', '')]) {
        const hidden = await program.get('https://payments.docs.example.org/', headers);
        assert.equal(hidden.status, 404);
      }
      for (const headers of [{ 'X-Token': 'wrong' }, { Authorization: 'Bearer a.b.c' }]) {
        const refused = await program.get('/api/projects', headers as unknown as Record<string, string>);
        assert.equal(refused.status, 401);
        assert.match(refused.body, /authentication_required/);
      }
    });

    it('redirects only to the documentation', async () => {
      const nobody = new Browser(front);
      const page = await nobody.get('https://handbook.docs.example.org/');
      const elsewhere = signInOn(page.body);
      elsewhere.searchParams.set('target_link_uri', 'https://evil.example/');
      const answer = await nobody.get(elsewhere.href);
      assert.ok(!answer.location.startsWith(issuer.url), answer.location);
    });
  },
);
