import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { anyString } from '../../support/any-string.js';
import { ERAS, mcpClient } from '../../support/mcp-client.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const page = (version: string) => `<!doctype html><title>Kettle ${version}</title><main><h1>The kettle</h1>
<p>It boils water.</p><h2 id="whistle">The whistle</h2><p>Set WHISTLE_VOLUME to ${version} to choose how loud it is.</p>
<h2 id="lid">The lid</h2><p>It closes.</p></main>`;
const TOOLS = ['search_docs', 'read_page', 'list_pages', 'find_project', 'compare_versions'];
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'find_project', arguments: {} },
};

let server: TestServer;
before(async () => {
  server = await TestServer.start({ search: new MemorySearchIndex() });
  await server.upload('kettle-1.2-docs.zip', { 'index.html': page('1.2'), 'guide/set-up.html': page('1.2') });
  await server.upload('kettle-2.0-docs.zip', {
    'index.html': page('2.0'),
    'guide/start.html': page('2.0'),
    'guide/code.html': `<h1>Steam</h1><p>Vapour.</p><pre>${'vapour();\n'.repeat(500)}</pre>
      <h2 id="ice">Ice</h2><p>Cold.</p><h2 id="water">Water</h2><p>Warm.</p>`,
    'picture.svg': '<svg/>',
  });
  await server.isIndexed();
});
after(() => server.close());

async function textOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as [{ type: string; text: string }];
  assert.equal(first.type, 'text');
  return isError === true ? `error: ${first.text}` : first.text;
}

/** @param ask carries it; `fetch` uses a socket */
function post(body: string, headers: Record<string, string> = {}, ask?: typeof fetch): Promise<Response> {
  const by = ask ?? server.fetch.bind(server);
  return by(`${server.url}/-/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
}

/** Uploads two versions of a project whose pages have names with signs of an address. */
async function uploadSigns(): Promise<void> {
  for (const [version, herd] of Object.entries({ '1.0': 'one', '2.0': 'two' })) {
    const zebra = `<title>Zebra</title><h1>Zebra</h1><h2 id="herd">Herd</h2><p>of ${herd}</p>`;
    const names = ['why?', '100%25', '100%', 'c%23'].map((name) => [`${name}.html`, zebra]);
    const giraffe = zebra.replace('</p>', ' giraffe</p>');
    await server.upload(`signs-${version}-docs.zip`, {
      ...Object.fromEntries(names),
      'c#.html': giraffe,
      'c#/more.html': '<title>More</title>',
    });
  }
  await server.isIndexed();
}

