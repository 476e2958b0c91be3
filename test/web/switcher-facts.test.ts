import assert from 'node:assert/strict';
import { it } from 'node:test';
import { publicDirectory } from '../../src/adapters/web/index.js';

it('leaves a page unaffected in the switcher when its server does not respond', async (t) => {
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
