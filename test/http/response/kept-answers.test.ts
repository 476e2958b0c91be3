import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnswerTable, KeptAnswer, responseCache } from '../../../src/adapters/http/response/kept-answers.js';

/** An empty cache, and its memory. */
function empty(maxBytes: number) {
  const cache = responseCache(maxBytes) ?? assert.fail();
  return { kept: new AnswerTable(cache), bytes: () => cache.totalWeight };
}

const page = (text: string) =>
  new KeptAnswer(200, new Map([['ETag', `"${text}"`]]), Buffer.alloc(10_000, text));

describe('A cached response', () => {
  it('is found at each of its addresses, and counts once', () => {
    const { kept, bytes } = empty(100_000);
    const first = page('a');
    kept.keep('/a', 'a', first);
    const before = bytes();
    kept.keep('/a.html', 'a', page('a'));
    for (const address of ['/a', '/a.html']) assert.equal(kept.get(address), first);
    assert.ok(bytes() < before + 100, `${bytes()} bytes, ${before} with one address`);
    kept.keep('/a', 'a', page('a'));
    assert.equal(kept.get('/a.html'), first);
  });

  it('keeps its four newest addresses, however many lead to it', () => {
    const { kept, bytes } = empty(100_000);
    const addresses = Array.from({ length: 1_000 }, (_, number) => `/app/${number}`);
    for (const address of addresses) kept.keep(address, 'app', page('a'));
    assert.deepEqual(
      addresses.filter((address) => kept.get(address) !== undefined),
      addresses.slice(-4),
    );
    assert.ok(bytes() < 12_000);
  });

  it('counts the bytes of its addresses, perhaps longer than itself', () => {
    const { kept, bytes } = empty(100_000);
    for (let number = 0; number < 4; number += 1) kept.keep(`/${number}`.padEnd(8_000, '/x'), 'a', page('a'));
    assert.ok(bytes() > 40_000);
  });

  it('is dropped from all of its addresses for lack of room, and can return', () => {
    const { kept, bytes } = empty(25_000);
    for (const address of ['/a', '/a.html']) kept.keep(address, 'a', page('a'));
    kept.keep('/b', 'b', page('b'));
    kept.get('/a.html');
    kept.keep('/c', 'c', page('c'));
    assert.equal(kept.get('/b'), undefined);
    for (const address of ['/a', '/a.html']) assert.ok(kept.get(address), address);
    kept.get('/c');
    kept.keep('/d', 'd', page('d'));
    for (const address of ['/a', '/a.html']) assert.equal(kept.get(address), undefined, address);
    const again = page('a');
    kept.keep('/a', 'a', again);
    assert.equal(kept.get('/a'), again);
    assert.equal(kept.get('/a.html'), undefined);
    assert.ok(bytes() <= 25_000);
  });

  it('is not cached when too large alone, nor are its addresses', () => {
    const { kept, bytes } = empty(11_300);
    kept.keep('/a', 'a', page('a'));
    assert.ok(kept.get('/a'));
    kept.keep('/a'.padEnd(1_000, '/'), 'a', page('a'));
    assert.equal(kept.get('/a'), undefined);
    assert.equal(bytes(), 0);
  });
});
