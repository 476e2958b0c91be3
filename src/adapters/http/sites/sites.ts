import type { Context, Middleware } from 'koa';
import type { FoundFile, PageAnswer } from '../../../application/index.js';
import { isListed, isPage, type Located } from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { sendMissing } from '../own/missing.js';
import { ownPage } from '../own/own-page.js';
import { listAgeOf } from '../response/list-age.js';
import { prefersMarkdown } from '../response/prefers-markdown.js';
import { redirect } from '../response/redirect.js';
import { sendFile } from '../response/send-file.js';
import { sendText } from '../response/send-text.js';
import { NO_INDEX } from './indexing.js';
import { sendPageList } from './llms-txt.js';
import { sendMarkdown, tellOfMarkdown } from './markdown.js';
import { asMissingPage } from './own-missing-page.js';
import { sendArchive } from './send-archive.js';

/** Serves hosted sites, and all paths that are not the server's own. */
export function sites(parts: AppParts): Middleware {
  const { useCases, seen, switcher, indexing, at, readers } = parts;
  const sendPage = async (ctx: Context, found: FoundFile, status = 200) => {
    const { file, path } = found;
    const name = path.toString();
    try {
      if (status === 200) {
        await indexing.tell(ctx, found);
        tellOfMarkdown(ctx, at, found);
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    return sendFile(ctx, { file: switcher.addTo(file, name, found), name, status });
  };
  const ownMissingPage = async (page: FoundFile & { readonly root: string }, path: string) => {
    const isBelowRoot = path.indexOf('/', page.root.length) !== -1;
    const facts = { root: at.to(page.root), isBelowRoot, hasSwitcher: switcher.isFor(page) };
    return { ...page, file: await asMissingPage(page.file, facts) };
  };
  return async (ctx) => {
    const answer = await useCases.readPage.execute(seen.in(ctx), ctx.path, at);
    const shown = shownIn(answer);
    ctx.state.about = shown?.version.project;
    if (shown !== undefined && !isListed(shown)) ctx.set(NO_INDEX);
    switch (answer.kind) {
      case 'page':
        if (isPage(answer.path.toString()) && prefersMarkdown(ctx.headers)) {
          ctx.vary('Accept');
          ctx.state.markdownOf = answer;
          return sendMarkdown(ctx, parts, answer);
        }
        ctx.state.shows = answer;
        return sendPage(ctx, answer);
      case 'markdown':
        ctx.state.markdownOf = answer;
        return sendMarkdown(ctx, parts, answer);
      case 'pages':
        return sendPageList(ctx, parts, answer, answer.directory);
      case 'archive':
        return sendArchive(
          ctx,
          await useCases.downloadVersion.open(answer, !readers.isPublic(answer.version.project)),
        );
      case 'redirect':
        redirect(ctx, at.to(answer.to) + ctx.search + answer.fragment, answer.status);
        ctx.state.moves = answer.site;
        return;
      case 'other-root':
        return redirect(ctx, at.toSite(answer.to) + ctx.search);
      case 'listing':
        return sendListing(ctx, parts, answer);
      case 'missing':
        if (answer.missing.what === 'page') {
          ctx.state.misses = { version: answer.missing.version, path: answer.asked?.toString() };
        }
        if (answer.page === undefined) return sendMissing(ctx, parts, answer.missing, ctx.path);
        return sendPage(ctx, await ownMissingPage(answer.page, ctx.path), 404);
    }
  };
}

/** Returns what an answer is from: a version or a preview. */
function shownIn(answer: PageAnswer): Located | undefined {
  if ('version' in answer) return answer;
  if (answer.kind === 'redirect') return answer.site;
  return answer.kind === 'missing' && answer.missing.what === 'page' ? answer.missing : undefined;
}

/** Sends the file list of a site. It is made once per state of the version, also for concurrent requests. */
async function sendListing(
  ctx: Context,
  { useCases, pages, texts, turns, switcher }: AppParts,
  located: Located,
): Promise<void> {
  const { project, version } = located;
  const hasSwitcher = switcher.isFor(located);
  const make = async () => {
    const { paths, sizes = [], more } = await useCases.readPage.filesOf(version);
    await turns.next();
    return ownPage(pages.listing({ project, version, files: paths, sizes, more, hasSwitcher }));
  };
  const key = `listing/${version.revision}${hasSwitcher ? '+' : ''}${project === undefined ? '' : ' of a project'}`;
  await sendText(ctx, await texts.get(key, make, listAgeOf(version)));
}
