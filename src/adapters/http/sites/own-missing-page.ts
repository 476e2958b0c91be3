import type { StoredFile } from '../../../application/index.js';
import { hasBase, insertInHead } from '../../../formats/html/insert-in-head.js';
import { bufferOf } from '../response/bodies.js';

/** Max. size of a `404.html` that is changed, in bytes. A larger one is sent as it is. */
const MAX_BYTES = 1024 * 1024;

/** In pages whose authors have added the switcher. */
const SWITCHER = '/-/switcher.js';
/** Tells scripts that the page stands in for a missing one; `/-/switcher.js` then offers other pages. */
const MARK = '<meta name="lectern-status" content="404">';

/** An `href` or `src` that depends on where the page is: neither rooted, nor absolute, nor within the page. */
const RELATIVE_LINK = /\s(?:href|src)\s*=\s*["']?(?![a-z][a-z0-9+.-]*:|[/#"'>\s])/i;

/**
 * A site's own `404.html` as it is sent for a missing page. Relative links and styles are meant for the root of the site:
 * below it, a `<base>` says where the root is, unless the page has one. A page without them stays as it is, and links
 * within it (`#part`) go on working. A page with the switcher is marked for its script.
 * @param root address of the site's root, with a `/` at its end
 */
export async function asMissingPage(
  file: StoredFile,
  { root, isBelowRoot, hasSwitcher }: MissingPageFacts,
): Promise<StoredFile> {
  if (file.size > MAX_BYTES) return file;
  const { modifiedAt, etag, charset } = file;
  const page = await bufferOf(file.stream());
  const html = page.toString('latin1');
  const base = isBelowRoot && RELATIVE_LINK.test(html) && !hasBase(page) ? `<base href="${root}">` : '';
  const mark = hasSwitcher || html.includes(SWITCHER) ? MARK : '';
  const bytes = insertInHead(page, base + mark);
  return {
    size: bytes.length,
    modifiedAt,
    etag: `${etag}-404`,
    charset,
    async *stream() {
      yield bytes;
    },
    async close() {},
  };
}

interface MissingPageFacts {
  readonly root: string;
  readonly isBelowRoot: boolean;
  /** Whether the page gets the tag of the switcher. */
  readonly hasSwitcher: boolean;
}
