import type { Download, FoundFile, PageAnswer, StoredFile } from '../../../application/index.js';
import { archiveNameOf, isListed, isPage, type Located } from '../../../domain/index.js';
import { hasBase, insertInHead } from '../../../formats/html/insert-in-head.js';
import type { AppParts } from '../app-parts.js';
import { missingPage } from '../own/missing.js';
import {
  type Answer,
  type Asked,
  type Handle,
  NO_INDEX,
  ownPage,
  redirectTo,
  textAnswer,
} from '../response/answer.js';
import { bufferOf } from '../response/bodies.js';
import { prefersMarkdown } from '../response/negotiation.js';
import { listAgeOf } from '../response/texts.js';
import { pageList } from './llms-txt.js';
import { markdownAnswer, markdownLinks } from './markdown.js';

/** Max. size of a `404.html` that is changed, in bytes. A larger one is sent as it is. */
const MAX_CHANGED_BYTES = 1024 * 1024;

/** In pages whose authors have added the switcher. */
const SWITCHER = '/-/switcher.js';
/** Tells scripts that the page stands in for a missing one; `/-/switcher.js` then offers other pages. */
const MARK_OF_MISSING = '<meta name="lectern-status" content="404">';

/** An `href` or `src` that depends on where the page is: neither rooted, nor absolute, nor within the page. */
const RELATIVE_LINK = /\s(?:href|src)\s*=\s*["']?(?![a-z][a-z0-9+.-]*:|[/#"'>\s])/i;

/** Serves hosted sites, and all paths that are not the server's own. */
export function sites(parts: AppParts): Handle {
  return async (asked) => {
    const found = await parts.useCases.readPage.execute(asked.visitor.seen(), asked.path, parts.at);
    const shown = shownIn(found);
    const answer = await answerFor(found, asked, parts);
    if (shown === undefined) return answer;
    const about = shown.version.project;
    return isListed(shown)
      ? { ...answer, about }
      : { ...answer, about, headers: { ...answer.headers, ...NO_INDEX } };
  };
}

async function answerFor(found: PageAnswer, asked: Asked, parts: AppParts): Promise<Answer> {
  const { useCases, at, readers } = parts;
  switch (found.kind) {
    case 'page':
      return pageAnswer(found, asked, parts);
    case 'markdown':
      return markdownAnswer(found, asked, parts);
    case 'pages':
      return pageList(found, asked, parts);
    case 'archive':
      return archiveAnswer(
        await useCases.downloadVersion.open(found, !readers.isPublic(found.version.project)),
      );
    case 'redirect': {
      const { to, fragment, status, site } = found;
      const keep = site && { site };
      return { ...redirectTo(at.to(to) + asked.search + fragment, status), keep };
    }
    case 'other-root':
      return redirectTo(at.toSite(found.to) + asked.search);
    case 'listing':
      return listing(found, parts);
    case 'missing': {
      const { missing, page } = found;
      const answer =
        page === undefined
          ? await missingPage(asked, parts, missing, asked.path)
          : await ownMissingPage(page, asked.path, parts);
      if (missing.what !== 'page') return answer;
      return { ...answer, counts: { as: 'misses', version: missing.version, path: found.asked?.toString() } };
    }
  }
}

async function pageAnswer(found: FoundFile, asked: Asked, parts: AppParts): Promise<Answer> {
  if (!isPage(found.path.toString())) return fileAnswer(found, parts);
  const vary = ['Accept'];
  if (prefersMarkdown(asked.headers)) return { ...(await markdownAnswer(found, asked, parts)), vary };
  try {
    const { headers, link } = await indexingOf(found, parts);
    const links = [...(link === undefined ? [] : [link]), ...markdownLinks(found, parts.at)];
    return fileAnswer(found, parts, { ...headers, Link: links.join(', ') }, vary);
  } catch (error) {
    await found.file.close();
    throw error;
  }
}

/** Returns the answer with a file of a site. It may be repeated from memory; pages are counted. */
function fileAnswer(
  found: FoundFile,
  { switcher }: AppParts,
  headers?: Answer['headers'],
  vary?: Answer['vary'],
): Answer {
  const { version, path, file } = found;
  const name = path.toString();
  const counts: Answer['counts'] = isPage(name) ? { as: 'reads', version, path: name } : undefined;
  const body = { file: switcher.addTo(file, name, found), name };
  return { status: 200, cache: 'revalidate', headers, vary, body, keep: { site: found, path }, counts };
}

/** Tells search engines which version of a page to show (contract section 7). */
async function indexingOf(
  { project, version, path }: FoundFile,
  { at, useCases }: AppParts,
): Promise<{ readonly headers?: Answer['headers']; readonly link?: string }> {
  // A canonical address has to be absolute, and never what a request says of the host.
  if (at.fixed === undefined || project === undefined || !isListed({ project, version })) return {};
  const canonical = await useCases.canonicalPage.execute(project, version, path, at.everywhere);
  if (canonical === undefined) return { headers: NO_INDEX };
  return { link: `<${at.canonical(canonical)}>; rel="canonical"` };
}

/** Returns what an answer is from: a version or a preview. */
function shownIn(answer: PageAnswer): Located | undefined {
  if ('version' in answer) return answer;
  if (answer.kind === 'redirect') return answer.site;
  return answer.kind === 'missing' && answer.missing.what === 'page' ? answer.missing : undefined;
}

/** The file list of a site. It is made once per state of the version, also for concurrent requests. */
async function listing(
  located: Located,
  { useCases, pages, texts, turns, switcher }: AppParts,
): Promise<Answer> {
  const { project, version } = located;
  const hasSwitcher = switcher.isFor(located);
  const make = async () => {
    const { paths, sizes = [], more } = await useCases.readPage.filesOf(version);
    await turns.next();
    return ownPage(pages.listing({ project, version, files: paths, sizes, more, hasSwitcher }));
  };
  const key = `listing/${version.revision}${hasSwitcher ? '+' : ''}${project === undefined ? '' : ' of a project'}`;
  return textAnswer(await texts.get(key, make, listAgeOf(version)));
}

/**
 * A site's own `404.html` as the answer for a missing page. Relative links and styles are meant for the root of the site:
 * below it, a `<base>` says where the root is, unless the page has one. A page without them stays as it is, and links
 * within it (`#part`) go on working. A page with the switcher is marked for its script.
 */
async function ownMissingPage(
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
  if (file.size > MAX_CHANGED_BYTES) return file;
  const { modifiedAt, etag, charset } = file;
  const page = await bufferOf(file.stream());
  const html = page.toString('latin1');
  const needsBase = RELATIVE_LINK.test(html) && !hasBase(page);
  const mark = hasSwitcher || html.includes(SWITCHER) ? MARK_OF_MISSING : '';
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

/**
 * A version's archive, named after the version that `latest` resolved to, or a redirect to the store that has it. Not for search
 * engines: archives are the largest thing that a crawler can take, and nothing that a search finds.
 */
export function archiveAnswer(download: Download): Answer {
  if ('url' in download) {
    const redirect = redirectTo(download.url);
    // The address is signed, and valid for minutes only.
    return { ...redirect, cache: 'never', headers: { ...redirect.headers, ...NO_INDEX } };
  }
  const name = archiveNameOf(download.version.directoryName);
  return {
    status: 200,
    cache: 'revalidate',
    headers: { ...NO_INDEX, 'Content-Disposition': `attachment; filename="${name}"` },
    body: { file: download.file, name },
  };
}
