import type { Middleware } from 'koa';
import type { ShowUsage } from '../../../application/index.js';
import { recentUsage, usageDaysOf } from '../api/usage-of.js';
import type { AppParts } from '../app-parts.js';
import { sendText } from '../response/send-text.js';
import { sendMissing } from './missing.js';
import { ownPage } from './own-page.js';

/** `/-/projects/<project>/usage`: how a project is read. */
export function sendUsage(parts: AppParts, showUsage: ShowUsage): Middleware {
  const { seen, pages, texts } = parts;
  return async (ctx) => {
    const { project: name } = ctx.params;
    const days = usageDaysOf(ctx);
    const project = seen.in(ctx).listedProject(name);
    if (project === undefined) return sendMissing(ctx, parts, { what: 'project' }, `/${name}`);
    const make = async () => {
      const usage = await showUsage.execute(seen.in(ctx), name, days);
      return ownPage(pages.usage({ usage, days }));
    };
    await sendText(ctx, await recentUsage(texts, { kind: 'page', project, days }, make));
  };
}
