/**
 * The tools for agents: processor time of `read_page` and of the page through Koa, and of `search_docs` and of `/api/search` for the same
 * words, in PostgreSQL's documentation.
 *
 *     npm run build && node --import tsx bench/agents.ts
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/support/root.js';
import { until } from '../test/support/until.js';
import { corpus } from './corpus.js';
import { startLectern } from './support/lectern.js';
import { alternating, ratios } from './support/numbers.js';
import { processorTimeOf } from './support/processes.js';
import { ROUNDS, whenRunAlone } from './support/script.js';
import type { Section } from './support/table.js';

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
  await until(async () => JSON.parse(await get('/api/search?q=vacuum')).indexing === 0);
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
  const row = (
    what: string,
    against: string,
    values: readonly number[],
    others: readonly number[],
    atMost: number,
  ) => ({
    ...{ what, against, unit: '×' as const, values: ratios(values, others), target: { atMost } },
    own: [{ what: 'processor time', unit: 'ms' as const, values }],
    detail: `${values.map((each) => each.toFixed(1)).join(', ')} ms; ${others.map((each) => each.toFixed(1)).join(', ')} ms`,
  });
  return {
    title: 'Tools for agents',
    note: 'Processor time of the whole server for each call, threads included, with indexes and pages that were read before.',
    rows: [
      row('read_page', 'the page through Koa', measured.readPage, measured.page, 3),
      row('search_docs', '/api/search', measured.searchDocs, measured.search, 1.5),
    ],
  };
}

await whenRunAlone(import.meta.url, agents);