for (const era of ERAS) {
  describe(`The official client of the Model Context Protocol, ${era},`, () => {
    let client: Client;
    before(async () => {
      client = await mcpClient(server, era);
    });
    after(() => client.close());

    it('lists five tools in less than 600 tokens, and instructions in at most 60 words', async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOLS,
      );
      const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      assert.ok(JSON.stringify(shown).length / 4 < 600, `${JSON.stringify(shown).length / 4}`);
      assert.ok((client.getInstructions() ?? '').split(/\s+/).length <= 60);
    });

    it('finds projects, and the matching version', async () => {
      assert.equal(await textOf(client, 'find_project'), 'kettle: latest 2.0; 2.0, 1.2');
      assert.match(
        await textOf(client, 'find_project', { query: 'kettle', version: '^1.0' }),
        /^kettle 1\.2 \(newest/,
      );
    });

    it('searches the requested version', async () => {
      const asked = { query: 'How loud is the whistle?', project: 'kettle', version: '~=1.0' };
      await until(async () => !(await textOf(client, 'search_docs', asked)).includes('being indexed'));
      const text = await textOf(client, 'search_docs', asked);
      assert.match(text, /^kettle 1\.2 \(newest that satisfies '~=1\.0'; latest is 2\.0\)/);
      assert.match(text, /Set WHISTLE\\?_VOLUME to 1\.2/);
      assert.doesNotMatch(text, /to 2\.0/);
    });

    it('passes several wordings of a question, also to read a page', async () => {
      const queries = ['nothing of this kind', 'How loud is the whistle?'];
      const asked = { project: 'kettle', queries, max_tokens: 200 };
      assert.match(await textOf(client, 'search_docs', asked), /Set WHISTLE\\?_VOLUME to 2\.0/);
      assert.match(
        await textOf(client, 'read_page', { ...asked, path: 'guide/start.html' }),
        /^---\ntitle: /,
      );
    });

    it('receives excerpts with closed fences of code, and reads on in them', async () => {
      const asked = { project: 'kettle', max_tokens: 200 };
      const fences = (text: string) => text.split('\n').filter((line) => line.startsWith('```')).length;
      const found = await textOf(client, 'search_docs', { ...asked, query: 'vapour' });
      assert.match(found, /\nvapour\(\);\n```\n\[cut\]/);
      const calls: number[] = [];
      for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
        const text: string = await textOf(client, 'read_page', { ...asked, path: 'guide/code.html', cursor });
        calls.push(text.split('vapour();').length - 1);
        assert.equal(fences(text) % 2, 0);
        cursor = /\nmore: cursor=(\S+)$/.exec(text)?.[1];
      }
      assert.equal(
        calls.reduce((sum, each) => sum + each, 0),
        500,
      );
    });

    it('reads a short page whole, and a long one from an anchor on, beyond its section', async () => {
      const whole = await textOf(client, 'read_page', { project: 'kettle', path: 'index.html#whistle' });
      assert.match(whole, /\n---\n\n# The kettle\n.*\n## The whistle \{#whistle\}\n.*\nIt closes\.$/s);
      const long = { project: 'kettle', path: 'guide/code.html#ice', max_tokens: 200 };
      assert.match(
        await textOf(client, 'read_page', long),
        /\n---\n\n## Ice \{#ice\}\n\nCold\.\n\n## Water \{#water\}\n\nWarm\.$/,
      );
    });

    it('reads a page by its address', async () => {
      const address = `${server.url}/kettle-1.2/guide/set-up.html`;
      for (const url of [address, `${address}.md`, address.replace('.html', '.md')])
        assert.match(await textOf(client, 'read_page', { url }), /Set WHISTLE\\?_VOLUME to 1\.2/);
    });

    it('lists pages, and compares versions', async () => {
      assert.match(
        await textOf(client, 'list_pages', { project: 'kettle', version: 1.2 }),
        /\nguide\/set-up\.html: Kettle 1\.2\n/,
      );
      const compared = await textOf(client, 'compare_versions', {
        project: 'kettle',
        from: '1.2',
        to: '2.0',
      });
      assert.match(compared, /changed: 1\nindex\.html/);
    });

    it('reads and compares a page with URL characters in its name by the path of results', async () => {
      const paths = ['c%23.html', 'why%3F.html', '100%2525.html', '100%25.html'];
      await uploadSigns();
      const list = await textOf(client, 'list_pages', { project: 'signs', version: '2.0' });
      assert.deepEqual(
        list.split('\n').slice(1).sort(),
        [...[...paths, 'c%2523.html'].map((path) => `${path}: Zebra`), 'c%23/more.html: More'].sort(),
      );
      assert.match(
        await textOf(client, 'search_docs', { query: 'giraffe', project: 'signs' }),
        /^\[c%23\.html\] Zebra$/m,
      );
      for (const path of paths) {
        const text = await textOf(client, 'read_page', { project: 'signs', path: `${path}#herd` });
        assert.ok(text.includes(`path: ${path}\n`), text);
        const difference = await textOf(client, 'compare_versions', { project: 'signs', from: '1.0', path });
        assert.match(difference, /^- of one(?: giraffe)?\n\+ of two/m);
      }
      assert.match(
        await textOf(client, 'list_pages', { project: 'signs', under: 'c%23' }),
        /\nc%23\/more\.html: More$/,
      );
      // A path that encodes no other page is the name itself.
      const literal = await textOf(client, 'read_page', { project: 'signs', path: 'c%2523.html' });
      assert.ok(literal.includes('path: c%2523.html\n'), literal);
      assert.equal(
        await textOf(client, 'read_page', { project: 'signs', path: 'why?.html' }),
        "error: No page 'why'. Closest: why%3F.html",
      );
      await server.delete('signs/1.0');
      await server.delete('signs/2.0');
    });

    it('is told about a missing anchor, and reads from the top', async () => {
      const text = await textOf(client, 'read_page', { project: 'kettle', path: 'index.html#handle' });
      assert.match(text, /\nnote: nothing of this page has the anchor 'handle'\n---\n\n# The kettle/);
    });

    it('reads only pages, and nothing outside of the version', async () => {
      for (const path of [
        'picture.svg',
        '../kettle-1.2/index.html',
        '..%2f..%2fkettle-1.2/index.html',
        '%2e%2e/index.html',
        '.hidden/index.html',
        'index.html%00',
        '\\index.html',
        'C:/index.html',
        'file:///etc/passwd',
        `${server.url}/kettle-2.0/../../etc/passwd`,
      ]) {
        const text = await textOf(client, 'read_page', { project: 'kettle', path });
        assert.match(text, /^error: No page /, path);
      }
    });

    it('continues with a cursor only where a response named it', async () => {
      for (const cursor of ['-1', '1e3', '99', '1.99999', '0x1', '1 OR 1', '٣', 'NaN', '1.2.3']) {
        const page = { project: 'kettle', path: 'index.html', cursor };
        assert.match(await textOf(client, 'read_page', page), /^error: No cursor /, cursor);
        const list = await textOf(client, 'list_pages', { project: 'kettle', cursor });
        assert.match(list, /^error: No cursor /, cursor);
      }
      assert.match(
        await textOf(client, 'list_pages', { project: 'kettle', cursor: 'cursor=1' }),
        /^kettle 2\.0 \(latest\)\n[^\n]*\n[^\n]*$/,
      );
    });

    it('is told the remedy of an error', async () => {
      assert.equal(
        await textOf(client, 'list_pages', { library: 'ketle' }),
        "error: No project 'ketle'. Did you mean 'kettle'?",
      );
      assert.equal(
        await textOf(client, 'list_pages', { project: 'kettle', version: '^7' }),
        "error: No version of 'kettle' fits '^7'. The closest is 2.0: pass version '2.0'. Hosted: 2.0, 1.2.",
      );
      assert.match(
        await textOf(client, 'search_docs'),
        /^error: Give 'query', or up to three wordings in 'queries'\.$/,
      );
      assert.equal(
        await textOf(client, 'search_docs', { queries: ['loud', 7] }),
        "error: 'queries' must be a list of strings.",
      );
      assert.match(
        await textOf(client, 'read_page', { project: 'kettle', path: 'guide/strat.html' }),
        /^error: No page 'guide\/strat\.html'\. Closest: guide\/start\.html/,
      );
    });

    it('receives a bounded text for any arguments', async () => {
      const value = fc.oneof(anyString(), fc.integer(), fc.constant('kettle'), fc.jsonValue());
      const names = [
        'query',
        'project',
        'version',
        'path',
        'cursor',
        'max_tokens',
        'from',
        'to',
        '__proto__',
      ];
      const given = fc.dictionary(fc.constantFrom(...names), value);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...TOOLS), given, async (name, args) => {
          const text = await textOf(client, name, { ...args });
          assert.ok(text.length < 40_000);
        }),
        { numRuns: 40 },
      );
    });
  });
}

