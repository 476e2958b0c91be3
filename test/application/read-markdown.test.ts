import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReadMarkdown, type StoredFile } from '../../src/application/index.js';
import { refuse } from '../../src/domain/index.js';
import { MarkdownPage, READING_LIMITS } from '../../src/formats/html/index.js';

const PAGE = MarkdownPage.of({ title: '', isCut: false }, []);

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
  it('reads one byte more than the limit of a long page', async () => {
    const lengths: number[] = [];
    const convert = async (read: () => Promise<Uint8Array>) => {
      lengths.push((await read()).length);
      return PAGE;
    };
    const read = new ReadMarkdown({ convert });
    await read.execute(new FakeFile(READING_LIMITS.bytes + 1_000), true);
    assert.deepEqual(lengths, [READING_LIMITS.bytes + 1]);
  });

  it('closes the file of a refused page without reading it', async () => {
    const convert = async () => {
      throw refuse.markdownBusy();
    };
    const file = new FakeFile();
    file.stream = () => assert.fail('the file was read');
    await assert.rejects(new ReadMarkdown({ convert }).execute(file, true), refuse.markdownBusy());
    assert.equal(file.isClosed, true);
  });
});
