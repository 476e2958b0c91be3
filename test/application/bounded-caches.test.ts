import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { RedirectRules } from '../../src/application/index.js';
import { wordsOfName } from '../../src/application/search/query/resolve-words.js';
import {
  AccessPolicy,
  bytesOfText,
  LruCache,
  parseRedirects,
  type SitePath,
  type Version,
} from '../../src/domain/index.js';
import { ArchiveIndex } from '../../src/formats/index.js';
import { publish } from '../contracts/doc-store.js';

const numbers = (length: number) => Array.from({ length }, (_, index) => index);
/** `_redirects` of 2,000 rules with 60 components each: below every limit of such a file. */
const deepRules = () =>
  numbers(2_000)
    .map((n) => `/${n}${'/a'.repeat(60)} /b/${n}`)
    .join('\n');

describe('The memory limit of a cache, which counts bytes and not entries,', () => {
  it('counts keys', () => {
    const cache = new LruCache<string>(1_000, (_, key) => bytesOfText(key));
    cache.set('a'.repeat(500), 'A');
    cache.set('ü'.repeat(500), 'B');
    assert.equal(cache.get('a'.repeat(500)), undefined);
    assert.equal(cache.get('ü'.repeat(500)), 'B');
    cache.set('Ā'.repeat(500), 'C');
    assert.equal(cache.get('Ā'.repeat(500)), undefined);
  });

  it('subtracts the weight that a value had when it was stored', () => {
    const cache = new LruCache<string[]>(4, ({ length }) => length);
    const grown = cache.set('a', ['1', '2']);
    grown.push('3', '4', '5', '6');
    cache.delete('a');
    for (const key of ['b', 'c', 'd']) cache.set(key, ['1', '2']);
    assert.deepEqual(
      ['b', 'c', 'd'].map((key) => cache.get(key)?.length),
      [undefined, 2, 2],
    );
  });

  it('counts the components of redirects', async () => {
    // As measured: 15,900 bytes for a rule of 61 components, 1,760 for one of two.
    assert.ok(parseRedirects(deepRules()).bytes > 2_000 * 15_000);
    class CountingStore extends MemoryDocStore {
      reads = 0;
      override async open(version: Version, path: SitePath) {
        this.reads += path.toString() === '_redirects' ? 1 : 0;
        return super.open(version, path);
      }
    }
    const docs = new CountingStore();
    const rules = new RedirectRules(docs);
    for (const n of numbers(4)) await publish(docs, `deep-${n}.0`, { _redirects: deepRules() });
    const versions = [...docs.catalogue().all()];
    for (const each of [...versions, ...versions.slice(0, 1)]) await rules.of(each);
    assert.equal(docs.reads, 5);
    await rules.of(versions[0] ?? assert.fail());
    assert.equal(docs.reads, 5, 'the largest file that there can be is kept');
  });

  it('counts the words of names', () => {
    const nameOf = (n: number) => `n${n}${'-a'.repeat(100)}`;
    const [first, second] = [wordsOfName(nameOf(0)), wordsOfName(nameOf(1))];
    assert.equal(wordsOfName(nameOf(0)), first);
    for (const n of numbers(2_000)) wordsOfName(nameOf(n));
    assert.notEqual(wordsOfName(nameOf(1)), second);
  });

  it('counts the rules and names of readers', () => {
    const closed = numbers(10_000).map(
      (n) => [`p${n}`, { people: new Set<string>(), groups: new Set<string>() }] as const,
    );
    const policy = new AccessPolicy({ default: 'public', projects: new Map(closed) }, '1');
    const readerOf = (n: number) => policy.readerOf({ kind: 'person', name: `${n}`, groups: [] });
    const first = readerOf(0);
    assert.equal(readerOf(0), first);
    for (const n of numbers(200)) readerOf(n + 1);
    assert.notEqual(readerOf(0), first);
  });

  it("counts the paths of an archive's index", () => {
    const of = (length: number) =>
      ArchiveIndex.of(
        numbers(100).map((n) => ({
          ...{ path: `${'x'.repeat(length)}${n}`, offset: n, compressedSize: 1, size: 1 },
          ...{ method: 'deflated' as const, crc32: n },
        })),
      ).bytes;
    // As measured: 97 bytes for a path of 40 characters, 855 for one of 800.
    assert.ok(of(40) > 100 * 90 && of(40) < 100 * 130, String(of(40)));
    assert.ok(of(800) > 100 * 850, String(of(800)));
  });
});
