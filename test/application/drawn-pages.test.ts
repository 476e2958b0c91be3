import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import type { PageMarkdown } from '../../src/application/index.js';
import { DrawnPages } from '../../src/application/pages/drawn-pages.js';
import type { SitePath, Version } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { DOCSIFY } from '../support/drawn-files.js';

/** Notes whether the file that was opened last is closed. */
class NotingStore extends MemoryDocStore {
  isClosed = false;

  override async open(version: Version, path: SitePath) {
    const entry = await super.open(version, path);
    if (entry?.kind !== 'file') return entry;
    this.isClosed = false;
    const close = async () => {
      this.isClosed = true;
    };
    const { size, etag, modifiedAt, charset } = entry.file;
    const stream = entry.file.stream.bind(entry.file);
    return { ...entry, file: { size, etag, modifiedAt, charset, stream, close } };
  }
}

describe('A page that a script draws', () => {
  const pageOf = async (drawnPages: PageMarkdown['drawnPages'], docs: NotingStore) => {
    const { version } = await publish(docs, 'tool-1.0', DOCSIFY);
    const pages = new DrawnPages(docs, { drawnPages });
    const path = (await pages.pathsOf(version)).find((each) => each.includes('guide'));
    return pages.at(version, path ?? assert.fail('there is no guide'));
  };

  it('is read from a file that stays open until its turn, and is closed afterwards', async () => {
    const docs = new NotingStore();
    await pageOf(async (_site, _file, read) => {
      await turn();
      assert.equal(docs.isClosed, false);
      assert.match(String(Buffer.from(await read())), /napkin/);
      return [];
    }, docs);
    assert.equal(docs.isClosed, true);
  });

  it('leaves no file open when it is refused before reading', async () => {
    const docs = new NotingStore();
    const refused = pageOf(() => Promise.reject(new Error('too many wait')), docs);
    await assert.rejects(refused, /too many wait/);
    assert.equal(docs.isClosed, true);
  });
});
