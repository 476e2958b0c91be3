import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { AS, withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';

const MORE = 'Signing in or sending a token may show more.';
/** Projects by directory name: the title of their front page, and their docinfo. */
const SITES: Readonly<Record<string, readonly [title: string, docinfo: string]>> = {
  flask: ['Welcome to Flask — Flask Documentation (2.2.x)', 'description: Makes web pages'],
  acme_payments: ['Acme Payments SDK', 'name: Acme Money'],
  'my-http-client': ['Start', 'tags: [networking, retries]'],
  'tea-pot': ['Tea', 'name: Pot'],
  tea_kettle: ['Tea', 'name: Kettle'],
  teakettle: ['Tea house', 'name: Whistler'],
  vault: ['Secret Safe', 'tags: [hoard]'],
};
const SPELLINGS: readonly (readonly [project: string, spellings: readonly string[]])[] = [
  ['flask', ['flask', 'Flask', 'FLASK', ' flask ', 'fl_ask', 'flask-latest', 'Flask Latest', 'flask-1.0']],
  [
    'acme_payments',
    [
      'acme-payments',
      'Acme Payments',
      'AcmePayments',
      'acme money',
      'ACME_MONEY',
      'Acme Payments SDK',
      'acme-payments-lts',
    ],
  ],
  [
    'my-http-client',
    ['my_http_client', 'My HTTP Client', 'MyHttpClient', 'my-HTTP_client', 'my http client lts'],
  ],
];

describe('The name of a project, as people write it,', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ ...withPrivate(), search: new MemorySearchIndex() });
    const headers = { 'X-Token': 'secret-admin' };
    for (const [project, [title, docinfo]] of Object.entries(SITES)) {
      const page = `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>The lid of ${project} closes.</p></main>`;
      const files = { 'index.html': page, 'docinfo.yaml': docinfo };
      assert.equal((await server.upload(`${project}-1.0-docs.zip`, files)).status, 201);
    }
    for (const project of ['acme_payments', 'my-http-client']) {
      const set = { method: 'PUT', headers: { ...headers, 'Content-Type': 'application/json' } };
      const body = JSON.stringify({ target: '1.0' });
      const answer = await server.fetch(`/api/aliases/${project}/lts`, { ...set, body });
      assert.ok(answer.ok, await answer.text());
    }
    await server.isIndexed();
  });
  after(() => server.close());

  async function call(name: string, args: object, who: keyof typeof AS = 'nobody') {
    const response = await server.fetch('/-/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...AS[who] },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    });
    const { result } = (await response.json()) as {
      result: { content: [{ text: string }]; isError?: boolean };
    };
    return `${result.isError === true ? 'error: ' : ''}${result.content[0].text}`;
  }

  for (const [project, spellings] of SPELLINGS) {
    for (const spelling of spellings) {
      it(`finds ${project} for '${spelling}' in search_docs`, async () => {
        const text = await call('search_docs', { query: 'lid', project: spelling });
        assert.match(text, new RegExp(`^${project} 1\\.0.*\\n`));
        assert.ok(text.replaceAll('\\', '').includes(`The lid of ${project} closes`), text);
      });
    }
  }

  it('is accepted by each tool with a project argument', async () => {
    const project = 'Acme Payments';
    for (const [tool, args] of [
      ['read_page', { project, path: 'index.html' }],
      ['list_pages', { project }],
      ['compare_versions', { project, from: '1.0' }],
      ['compare_versions', { project, from: '1.0', path: 'index.html' }],
      ['find_project', { query: project, version: '^1.0' }],
    ] as const)
      assert.match(await call(tool, args), /^(?!error).*acme_payments 1\.0/s, tool);
  });

  it('is removed from the front of a question, with a version after it', async () => {
    const asked = (query: string, who?: keyof typeof AS) => call('search_docs', { query }, who);
    assert.match(
      await asked('Acme Payments lts: lid'),
      /^acme_payments 1\.0 \(alias 'lts'\)\n\n\[acme_payments 1\.0: index\.html/,
    );
    assert.match(await asked('flask: lid'), /^flask 1\.0 \(latest\)\n\n\[flask 1\.0: index\.html/);
    assert.match(await asked('flask 1 lid'), /^flask 1\.0 \(newest that satisfies '1'\)\n/);
    assert.match(await asked('tea: lid'), /^\[\S+ 1\.0: index\.html/);
    assert.match(await asked('vault: lid', 'reader'), /^vault 1\.0 \(latest\)\n/);
    assert.doesNotMatch(await asked('vault: lid'), /vault/);
  });

  it('is answered by the candidates when ambiguous, and by no page', async () => {
    for (const spelling of ['Tea Kettle', 'TeaKettle', 'tea-kettle']) {
      const text = await call('search_docs', { query: 'lid', project: spelling });
      assert.equal(
        text,
        `error: '${spelling}' may be any of tea_kettle, teakettle. Pass one of these names as they are.`,
      );
    }
    assert.match(await call('search_docs', { query: 'lid', project: 'teakettle' }), /^teakettle 1\.0/);
    assert.match(
      await call('list_pages', { project: 'Tea' }),
      /^error: 'Tea' may be any of tea-pot, tea_kettle\. /,
    );
  });

  it('finds no project that the reader may not read', async () => {
    for (const [hidden, missing] of [
      ['vault', 'qqqqq'],
      ['VAULT', 'QQQQQ'],
      ['Secret Safe', 'Qqqqqq Safq'],
      ['vault-latest', 'qqqqq-latest'],
    ] as const) {
      for (const tool of ['search_docs', 'list_pages', 'find_project']) {
        const asked = (name: string) => ({ query: tool === 'find_project' ? name : 'lid', project: name });
        const text = await call(tool, asked(hidden));
        assert.equal(text.replaceAll(hidden, missing), await call(tool, asked(missing)));
        assert.ok(text.startsWith(`error: No project `) && text.endsWith(` ${MORE}`), text);
      }
      assert.match(await call('list_pages', { project: hidden }, 'reader'), /^vault 1\.0/);
    }
  });

  it('is found by words of descriptions, tags and front pages, after names', async () => {
    for (const [query, first] of [
      ['makes WEB pages', 'flask'],
      ['retries networking', 'my-http-client'],
      ['payments sdk', 'acme_payments'],
      ['Tea House', 'teakettle'],
      ['tea kettle', 'tea_kettle'],
    ] as const)
      assert.match(await call('find_project', { query }), new RegExp(`^${first}[: ]`), query);
    assert.match(await call('find_project', { query: 'hoard' }), /^error: No project for 'hoard'/);
    assert.match(await call('find_project', { query: 'hoard' }, 'reader'), /^vault/);
  });

  it('is answered with the closest hosted version, and the argument to pass', async () => {
    const closest = "The closest is 1.0: pass version '1.0'";
    assert.equal(
      await call('list_pages', { project: 'Flask', version: '^7' }),
      `error: No version of 'flask' fits '^7'. ${closest}. Hosted: 1.0.`,
    );
    assert.equal(
      await call('find_project', { query: 'flask', version: '^7' }),
      `flask: nothing fits '^7'. ${closest}`,
    );
    assert.match(
      await call('compare_versions', { project: 'Flask', from: '^7' }),
      /The closest is 1\.0: pass from '1\.0'\./,
    );
  });

  it('mentions that a token may reveal more when nothing is found in all projects, and in the instructions', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const instructions = async (asked: TestServer) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await asked.fetch('/-/mcp', { method: 'POST', headers, body });
      return ((await answer.json()) as { result: { instructions: string } }).result.instructions;
    };
    const told = await instructions(server);
    assert.ok(told.endsWith(` ${MORE}`) && told.split(/\s+/).length <= 60, told);
    assert.equal(
      await call('search_docs', { query: 'zzzzzz' }),
      `error: Nothing found for 'zzzzzz'. Try fewer words, or one identifier; list_pages has all pages. ${MORE}`,
    );
    assert.ok(!(await call('search_docs', { query: 'zzzzzz', project: 'flask' })).includes(MORE));
    const open = await TestServer.start();
    try {
      assert.ok(!(await instructions(open)).includes(MORE));
    } finally {
      await open.close();
    }
  });
});
