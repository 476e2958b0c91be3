import type { FoundFile, StoredFile } from '../../../application/index.js';
import { hasBase, insertInHead } from '../../../formats/html/insert-in-head.js';
import type { AppParts } from '../app-parts.js';
import type { Answer } from '../response/answer.js';
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
 * A site's own `404.html` as the answer for a missing page. Relative links and styles are meant for the root of the site:
 * below it, a `<base>` says where the root is, unless the page has one. A page without them stays as it is, and links
 * within it (`#part`) go on working. A page with the switcher is marked for its script.
 */
export async function ownMissingPage(
  page: FoundFile & { readonly root: string },
  path: string,
  { at, switcher }: AppParts,
): Promise<Answer> {
  const name = page.path.toString();
  const isBelowRoot = path.indexOf('/', page.root.length) !== -1;
  const base = isBelowRoot ? `<base href="${at.to(page.root)}">` : '';
  const file = await changed(page.file, base, switcher.isFor(page));
  return { status: 404, cache: 'revalidate', body: { file: switcher.addTo(file, name, page), name } };
}

/** @param hasSwitcher whether the page gets the tag of the switcher */
async function changed(file: StoredFile, base: string, hasSwitcher: boolean): Promise<StoredFile> {
  if (file.size > MAX_BYTES) return file;
  const { modifiedAt, etag, charset } = file;
  const page = await bufferOf(file.stream());
  const html = page.toString('latin1');
  const needsBase = RELATIVE_LINK.test(html) && !hasBase(page);
  const mark = hasSwitcher || html.includes(SWITCHER) ? MARK : '';
  const bytes = insertInHead(page, (needsBase ? base : '') + mark);
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
