import type { RefusedCharsets } from '../../../application/ports/archives.js';
import { CharsetReader, textKindOf } from '../../../node/content-type.js';
import type { Sink } from './content.js';

/** Max. files whose refused declarations are named. */
const MAX_NAMED = 3;

/** Finds the charsets of a site's text files while their content is read, one file after the other. */
export class SiteCharsets {
  private readonly charsets = new Map<string, string>();
  private readonly first: { path: string; label: string }[] = [];
  private count = 0;
  /** Whether a file has characters beyond ASCII in another charset than UTF-8. */
  private isMixed = false;
  private reading: { readonly path: string; readonly reader: CharsetReader } | undefined;

  /** A sink that also looks at the content of a text file, which is read next. */
  watching(path: string, sink: Sink): Sink {
    const kind = textKindOf(path);
    if (kind === undefined) return sink;
    this.finish();
    const reader = new CharsetReader(kind);
    this.reading = { path, reader };
    return (bytes) => {
      reader.take(bytes);
      sink(bytes);
    };
  }

  /**
   * Charsets by path, without UTF-8, once all content has been read. Empty for a site in which only ASCII pages declare
   * others: it's the same bytes in UTF-8. Beside a script or style in another charset these have their own, which it takes on.
   */
  found(): ReadonlyMap<string, string> {
    this.finish();
    return this.isMixed ? this.charsets : new Map();
  }

  refused(): RefusedCharsets | undefined {
    this.finish();
    return this.count === 0 ? undefined : { first: this.first, count: this.count };
  }

  private finish(): void {
    if (this.reading === undefined) return;
    const { path, reader } = this.reading;
    this.reading = undefined;
    const { charset, refused } = reader.find();
    if (charset !== undefined) {
      this.charsets.set(path, charset);
      this.isMixed ||= !reader.isAscii;
    }
    if (refused === undefined) return;
    this.count += 1;
    if (this.first.length < MAX_NAMED) this.first.push({ path, label: refused });
  }
}
