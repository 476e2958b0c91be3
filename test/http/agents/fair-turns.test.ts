import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../support/server.js';

/** More than may be converted or wait at a time. */
const FLOOD = 44;

describe('The Markdown of pages while one client has too many requests waiting', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ trustProxy: true });
    const slow = `<title>Slow</title>${'<p>Some words.'.repeat(40_000)}`;
    const pages = Array.from({ length: FLOOD }, (_, number) => [`slow-${number}.html`, slow]);
    await server.upload('kettle-1.0-docs.zip', {
      'index.html': '<title>Kettle</title><h1>Kettle</h1>',
      'lid.html': '<title>Lid</title><h1>Lid</h1>',
      ...Object.fromEntries(pages),
    });
  });
  after(() => server.close());

  const markdownFor = (address: string, path: string) =>
    server.fetch(`/kettle-1.0/${path}.md`, { headers: { 'X-Forwarded-For': address } });
  const readFor = async (address: string, args: Readonly<Record<string, string>>) => {
    const params = { name: 'read_page', arguments: { project: 'kettle', ...args } };
    const response = await server.fetch('/-/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'X-Forwarded-For': address,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return response.text();
  };

  it('is converted for another client before most waiting requests, and only the first client is refused', async () => {
    const statuses: number[] = [];
    const flood = Array.from({ length: FLOOD }, async (_, number) => {
      const response = await markdownFor('10.0.0.1', `slow-${number}.html`);
      await response.text();
      statuses.push(response.status);
      return response;
    });
    await Promise.race(flood);
    const [page, answer] = await Promise.all([
      markdownFor('10.0.0.2', 'index.html'),
      readFor('10.0.0.2', { path: 'lid.html', query: 'lid' }),
    ]);
    assert.equal(page.status, 200);
    assert.match(answer, /# Lid/);
    const meanwhile = statuses.filter((status) => status === 200).length;
    assert.ok(meanwhile < FLOOD / 2, `${meanwhile} pages were converted first`);
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 503);
    assert.ok(refused.length > 0 && statuses.every((status) => status === 200 || status === 503));
    assert.ok(refused.every(({ headers }) => headers.has('Retry-After')));
  });
});
