import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { CountLoggedReads, type LoggedRequest } from '../../src/application/index.js';
import { mergedUsage } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';

const NOW = new Date('2026-11-23T12:00:00Z');
const ALL = { from: '2000-01-01', to: '2100-01-01' };
const docs = new MemoryDocStore();

describe('Counting the access log of a web server', () => {
  let store: MemoryUsageStore;
  let count: CountLoggedReads;
  before(async () => {
    const site = { 'index.html': 'x', 'guide/index.html': 'x', 'install.html': 'x', 'a.css': 'x' };
    await publish(docs, 'tool-1.0', site);
    await publish(docs, 'tool-2.0', site);
    await publish(docs, 'tool~pr-1', site);
  });
  beforeEach(() => {
    store = new MemoryUsageStore();
    count = new CountLoggedReads(docs, store);
  });
  const request = (path: string, more: Partial<LoggedRequest> = {}): LoggedRequest => {
    return { time: NOW, method: 'GET', path, status: 200, userAgent: 'Mozilla/5.0', ...more };
  };
  const run = (requests: readonly LoggedRequest[], writer = 'log-1') =>
    count.execute(
      (async function* () {
        yield* requests;
      })(),
      writer,
      NOW,
    );
  const counted = async () => {
    const days: Record<string, object> = {};
    for await (const { day, usages } of store.read('tool', ALL)) {
      for (const [label, { reads, misses }] of mergedUsage(usages)) {
        days[`${day} ${label}`] = { ...Object.fromEntries(reads.paths), ...Object.fromEntries(misses.paths) };
      }
    }
    return days;
  };

  it('counts pages by file, also by an alias and unchanged, and missing ones by path', async () => {
    const result = await run([
      request('/tool-1.0/'),
      request('/tool-1.0/index.html', { status: 304 }),
      request('/tool-latest/guide/'),
      request('/tool-2.0/install.html', { time: new Date('2026-11-20T23:59:59Z') }),
      request('/tool-2.0/%6Fld', { status: 404 }),
    ]);
    assert.deepEqual(result, { reads: 4, misses: 1, others: 0 });
    assert.deepEqual(await counted(), {
      '2026-11-20 2.0': { 'install.html': 1 },
      '2026-11-23 1.0': { 'index.html': 2 },
      '2026-11-23 2.0': { 'guide/index.html': 1, old: 1 },
    });
  });

  it('skips other files, methods, statuses, robots, previews, missing projects and other times', async () => {
    const result = await run([
      request('/tool-1.0/a.css'),
      request('/tool-1.0/gone.html'),
      request('/tool-1.0/', { method: 'HEAD' }),
      request('/tool-1.0/', { status: 206 }),
      request('/tool-1.0/', { userAgent: 'Googlebot/2.1' }),
      request('/tool~pr-1/'),
      request('/tool-9.0/'),
      request('/tool-1.0'),
      request('/'),
      request('/%'),
      request('/tool-1.0/', { time: new Date('2025-10-19T00:00:00Z') }),
      request('/tool-1.0/', { time: new Date('2026-11-24T00:00:00Z') }),
    ]);
    assert.deepEqual(result, { reads: 0, misses: 0, others: 12 });
    assert.deepEqual(await counted(), {});
  });

  it('replaces the counts from the same log, and adds the counts from other logs', async () => {
    const log = [request('/tool-1.0/'), request('/tool-1.0/')];
    await run(log);
    await run([...log, request('/tool-1.0/')]);
    assert.deepEqual(await counted(), { '2026-11-23 1.0': { 'index.html': 3 } });
    await run(log, 'log-2');
    assert.deepEqual(await counted(), { '2026-11-23 1.0': { 'index.html': 5 } });
  });

  it('writes nothing when a log cannot be read to its end', async () => {
    await run([request('/tool-1.0/')]);
    const broken = (async function* () {
      yield request('/tool-1.0/install.html');
      throw new Error('half a file');
    })();
    await assert.rejects(count.execute(broken, 'log-1', NOW), /half a file/);
    assert.deepEqual(await counted(), { '2026-11-23 1.0': { 'index.html': 1 } });
  });
});
