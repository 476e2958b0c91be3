import { isPage } from '../../../domain/index.js';
import { type RootedLinks, rootedLinksOf } from '../../../formats/html/rooted-links.js';
import type { ArchiveEntry } from '../reading/archive-entry.js';
import type { CheckedArchive } from '../reading/checked-archive.js';
import type { Sink } from './content.js';

/** Pages that are looked at, besides the front page. */
const MAX_PAGES = 10;
/** Larger pages are not looked at. */
const MAX_BYTES = 256 * 1024;

/** Some pages from all over a site, collected while its content is read. */
export class PageSample {
  private readonly chosen: ReadonlySet<ArchiveEntry>;
  private readonly chunks = new Map<ArchiveEntry, Buffer[]>();

  constructor(private readonly archive: CheckedArchive) {
    const { files, top } = archive;
    // MkDocs and others write 404.html for the root of a host, whatever they do in all other pages.
    const isLookedAt = ({ path, size }: ArchiveEntry) =>
      isPage(path) && size <= MAX_BYTES && path !== `${top}404.html`;
    const pages = files.filter(isLookedAt);
    const step = Math.max(1, pages.length / MAX_PAGES);
    const isFront = ({ path }: ArchiveEntry) => path === `${top}index.html`;
    this.chosen = new Set(pages.filter((page, at) => isFront(page) || Math.floor(at % step) === 0));
  }

  /** A sink that also keeps the content if the entry is one of the sample. */
  keeping(entry: ArchiveEntry, sink: Sink): Sink {
    if (!this.chosen.has(entry)) return sink;
    const kept: Buffer[] = [];
    this.chunks.set(entry, kept);
    return (bytes) => {
      kept.push(Buffer.from(bytes));
      sink(bytes);
    };
  }

  rootedLinks(): RootedLinks | undefined {
    const { files, top } = this.archive;
    const pages = [...this.chunks.values()].map((chunks) => Buffer.concat(chunks).toString());
    let paths: ReadonlySet<string> | undefined;
    return rootedLinksOf(pages, (path) => {
      paths ??= new Set(files.map((file) => file.path));
      return paths.has(top + path);
    });
  }
}