describe('POST /-/mcp', () => {
  it('refuses pages of other origins', async () => {
    const refused = await post(JSON.stringify(CALL), { Origin: 'https://evil.example' });
    assert.equal(refused.status, 403);
    assert.equal((await post(JSON.stringify(CALL), { Origin: 'null' })).status, 403);
    assert.equal((await post(JSON.stringify(CALL), { Origin: 'http://localhost:3000' })).status, 200);
  });

  it('refuses other methods', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await server.fetch('/-/mcp', { method });
      assert.deepEqual([status, headers.get('Allow')], [405, 'POST']);
    }
  });

  it('responds to an invalid message, and keeps working', async () => {
    const batch = JSON.stringify(Array.from({ length: 200 }, () => CALL));
    const listen = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} });
    for (const body of ['', '{', 'null', '[]', '0', '{}', '['.repeat(60_000), batch, listen]) {
      const response = await post(body);
      assert.ok(response.status >= 200 && response.status < 500, `${body.slice(0, 40)}: ${response.status}`);
      await response.text();
    }
    assert.equal((await post(JSON.stringify(CALL))).status, 200);
  });

  it('refuses a batch in every revision of the protocol, and calls no tool for it', async () => {
    for (const body of ['[]', JSON.stringify([CALL]), ` \n${JSON.stringify([CALL, CALL])}`]) {
      for (const version of ['2025-03-26', '2026-07-28']) {
        const response = await post(body, { 'MCP-Protocol-Version': version });
        assert.equal(response.status, 400);
        assert.equal(response.headers.get('Content-Type'), 'application/json; charset=utf-8');
        assert.deepEqual(await response.json(), {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32_600, message: 'Batches are not supported; send each message separately' },
        });
      }
    }
  });

  it('offers no subscription', async () => {
    const params = {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
    const response = await post(body, {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'subscriptions/listen',
    });
    assert.match(await response.text(), /"error"/);
  });

  it('sends 100 Continue before it reads a body', async () => {
    const body = JSON.stringify(CALL);
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Content-Length': Buffer.byteLength(body),
      Expect: '100-continue',
    };
    const request = httpRequest(new URL('/-/mcp', server.url), { method: 'POST', headers });
    request.once('continue', () => request.end(body)).flushHeaders();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    request.destroy();
    assert.equal(response.statusCode, 200);
  });

  it('refuses a large body', async () => {
    for (const bytes of [70_000, 5_000_000]) {
      const large = await post(JSON.stringify({ ...CALL, filler: 'x'.repeat(bytes) }), {}, fetch);
      assert.equal(large.status, 413);
      assert.equal((await large.json()).id, null);
    }
  });

  it('refuses other origins before their body has come, and they get the response', async () => {
    const body = JSON.stringify({ ...CALL, filler: 'x'.repeat(5_000_000) });
    assert.equal((await post(body, { Origin: 'https://evil.example' }, fetch)).status, 403);
    assert.equal((await post(body, { 'Content-Encoding': 'gzip' }, fetch)).status, 415);
    assert.equal((await fetch(`${server.url}/-/mcp`, { method: 'PUT', body })).status, 405);
  });

  it('acknowledges a notification without a body or its type', async () => {
    const { status, headers } = await post(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    );
    assert.deepEqual([status, headers.get('Content-Type'), headers.get('Content-Length')], [202, null, '0']);
  });

  it('refuses a body that is not JSON by its type', async () => {
    assert.ok((await post(JSON.stringify(CALL), { 'Content-Type': 'text/plain' })).status >= 400);
  });
});

