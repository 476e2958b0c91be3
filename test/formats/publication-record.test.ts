import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { publicationFields } from '../../src/formats/publication-record.js';

const STORED = {
  project: 'a',
  version: '1.0',
  publishedAt: '2026-01-02T03:04:05.000Z',
  archive: { size: 1, sha256: '0'.repeat(64) },
  site: { files: 1, bytes: 1 },
  token: 'ci',
};
const SOURCE = {
  toldBy: 'issuer',
  repository: 'acme/widgets',
  commit: 'abc1234',
  service: { name: 'github', address: 'https://github.com' },
};

const sourceIn = (source: unknown) => z.object(publicationFields).parse({ ...STORED, source }).source;

describe('The source in a stored record', () => {
  it('is read as written', () => {
    assert.deepEqual(sourceIn(SOURCE), SOURCE);
    assert.equal(sourceIn(undefined), undefined);
  });

  for (const [what, more] of [
    ['a repository with ..', { repository: '../../evil' }],
    ['a commit with a quote', { commit: 'abc1234"' }],
    ['a reference with a line break', { ref: 'main\nx' }],
    ['an invalid run', { run: 'javascript:alert(1)' }],
    ['a javascript: address', { service: { name: 'github', address: 'javascript:alert(1)//' } }],
    ['an address with a login', { service: { name: 'github', address: 'https://a:b@github.com' } }],
    ['an address with a query', { service: { name: 'github', address: 'https://github.com?x=' } }],
    ['an address that ends in a slash', { service: { name: 'github', address: 'https://github.com/' } }],
    ['an unknown service', { service: { name: 'later', address: 'https://example.org' } }],
    ['an unknown teller', { toldBy: 'later' }],
  ] as const) {
    it(`is dropped with ${what}, and the rest of the record stays`, () => {
      assert.equal(sourceIn({ ...SOURCE, ...more }), undefined);
    });
  }
});
