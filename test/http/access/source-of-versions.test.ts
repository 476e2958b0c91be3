import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { JobTokenRegistry } from '../../../src/adapters/issuers/job-token-registry.js';
import { JsonTokenRegistry } from '../../../src/adapters/json/index.js';
import type { TokenRegistry } from '../../../src/application/index.js';
import { ask } from '../../support/ask-host.js';
import type { Headers } from '../../support/credentials.js';
import { everyRoute, HOSTS_DOMAIN, publishSample, requestTo } from '../../support/every-route.js';
import { TestIssuer } from '../../support/issuer.js';
import { mcpClient } from '../../support/mcp-client.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { MemoryUsageStore } from '../../support/memory-usage-store.js';
import { skipUnless, succeeds } from '../../support/needs.js';
import { ChangingAccess, RULES, withPrivate } from '../../support/private-projects.js';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { zipOf } from '../../support/zip-writer.js';

const AUDIENCE = 'https://docs.example.org';
const NEEDS = skipUnless(await succeeds('openssl', 'version'), 'openssl is not installed');

const ALL = ['open', 'shut', 'opened', 'told', 'toldopen', 'vault'];
/** Projects, each with a commit of its own; `vault` is private. */
const PROJECTS = {
  open: { claims: { repository_visibility: 'public' } },
  shut: { claims: { repository_visibility: 'private' } },
  opened: { claims: { repository_visibility: 'private' }, docinfo: 'source: public' },
  told: { claims: undefined },
  toldopen: { claims: undefined, docinfo: 'source: public' },
  vault: { claims: { repository_visibility: 'internal' } },
} as const satisfies Readonly<
  Record<string, { readonly claims: object | undefined; readonly docinfo?: string }>
>;
type Name = keyof typeof PROJECTS;
const NAMES = Object.keys(PROJECTS) as Name[];

/** Letters of the commit of each project; no two share their first ten. */
const commitOf = (project: Name) => `badc0ffee${NAMES.indexOf(project)}${'f00d'.repeat(5)}`;

const TOKENS = {
  tokens: {
    admin: { token: 'secret-admin', allow_overwrite: true },
    reader: { token: 'secret-reader', projects: [], read: ['vault'] },
    uploader: { token: 'secret-uploader', projects: ALL },
    manager: { token: 'secret-manager', projects: ALL, allow_manage: true },
    stranger: { token: 'secret-stranger', projects: ['other'], allow_manage: true },
  },
};

const READERS: Readonly<Record<string, Headers>> = {
  nobody: {},
  'a person who may read what is public': { 'X-User': 'bob' },
  'a person who may read all': { 'X-User': 'ann' },
  'a reading token': { 'X-Token': 'secret-reader' },
  'an uploading token': { 'X-Token': 'secret-uploader' },
  'a token with allow_manage': { 'X-Token': 'secret-manager' },
  'a token for another project': { 'X-Token': 'secret-stranger' },
  'a job': {},
};
const KNOWN_TO_VAULT = Object.keys(READERS).filter(
  (reader) =>
    !['nobody', 'a person who may read what is public', 'a token for another project'].includes(reader),
);

const OWN = [
  'GET /-/projects/:project',
  'GET /api/projects/{project}',
  'GET /api/previews/{project}',
  'GET /api/previews/{project}/{name}',
];
const MARKDOWN = ['Markdown of a page', 'Markdown by Accept'];

/** Where the source of a project is shown to a reader. */
function expected(project: Name, reader: string): readonly string[] {
  if (project === 'vault') return KNOWN_TO_VAULT.includes(reader) ? [...OWN, ...MARKDOWN] : [];
  if (project === 'open' || project === 'opened') return [...OWN, ...MARKDOWN];
  if (project === 'toldopen') return OWN;
  return reader === 'nobody' ? [] : OWN;
}

/** Addresses beside the routes, each with its headers. */
const MORE: Readonly<Record<string, (project: string) => readonly [path: string, headers: Headers]>> = {
  'Markdown of a page': (project) => [`/${project}-2.0/guide.html.md`, {}],
  'Markdown by Accept': (project) => [`/${project}-2.0/guide.html`, { Accept: 'text/markdown' }],
  'list of the pages of a version': (project) => [`/${project}-2.0/llms.txt`, {}],
  'list of all versions of a theme': (project) => [`/${project}-latest/versions.json`, {}],
};

