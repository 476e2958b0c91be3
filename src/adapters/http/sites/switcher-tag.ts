import type { ByteRange, StoredFile } from '../../../application/index.js';
import type { Project } from '../../../domain/index.js';
import { PublicAddress } from '../public-address.js';

/**
 * What is added to a page: a module, so that a page whose author has put it in already runs it once all the same.
 * It follows `</html>`, where the HTML standard has browsers read on as if it stood in the body: so the page needs
 * no reading, its own bytes stay as they are, and their positions too.
 */
const tagOf = (script: string) => Buffer.from(`\n<script type="module" src="${script}"></script>\n`);

/** Adds the version switcher to the pages of those projects that are to have it. */
export class SwitcherTag {
  private readonly tag: Buffer;

  /** @param byDefault what holds for projects that do not say themselves */
  constructor(
    private readonly byDefault = false,
    private readonly at = new PublicAddress(),
  ) {
    this.tag = tagOf(at.to('/-/switcher.js'));
  }

  isFor(project: Project | undefined): boolean {
    return project?.switcher ?? this.byDefault;
  }

  /** Whether a file goes out with the tag: when it is a page, and its project is to have the switcher. */
  isAddedTo(name: string, project: Project | undefined): boolean {
    return this.isFor(project) && isPage(name);
  }

  /** The file as it goes out. */
  addTo(file: StoredFile, name: string, project: Project | undefined): StoredFile {
    return this.isAddedTo(name, project)
      ? new TaggedFile(file, this.tag, `-switcher${this.at.basePath}`)
      : file;
  }
}

/** Not XHTML: anything behind its root element makes it unreadable. */
function isPage(name: string): boolean {
  return /\.html?$/i.test(name);
}

/** A file, and the tag behind it: size, validator and ranges are those of both together. */
class TaggedFile implements StoredFile {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly etag: string;

  constructor(
    private readonly file: StoredFile,
    private readonly tag: Buffer,
    /** Another tag is another page. */
    etagSuffix: string,
  ) {
    this.size = file.size + tag.length;
    this.modifiedAt = file.modifiedAt;
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
