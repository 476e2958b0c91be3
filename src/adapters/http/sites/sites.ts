import type { Context, Middleware } from 'koa';
import type { FoundFile } from '../../../application/index.js';
import type { Version } from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { sendMissing } from '../own/missing.js';
import { ownPage } from '../own/own-page.js';
import { redirect } from '../response/redirect.js';
import { sendFile } from '../response/send-file.js';
import { sendText } from '../response/send-text.js';
import { sendArchive } from './send-archive.js';

/** Max. age of a copied-in directory's cached file list, in milliseconds: its files may change at any time. */
const COPIED_LIST_MS = 2_000;

/** Serves hosted sites, and all paths that are not the server's own. */
export function sites(parts: AppParts): Middleware {
  const { useCases, switcher, at } = parts;
  const sendPage = (ctx: Context, { file, path, project }: FoundFile, status = 200) => {
    const name = path.toString();
    return sendFile(ctx, { file: switcher.addTo(file, name, project), name, status });
  };
  return async (ctx) => {
    const answer = await useCases.readPage.execute(ctx.path);
    switch (answer.kind) {
      case 'page':
        ctx.state.shows = answer;
        return sendPage(ctx, answer);
      case 'archive':
        return sendArchive(ctx, useCases.downloadVersion, answer.project, answer.version);
      case 'redirect':
        return redirect(ctx, at.to(answer.to) + ctx.search, answer.permanent ? 308 : 302);
      case 'listing':
        return sendListing(ctx, parts, answer.version);
      case 'missing':
        return answer.page === undefined
          ? sendMissing(ctx, parts, answer.missing, ctx.path)
          : sendPage(ctx, answer.page, 404);
    }
  };
}

/** Sends the file list of a site. It is made once per state of the version, also for concurrent requests. */
async function sendListing(
  ctx: Context,
  { useCases, pages, texts }: AppParts,
  version: Version,
): Promise<void> {
  const make = async () => {
    const { paths, more } = await useCases.readPage.filesOf(version);
    return ownPage(pages.listing({ version, files: paths, more }));
  };
  const maxAgeMs = version.origin === 'copied' ? COPIED_LIST_MS : 0;
  await sendText(ctx, await texts.get(`listing/${version.revision}`, make, maxAgeMs));
}
