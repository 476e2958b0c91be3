import type { FoundFile, PageAnswer } from '../../../application/index.js';
import { isListed, isPage, type Located } from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { missingPage } from '../own/missing.js';
import { ownPage } from '../own/own-page.js';
import {
  type Answer,
  type Asked,
  type Handle,
  NO_INDEX,
  redirectTo,
  textAnswer,
} from '../response/answer.js';
import { prefersMarkdown } from '../response/negotiation.js';
import { listAgeOf } from '../response/texts.js';
import { archiveAnswer } from './archive.js';
import { pageList } from './llms-txt.js';
import { markdownAnswer, markdownLinks } from './markdown.js';
import { ownMissingPage } from './own-missing-page.js';

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

/** Any file of a site. It may be repeated from memory; those of pages are counted. */
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