describe('The source of a version', NEEDS, () => {
  let directory: string;
  let issuer: TestIssuer;
  let forge: string;
  const access = new ChangingAccess();
  let server: TestServer;
  let open: TestServer;
  before(async () => {
    if ('skip' in NEEDS) return;
    directory = await mkdtemp(join(tmpdir(), 'lectern-source-'));
    // As a GitHub Enterprise Server has it.
    issuer = await TestIssuer.start(directory, 'ES256', 0, '/_services/token');
    forge = new URL(issuer.url).origin;
    const entry = {
      issuer: issuer.url,
      audience: AUDIENCE,
      claims: { repository_owner_id: '1234' },
      projects: ['{repository}'],
      allow_overwrite: true,
    };
    const file = JSON.stringify({ ...TOKENS, trusted_issuers: { jobs: entry } });
    const tokens: TokenRegistry = new JobTokenRegistry(JsonTokenRegistry.parse(file), {
      ca: issuer.certificate.pem,
    });
    server = await TestServer.start({
      ...withPrivate(access),
      tokens,
      origin: `https://${HOSTS_DOMAIN}`,
      hosts: { domain: HOSTS_DOMAIN },
      search: new MemorySearchIndex(),
      usage: new MemoryUsageStore(),
      client: true,
      metrics: { contentType: 'text/plain', observe: () => {}, text: async () => 'a 1\n' },
    });
    for (const project of NAMES) await publishAll(server, project);
    await server.isIndexed();
    // Without rules for readers.
    open = await TestServer.start({ tokens });
    for (const project of ['open', 'shut', 'told'] as const) await publishAll(open, project);
  });
  after(async () => {
    if ('skip' in NEEDS) return;
    await server.close();
    await open.close();
    await issuer.close();
    await rm(directory, { recursive: true });
  });

  const jobToken = (project: string, more: object = {}) =>
    issuer.sign({
      ...issuer.claims(AUDIENCE),
      repository: `acme/${project}`,
      run_id: '42',
      run_attempt: '1',
      ...more,
    });
  const headersOf = async (reader: string): Promise<Headers> =>
    reader === 'a job'
      ? { Authorization: `Bearer ${await jobToken('vault', { repository_visibility: 'private' })}` }
      : (READERS[reader] ?? {});

  /** Uploads a site; with a job's token where there are claims. */
  async function upload(
    to: TestServer,
    name: string,
    sender: Headers,
    {
      fields = {},
      docinfo = 'tags: [a]',
    }: { fields?: Readonly<Record<string, string>>; docinfo?: string } = {},
  ): Promise<Json> {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    const site = {
      'index.html': '<!doctype html><title>front</title><h1>Front</h1>',
      'guide.html': '<!doctype html><title>guide</title><h1>Guide</h1>',
      _redirects: '/old /guide.html 301\n',
      'docinfo.yaml': docinfo,
    };
    form.set('file', new Blob([new Uint8Array(zipOf(site))]), `${name}-docs.zip`);
    const response = await to.fetch('/api/upload', { method: 'POST', body: form, headers: sender });
    return { status: response.status, ...((await response.json()) as object) };
  }

  async function publishAll(to: TestServer, project: Name): Promise<void> {
    const { claims, ...more } = PROJECTS[project] as { claims?: object; docinfo?: string };
    const commit = commitOf(project);
    await publishSample(to, project);
    const sender =
      claims === undefined
        ? { 'X-Token': 'secret-admin' }
        : { Authorization: `Bearer ${await jobToken(project, { ...claims, sha: commit })}` };
    const fields =
      claims === undefined ? { source_repository: `acme/${project}`, source_commit: commit } : {};
    for (const name of [`${project}-2.0`, `${project}~pr-1`]) {
      const { status, source } = await upload(to, name, sender, { fields, ...more });
      assert.ok(status === 200 || status === 201, `${name}: ${status}`);
      assert.deepEqual([source.commit, source.told_by], [commit, claims === undefined ? 'client' : 'issuer']);
    }
  }

  /**
   * Names of the answers in which a reader sees the commit of a project.
   * @param answers those that the reader has had, by request: many are not about one project
   */
  async function placesOf(
    project: Name,
    headers: Headers,
    answers: Map<string, string>,
  ): Promise<readonly string[]> {
    const commit = commitOf(project).slice(0, 10);
    const routes = everyRoute().filter(({ method }) => method === 'GET');
    const requests = [
      ...routes.map((route) => ({ name: route.name, ...requestTo(route, project, headers) })),
      ...Object.entries(MORE).map(([name, of]) => {
        const [path, more] = of(project);
        return { name, host: undefined, path, headers: { ...headers, ...more } };
      }),
    ];
    const places: string[] = [];
    for (const { name, host, path, headers } of requests) {
      const request = JSON.stringify([host, path, headers]);
      const { headers: sent, body } = answers.has(request)
        ? { headers: {}, body: answers.get(request) }
        : await ask(server, host ?? HOSTS_DOMAIN, path, { headers });
      const text = JSON.stringify(sent) + body;
      answers.set(request, text);
      if (text.includes(commit)) places.push(name);
    }
    return places.sort();
  }

  for (const reader of Object.keys(READERS)) {
    it(`is shown to ${reader} where permitted, and in no other response`, async () => {
      const headers = await headersOf(reader);
      const answers = new Map<string, string>();
      for (const project of NAMES) {
        const places = await placesOf(project, headers, answers);
        assert.deepEqual(places, [...expected(project, reader)].sort(), project);
      }
    });
  }

  it('is in no response to an agent', async () => {
    const client = await mcpClient(server, undefined, READERS['a token with allow_manage']);
    try {
      for (const project of NAMES) {
        for (const name of ['read_page', 'list_pages', 'find_project']) {
          const asked = { project, path: 'guide.html', query: project };
          const answer = await client.callTool({ name, arguments: asked });
          assert.ok(!JSON.stringify(answer).includes(commitOf(project).slice(0, 10)), `${name} ${project}`);
        }
      }
    } finally {
      await client.close();
    }
  });

  it('makes its responses uncacheable by shared caches', async () => {
    for (const project of ['open', 'shut', 'told'] as const) {
      for (const path of [`/-/projects/${project}`, `/api/projects/${project}`, `/api/previews/${project}`]) {
        const known = await server.get(path, READERS['a reading token']);
        const nobody = await server.get(path);
        assert.equal(known.headers.get('Cache-Control'), 'private, no-cache', path);
        assert.equal(nobody.headers.get('Cache-Control'), 'no-cache', path);
        for (const { headers } of [known, nobody]) {
          assert.match(headers.get('Vary') ?? '', /X-Token, Authorization/);
        }
        const etag = known.headers.get('ETag');
        if (project !== 'open' && etag !== null) {
          assert.notEqual(etag, nobody.headers.get('ETag'));
          assert.equal((await server.get(path, { 'If-None-Match': etag })).status, 200);
        }
      }
    }
  });

  it('keeps pages of a public project the same for everybody, and cacheable', async () => {
    for (const project of ['open', 'shut'] as const) {
      const answers = [];
      for (const reader of Object.keys(READERS)) {
        const response = await server.get(`/${project}-2.0/guide.html.md`, await headersOf(reader));
        assert.equal(response.headers.get('Cache-Control'), 'no-cache');
        assert.doesNotMatch(response.headers.get('Vary') ?? '', /Token|Authorization/);
        answers.push(`${response.headers.get('ETag')} ${await response.text()}`);
      }
      assert.equal(new Set(answers).size, 1);
    }
  });

  it('is public for a public repository when no access rules exist', async () => {
    const admin = { 'X-Token': 'secret-admin' };
    for (const [project, shown] of [
      ['open', true],
      ['shut', false],
      ['told', false],
    ] as const) {
      for (const path of [
        `/-/projects/${project}`,
        `/api/projects/${project}`,
        `/${project}-2.0/guide.html.md`,
      ]) {
        const [own, others] = [await open.get(path, admin), await open.get(path)];
        assert.equal(own.headers.get('ETag'), others.headers.get('ETag'));
        assert.equal(others.headers.get('Cache-Control'), 'no-cache');
        assert.doesNotMatch(others.headers.get('Vary') ?? '', /Token|Authorization/);
        assert.equal((await others.text()).includes(commitOf(project).slice(0, 10)), shown, path);
      }
    }
  });

  it('is hidden at once when a private project becomes public', async () => {
    const addresses = ['/vault-2.0/guide.html.md', '/-/projects/vault', '/api/projects/vault'];
    const commit = commitOf('vault').slice(0, 10);
    const reader = READERS['a reading token'];
    for (const path of addresses)
      assert.match(await (await server.get(path, reader)).text(), new RegExp(commit));
    access.change({ default: 'public', projects: new Map() });
    try {
      for (const path of addresses) {
        const response = await server.get(path);
        assert.equal(response.status, 200);
        assert.ok(!(await response.text()).includes(commit), path);
      }
    } finally {
      access.change(RULES);
    }
  });

  it("links to the issuer's host, in the API, on the page and in Markdown", async () => {
    const repository = `${forge}/acme/open`;
    const commit = `${repository}/commit/${commitOf('open')}`;
    const run = `${repository}/actions/runs/42/attempts/1`;
    const details = (await (await server.get('/api/projects/open')).json()) as Json;
    assert.deepEqual(details.versions.at(-1).source, {
      told_by: 'issuer',
      repository: 'acme/open',
      commit: commitOf('open'),
      ref: 'refs/tags/v1.0',
      run: '42',
      run_attempt: '1',
      repository_url: repository,
      commit_url: commit,
      run_url: run,
    });
    assert.deepEqual(await linksOutOf('/-/projects/open'), [
      repository,
      commit,
      run,
      repository,
      commit,
      run,
    ]);
    const markdown = await (await server.get('/open-2.0/guide.html.md')).text();
    assert.match(markdown, new RegExp(`^source: "${commit}"$`, 'm'));
  });

  it('has no links and a remark when a client told it', async () => {
    assert.deepEqual(await linksOutOf('/-/projects/toldopen'), []);
    assert.match(await (await server.get('/-/projects/toldopen')).text(), /as told by the client/);
    const details = (await (await server.get('/api/projects/toldopen')).json()) as Json;
    assert.deepEqual(details.versions.at(-1).source, {
      told_by: 'client',
      repository: 'acme/toldopen',
      commit: commitOf('toldopen'),
    });
  });

  it('comes from the claims even when a job tells another one', async () => {
    const sender = { Authorization: `Bearer ${await jobToken('claimed', { sha: commitOf('open') })}` };
    const fields = { source_repository: 'evil/x', source_commit: commitOf('told'), source_run: '1' };
    const { status, source } = await upload(server, 'claimed-1.0', sender, { fields });
    assert.deepEqual([status, source.told_by, source.repository], [201, 'issuer', 'acme/claimed']);
    assert.equal(source.commit, commitOf('open'));
  });

  for (const [field, text] of [
    ['source_repository', '../evil'],
    ['source_commit', 'no commit'],
    ['source_ref', "a'b"],
    ['source_run', 'javascript:1'],
    ['source_ref', 'x'.repeat(256)],
  ] as const) {
    it(`refuses ${field} with ${text.slice(0, 20)}, and nothing changes`, async () => {
      const files = await tree(server.docs);
      const sender = { 'X-Token': 'secret-admin' };
      const { status, error, message } = await upload(server, 'refused-1.0', sender, {
        fields: { [field]: text },
      });
      assert.deepEqual([status, error], [400, 'invalid_request']);
      assert.match(message, new RegExp(`^'${field}' is .*; expected `));
      assert.deepEqual(await tree(server.docs), files);
    });
  }

  it('is unknown without facts, also with empty fields', async () => {
    const sender = { 'X-Token': 'secret-admin' };
    const fields = { source_repository: '', source_commit: '', source_ref: '', source_run: '' };
    for (const more of [{}, { fields }]) {
      const { status, source } = await upload(server, 'plain-1.0', sender, more);
      assert.ok(status === 200 || status === 201);
      assert.equal(source, undefined);
      const details = (await (
        await server.get('/api/projects/plain', READERS['an uploading token'])
      ).json()) as Json;
      assert.equal(details.versions[0].source, undefined);
    }
  });

  for (const [what, claims] of Object.entries({
    'line breaks': { ref: 'refs/heads/x\nevil: yes', sha: 'abc1234\nx', run_id: '1\n2' },
    quotes: { ref: 'refs/heads/evil"\'><script>alert(1)</script>', sha: '"evil', run_id: "'evil" },
    scripts: { ref: 'javascript:evil()', sha: 'javascript:evil()', run_id: 'javascript:evil()' },
    'ways up': { ref: '../../evil', sha: '../../evil', run_id: '../../evil' },
    'great length': { ref: `evil${'x'.repeat(1_000)}`, sha: 'e'.repeat(1_000), run_id: '1'.repeat(1_000) },
    'control of direction': { ref: '\u202Eevil\u2066', sha: '\u202Eevil', run_id: '\u200Fevil' },
  })) {
    it(`keeps claims with ${what} out of pages, Markdown and links`, async () => {
      const sender = {
        Authorization: `Bearer ${await jobToken('hostile', { ...claims, repository_visibility: 'public' })}`,
      };
      const answer = await upload(server, 'hostile-1.0', sender);
      assert.ok(answer.status === 200 || answer.status === 201);
      const { run_attempt: attempt, ...source } = answer.source;
      assert.deepEqual(source, {
        told_by: 'issuer',
        repository: 'acme/hostile',
        repository_url: `${forge}/acme/hostile`,
      });
      assert.equal(attempt, '1');
      for (const path of ['/-/projects/hostile', '/api/projects/hostile', '/hostile-1.0/guide.html.md']) {
        const text = await (await server.get(path)).text();
        assert.doesNotMatch(text, /evil|\u202E|\u2066|\u200F|e{100}|1{100}/);
      }
      assert.deepEqual(await linksOutOf('/-/projects/hostile'), [`${forge}/acme/hostile`]);
    });
  }

  async function linksOutOf(path: string): Promise<readonly string[]> {
    const html = await (await server.get(path)).text();
    return [...html.matchAll(/<a href="([^"]*)" rel="external noreferrer"/g)].map(([, href = '']) => href);
  }
});