describe('The page addresses accepted by read_page', () => {
  const read = async (asked: TestServer, address: string, project?: string, path = '/-/mcp') => {
    const params = { name: 'read_page', arguments: { path: address, project } };
    const response = await asked.fetch(path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ ...CALL, params }),
    });
    return response.text();
  };

  it('work without the name of the site, percent-encoded or not', async () => {
    const server = await TestServer.start();
    try {
      await server.upload('kettle-1.2-docs.zip', {
        'how to.html': page('1.2'),
        '100%25.html': page('3.0'),
      });
      for (const path of ['how to.html', 'how%20to.html', '/how%20to'])
        assert.match(await read(server, path, 'kettle'), /VOLUME to 1\.2/, path);
      // The path as lists of pages have it: a file has this name.
      assert.match(await read(server, '100%25.html', 'kettle'), /VOLUME to 3\.0/);
    } finally {
      await server.close();
    }
  });

  it('work below a base path', async () => {
    const below = await TestServer.start({ origin: 'https://example.org', basePath: '/docs' });
    try {
      await below.upload('kettle-1.2-docs.zip', { 'guide.html': page('1.2') });
      const text = await read(
        below,
        'https://example.org/docs/kettle-1.2/guide.html#lid',
        undefined,
        '/docs/-/mcp',
      );
      assert.match(text, /version: kettle 1\.2\\n.*## The lid/);
    } finally {
      await below.close();
    }
  });

  it('work on the hosts of projects', async () => {
    const onHosts = await TestServer.start({
      origin: 'https://docs.example.org',
      hosts: { domain: 'docs.example.org', isRedirecting: true },
    });
    try {
      await onHosts.upload('kettle-1.2-docs.zip', { 'guide.html': page('1.2') });
      await onHosts.upload('kettle-2.0-docs.zip', { 'guide.html': page('2.0') });
      for (const [address, version] of [
        ['https://1-2--kettle.docs.example.org/guide.html.md', '1\\.2'],
        ['https://kettle.docs.example.org/guide.html', '2\\.0'],
        ['https://docs.example.org/kettle-1.2/guide.html', '1\\.2'],
      ] as const)
        assert.match(await read(onHosts, address), new RegExp(`WHISTLE.{1,3}VOLUME to ${version}`));
      assert.match(
        await read(onHosts, 'https://none.docs.example.org/guide.html'),
        /Which project does .*isError":true/,
      );
    } finally {
      await onHosts.close();
    }
  });
});
