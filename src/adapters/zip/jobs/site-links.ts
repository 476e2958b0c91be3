import type { FoundLinks } from '../../../application/ports/archives.js';
import { LINK_BUDGET } from '../../../application/ports/link-checking.js';
import { isPage } from '../../../domain/index.js';
import { BYTES_TO_READ } from '../../../formats/html/reading-limits.js';
import { checkLinkFile } from '../../../node/links/check-link-file.js';
import { LinkFileWriter } from '../../../node/links/link-file-writer.js';
import type { Sink } from './content.js';

/** Reads the links of a site's pages while their content is read, one file after the other. */
export class SiteLinks {
  private readonly file = new LinkFileWriter(LINK_BUDGET);
  private reading: { readonly path: string; readonly chunks: Buffer[]; bytes: number } | undefined;

  /** A sink that also keeps the content of a page, which is read next. */
  watching(path: string, sink: Sink): Sink {
    this.finish();
    if (!isPage(path)) return sink;
    const reading = { path, chunks: [] as Buffer[], bytes: 0 };
    this.reading = reading;
    return (bytes) => {
      if (reading.bytes < BYTES_TO_READ) reading.chunks.push(Buffer.from(bytes));
      reading.bytes += bytes.length;
      sink(bytes);
    };
  }

  /** Checks the links, once all content has been read. @param redirects text of `_redirects` */
  async found(paths: readonly string[], redirects: string): Promise<FoundLinks> {
    this.finish();
    const { file } = this.file.end();
    const site = { file, paths, redirects };
    return { file, ...(await checkLinkFile(site, undefined, this.file.idsByPath)) };
  }

  private finish(): void {
    if (this.reading === undefined) return;
    const { path, chunks } = this.reading;
    this.reading = undefined;
    const [first] = chunks;
    this.file.add(path, chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
  }
}
