import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReadMarkdown, type StoredFile } from '../../src/application/index.js';
import { Refusal } from '../../src/domain/index.js';
import { type MarkdownPage, READING_LIMITS } from '../../src/formats/html/index.js';

const PAGE: MarkdownPage = { title: '', blocks: [], isCut: false };

class FakeFile implements StoredFile {
  readonly modifiedAt = new Date(0);
  readonly etag = 'etag';
  isClosed = false;

  constructor(readonly size = 4) {}

  async *stream(range = { start: 0, end: this.size - 1 }) {
    yield new Uint8Array(range.end - range.start + 1);
    this.isClosed = true;
  }

  async close() {
    this.isClosed = true;
  }
}

describe('Reading a page as Markdown', () => {
  it('is refused where ten pages are converted or wait, before anything is read, and goes on after that', async () => {
    const release: (() => void)[] = [];
    const convert = () => new Promise<MarkdownPage>((resolve) => release.push(() => resolve(PAGE)));
    const read = new ReadMarkdown({ convert, close: async () => {} });
    const running = Array.from({ length: 10 }, () => read.execute(new FakeFile(), true));
    const file = new FakeFile();
    const isBusy = (error: unknown) => error instanceof Refusal && error.code === 'unavailable';
    await assert.rejects(read.execute(file, true), isBusy);
    assert.equal(file.isClosed, true);
    while (release.length < 10) await new Promise((resolve) => setImmediate(resolve));
    for (const each of release.splice(0)) each();
    await Promise.all(running);
    const next = read.execute(new FakeFile(), true);
    while (release.length < 1) await new Promise((resolve) => setImmediate(resolve));
    release[0]?.();
    assert.equal(await next, PAGE);
  });

  it('reads one byte more than count of a long page', async () => {
    const lengths: number[] = [];
    const convert = async (bytes: Uint8Array) => {
      lengths.push(bytes.length);
      return PAGE;
    };
    const read = new ReadMarkdown({ convert, close: async () => {} });
    await read.execute(new FakeFile(READING_LIMITS.bytes + 1_000), true);
    assert.deepEqual(lengths, [READING_LIMITS.bytes + 1]);
  });

  it('closes the file of a page that fails', async () => {
    const convert = async () => {
      throw new Error('no memory');
    };
    const file = new FakeFile();
    await assert.rejects(
      new ReadMarkdown({ convert, close: async () => {} }).execute(file, true),
      /no memory/,
    );
    assert.equal(file.isClosed, true);
  });
});
