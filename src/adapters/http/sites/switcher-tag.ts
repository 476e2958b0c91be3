import type { ByteRange, StoredFile } from '../../../application/index.js';
import type { Located } from '../../../domain/index.js';
import type { PublicAddress } from '../public-address.js';

/** Names of pages that get the tag. Not XHTML: anything after its root element makes it invalid. */
const TAKES_TAG = /\.html?$/i;

/**
 * The script tag appended to a page. A module, so that it runs once even if the page's author has added it too. It
 * follows `</html>`, where the HTML standard has browsers parse on as in the body: the page needs no parsing, and the
 * positions of its own bytes stay the same.
 */
const tagOf = (script: string) => Buffer.from(`\n<script type="module" src="${script}"></script>\n`);

/** Adds the version switcher to the pages of the projects that have it. */
export class SwitcherTag {
  private readonly tag: Buffer;

  /** @param byDefault for projects that do not set it themselves */
  constructor(
    private readonly byDefault = false,
    private readonly at: PublicAddress,
  ) {
    this.tag = tagOf(at.to('/-/switcher.js'));
  }

  /** A preview beside no versions decides by its own docinfo. */
  isFor({ project, version }: Located): boolean {
    return (project === undefined ? version.record.docinfo?.switcher : project.switcher) ?? this.byDefault;
  }

  /** The file to send, with the tag if it gets one. The tag is ASCII, which is no text in UTF-16. */
  addTo(file: StoredFile, name: string, located: Located): StoredFile {
    return this.isFor(located) && TAKES_TAG.test(name) && file.charset !== 'UTF-16'
      ? new TaggedFile(file, this.tag, `-switcher${this.at.basePath}`)
      : file;
  }
}

/** A file with the tag appended: size, validator and ranges cover both. */
class TaggedFile implements StoredFile {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly etag: string;
  readonly charset: string | undefined;

  constructor(
    private readonly file: StoredFile,
    private readonly tag: Buffer,
    /** Distinguishes pages with different tags. */
    etagSuffix: string,
  ) {
    this.size = file.size + tag.length;
    this.modifiedAt = file.modifiedAt;
    this.charset = file.charset;
    this.etag = file.etag + etagSuffix;
  }

  async *stream(range: ByteRange = { start: 0, end: this.size - 1 }): AsyncIterable<Uint8Array> {
    const { size } = this.file;
    if (range.start < size) {
      const isWhole = range.start === 0 && range.end >= size - 1;
      yield* this.file.stream(
        isWhole ? undefined : { start: range.start, end: Math.min(range.end, size - 1) },
      );
    } else await this.file.close();
    if (range.end >= size) yield this.tag.subarray(Math.max(0, range.start - size), range.end - size + 1);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
