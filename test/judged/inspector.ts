/**
 * Lists and calls the tools of /-/mcp with the Model Context Protocol's own inspector, from npm: as clients of 2025 and of 2026 do, from
 * Lectern itself, and behind nginx with `deploy/nginx/lectern.conf`.
 *
 *     node --import tsx test/judged/inspector.ts
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { startNginx } from '../support/nginx.js';
import { TestServer } from '../support/server.js';

/** It needs Node 22, and is fetched for each run, since nothing else needs it. */
const INSPECTOR = [
  '-y',
  '-p',
  'node@24',
  '-p',
  '@modelcontextprotocol/inspector@2.12',
  'mcp-inspector',
  '--cli',
];
const ERAS = ['legacy', 'modern'];
const PAGE = '<!doctype html><title>Kettle</title><main><h1>The kettle</h1><p>It whistles.</p></main>';
/** A call of each tool, and what its answer has in it. */
const CALLS = [
  ['search_docs', { query: 'whistles', project: 'kettle', version: '^2.0' }, /It whistles/],
  ['read_page', { project: 'kettle', path: 'index.html' }, /It whistles/],
  ['list_pages', { project: 'kettle' }, /index\.html: Kettle/],
  ['find_project', {}, /kettle: latest 2\.0; 2\.0, 1\.2/],
  ['compare_versions', { project: 'kettle', from: '1.2' }, /unchanged: 1/],
] as const;

const server = await TestServer.start({ trustProxy: true, search: new MemorySearchIndex() });
for (const version of ['1.2', '2.0'])
  await server.upload(`kettle-${version}-docs.zip`, { 'index.html': PAGE });
await server.isIndexed();
const nginx = await startNginx(server.docs, server.url);
try {
  for (const [where, url] of Object.entries({ direct: server.url, 'behind nginx': nginx.url })) {
    for (const era of ERAS) {
      const { tools } = await inspect(url, era, '--method', 'tools/list');
      assert.deepEqual(
        tools.map(({ name }: { readonly name: string }) => name),
        CALLS.map(([name]) => name),
      );
      for (const [name, given, expected] of CALLS) {
        const named = Object.entries(given).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]);
        const { content, isError } = await inspect(
          url,
          era,
          '--method',
          'tools/call',
          '--tool-name',
          name,
          ...named,
        );
        assert.notEqual(isError, true);
        assert.match(content[0].text, expected);
      }
      console.log(`inspector, ${era}, ${where}: lists and calls ${CALLS.length} tools`);
    }
  }
} finally {
  await nginx.close();
  await server.close();
}

async function inspect(url: string, era: string, ...request: readonly string[]) {
  const connection = [`${url}/-/mcp`, '--transport', 'http', '--protocol-era', era];
  const { stdout } = await promisify(execFile)('npx', [...INSPECTOR, ...connection, ...request]);
  return JSON.parse(stdout);
}
