import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { FindPage, ReadPage, RedirectRules } from '../../src/application/index.js';
import { PageAddress, type SitePath, type Version } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { seenIn } from '../support/seen-in.js';

/** A store that counts how often the rules of each version are read. */
class CountingStore extends MemoryDocStore {
  readonly reads = new Map<string, number>();

  override async open(version: Version, path: SitePath) {
    if (path.toString() === '_redirects') {
      this.reads.set(version.revision, (this.reads.get(version.revision) ?? 0) + 1);
    }
    return super.open(version, path);
  }
}

async function versionOf(docs: MemoryDocStore, name: string, rules: string): Promise<Version> {
  await publish(docs, name, { 'index.html': 'x', _redirects: rules });
  return docs.catalogue().version(name) ?? assert.fail(name);
}

describe('The redirects of versions', () => {
  it('are read once for each publication', async () => {
    const docs = new CountingStore();
    const rules = new RedirectRules(docs);
    const version = await versionOf(docs, 'tool-1.0', '/a /b');
    for (let round = 0; round < 3; round++) assert.equal((await rules.of(version)).rules.length, 1);
    assert.equal(docs.reads.get(version.revision), 1);
  });

  it('stay in memory within bounds: the least recently used are dropped', async () => {
    const docs = new CountingStore();
    const rules = new RedirectRules(docs);
    const text = Array.from({ length: 2_000 }, (_, index) => `/old-${index} /new-${index}`).join('\n');
    const versions: Version[] = [];
    for (let label = 0; label < 30; label++) versions.push(await versionOf(docs, `tool-1.${label}`, text));
    const [first, ...others] = versions;
    assert.ok(first);
    const second = others[0] ?? assert.fail();
    for (const version of versions) {
      await rules.of(version);
      await rules.of(first);
    }
    await rules.of(second);
    assert.equal(docs.reads.get(first.revision), 1);
    assert.equal(docs.reads.get(second.revision), 2);
  });

  it('are ignored while the page exists', async () => {
    const docs = new CountingStore();
    await versionOf(docs, 'tool-1.0', '/index.html /b');
    const read = new ReadPage(docs);
    assert.equal((await read.execute(seenIn(docs), '/tool-1.0/')).kind, 'page');
    assert.equal((await read.execute(seenIn(docs), '/tool-1.0')).kind, 'redirect');
    assert.equal(docs.reads.size, 0);
  });

  it('end after some steps in an endless chain', async () => {
    const docs = new MemoryDocStore();
    const version = await versionOf(docs, 'tool-1.0', '/* /more/:splat');
    const project = docs.catalogue().project('tool') ?? assert.fail();
    const pages = new FindPage(docs);
    const asked = PageAddress.fromUrl('a') ?? assert.fail();
    assert.equal(await pages.moved({ project, version }, asked), undefined);
  });

  it('redirect from the root of a site without a front page', async () => {
    const docs = new MemoryDocStore();
    await publish(docs, 'bare-1.0', { 'start.html': 'x', _redirects: '/ /start.html' });
    const answer = await new ReadPage(docs).execute(seenIn(docs), '/bare-1.0/');
    const site = docs.catalogue().locate('bare-1.0');
    assert.deepEqual(answer, {
      kind: 'redirect',
      to: '/bare-1.0/start.html',
      status: 302,
      fragment: '',
      site,
    });
  });
});
