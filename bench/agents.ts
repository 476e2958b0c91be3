/**
 * The tools for agents: processor time of `read_page` and of the page through Koa, and of `search_docs` and of `/api/search` for the same
 * words, in PostgreSQL's documentation.
 *
 *     npm run build && node --import tsx bench/agents.ts
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/support/root.js';
import { corpus } from './corpus.js';
import { startLectern } from './support/lectern.js';
import { alternating } from './support/numbers.js';
import { processorTimeOf } from './support/processes.js';
import { untilIndexed } from './support/requests.js';
import { ROUNDS, whenRunAlone } from './support/script.js';
import { ratioRow, type Section } from './support/table.js';

const READS = 300;
/** A page of average length. */
const PAGE = 'sql-vacuum.html';

export async function agents(): Promise<Section> {
  const { project, version, fileName, zip } = await corpus('medium');
  // Without the cache of responses, which answers ahead of Koa.
  const server = await startLectern({ args: ['--cache-size', '0'] });
  await server.publish({ name: fileName, archive: zip });
  const get = async (path: string) => {
    const response = await fetch(server.origin + path);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  const call = async (name: string, given: Readonly<Record<string, string>>) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const response = await fetch(`${server.origin}/-/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    if (!response.ok || text.includes('"isError":true')) throw new Error(`${name}: ${text}`);
  };
  await untilIndexed(server.origin);
  const questions = (
    JSON.parse(readFileSync(join(ROOT, 'test/judged/queries.json'), 'utf8')) as {
      readonly three: readonly { readonly query: string; readonly page: string }[];
    }
  ).three.filter(({ page }) => page.startsWith('postgres/'));
  const time = async (count: number, work: (at: number) => Promise<unknown>) => {
    const before = processorTimeOf(server.pid);
    for (let at = 0; at < count; at += 1) await work(at);
    return (processorTimeOf(server.pid) - before) / count;
  };
  let round = 0;
  // The same question is answered once: each round asks it with another space behind.
  const asked = (at: number) => `${questions[at % questions.length]?.query ?? ''}${' '.repeat(round)}`;
  const contenders = {
    readPage: () => time(READS, () => call('read_page', { project, version, path: PAGE })),
    page: () => time(READS, () => get(`/${project}-${version}/${PAGE}`)),
    searchDocs: () => {
      round += 1;
      return time(questions.length, (at) => call('search_docs', { query: asked(at), project }));
    },
    search: () => {
      round += 1;
      return time(questions.length, (at) =>
        get(`/api/search?project=${project}&q=${encodeURIComponent(asked(at))}`),
      );
    },
  };
  // V8 compiles for a while.
  for (const work of Object.values(contenders)) await work();
  const measured = await alternating(ROUNDS, contenders);
  await server.stop();
  return {
    title: 'Tools for agents',
    note: 'Processor time of the whole server for each call, threads included, with indexes and pages that were read before.',
    rows: [
      ratioRow(
        { what: 'read_page', against: 'the page through Koa', unit: 'ms', target: { atMost: 3 } },
        measured.readPage,
        measured.page,
      ),
      ratioRow(
        { what: 'search_docs', against: '/api/search', unit: 'ms', target: { atMost: 1.5 } },
        measured.searchDocs,
        measured.search,
      ),
    ],
  };
}

await whenRunAlone(import.meta.url, agents);
