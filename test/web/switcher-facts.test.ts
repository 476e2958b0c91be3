import assert from 'node:assert/strict';
import { it } from 'node:test';
import { publicDirectory } from '../../src/adapters/web/index.js';

it('The switcher knows nothing of a page whose server does not answer, and fails no page for it', async (t) => {
  Object.assign(globalThis, { location: { pathname: '/a-1.0/guide.html' } });
  t.after(() => void Reflect.deleteProperty(globalThis, 'location'));
  const { factsHere } = (await import(`${publicDirectory}/-/switcher/page.js`)) as {
    factsHere(): Promise<unknown>;
  };
  const answers = [Promise.reject(new TypeError('Failed to fetch')), new Response('{}', { status: 404 })];
  for (const answer of answers) {
    t.mock.method(globalThis, 'fetch', async () => answer);
    assert.equal(await factsHere(), undefined);
  }
});
