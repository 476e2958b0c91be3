import assert from 'node:assert/strict';
import { it } from 'node:test';
import { answerMcp } from '../../../src/adapters/http/agents/mcp-handler.js';
import { Catalogue } from '../../../src/domain/index.js';
import { seenIn } from '../../support/seen-in.js';

it('logs a failure inside the server, and hides its message from the client', async () => {
  const inside = new Error('ENOENT: /srv/docs/.lectern/secret');
  const failed: unknown[] = [];
  const tools = {
    find_project: { description: '', properties: {}, answer: () => Promise.reject(inside) },
  };
  const params = { name: 'find_project', arguments: {} };
  const request = new Request('http://localhost/-/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const caller = {
    look: () => seenIn({ catalogue: () => Catalogue.empty }),
    byPath: (text: string) => text,
    waiter: {},
    isRestricted: false,
    failed: (error: unknown) => failed.push(error),
  };
  const text = await (await answerMcp(tools, 'test', caller, request, 'either')).text();
  assert.match(text, /"code":-32603,"message":"The server failed"/);
  assert.doesNotMatch(text, /secret/);
  assert.deepEqual(failed, [inside]);
});
