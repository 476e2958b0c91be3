import type { Context, Middleware } from 'koa';
import type { ShowUsage } from '../../../application/index.js';
import { isListed } from '../../../domain/index.js';
import { recentUsage, usageDaysOf } from '../api/usage-of.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { setCachePolicy } from '../response/cache-policy.js';
import { sendText, Text } from '../response/send-text.js';
import { sendMissing } from './missing.js';
import { ownPage } from './own-page.js';
import { LIST_FORMATS, switcherBody, versionList } from './version-lists.js';

const SVG = 'image/svg+xml; charset=utf-8';

/** `/-/projects/<project>`: the page of one project. */
export function sendProject(parts: AppParts): Middleware {
  const { useCases, seen, pages, at, texts, turns } = parts;
  return async (ctx) => {
    const project = seen.in(ctx).listedProject(ctx.params.project);
    if (project === undefined) return sendMissing(ctx, parts, { what: 'project' }, lastPartOf(ctx));
    const previews = await useCases.showPreviews.ofProject(seen.in(ctx), project.directoryName);
    const diskUse = await useCases.diskUse(project.directoryName);
    const revisions = [project.revision, ...previews.map((preview) => preview.revision)];
    const revision = [...revisions, ...Object.values(diskUse)].join(' ');
    // Never the client's name for the server: the page is cached for all clients.
    const address = at.fixed;
    const page = await texts.get(`project/${project.directoryName} ${revision}`, async () => {
      await turns.next();
      const { applyRetention } = useCases;
      const plan = applyRetention.planOf(project).filter(({ version }) => isListed({ project, version }));
      const retention = { rules: applyRetention.rulesOf(project), plan };
      return ownPage(pages.project({ project, previews, retention, diskUse, address }));
    });
    await sendText(ctx, page);
  };
}

/** `/-/projects/<project>/versions.json`: the versions in the format of a theme's own selector. */
export function sendVersionList({ seen, at, texts }: AppParts): Middleware {
  return async (ctx) => {
    const project = seen.in(ctx).listedProject(ctx.params.project);
    if (project === undefined) throw new HttpFault('not_found', 'There is no such project');
    const { format: wanted = 'mike', version } = ctx.query;
    const format = LIST_FORMATS.find((each) => each === wanted);
    if (format === undefined) {
      throw new HttpFault('invalid_request', `'format' is one of ${LIST_FORMATS.join(', ')}`);
    }
    const current = project.versions.find(({ directoryName }) => directoryName === version);
    const key = `versions/${format}/${(current ?? project).directoryName} ${project.revision}`;
    const list = await texts.get(key, () => Text.json(versionList(format, project, at, current)));
    await sendText(ctx, list);
  };
}

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
    await sendText(ctx, await recentUsage(texts, 'page', project, days, make));
  };
}

/** `/-/badge/<project>.svg`, `/-/badge/<project>-<alias>.svg`: the latest version, or that of an alias, as an image. */
export function sendBadge({ seen, pages }: AppParts): Middleware {
  return async (ctx) => {
    const { project: name } = ctx.params;
    const catalogue = seen.in(ctx);
    const version = catalogue.listedProject(name)?.latest ?? catalogue.resolve(name);
    const badge = pages.badge(version);
    ctx.set('Content-Security-Policy', "default-src 'none'");
    if (version !== undefined) return sendText(ctx, new Text(badge, SVG));
    // READMEs show the image whatever the status is; programs need the status.
    ctx.status = 404;
    setCachePolicy(ctx, 'revalidate');
    ctx.type = SVG;
    ctx.body = badge;
  };
}

/**
 * `/-/switcher/<version directory>.json`: data of the version switcher.
 * @param siteAt returns the directory of the site that has the requested host for itself, whatever the path says
 */
export function sendSwitcher(
  { useCases, seen, texts, at }: AppParts,
  siteAt: (ctx: Context) => string | undefined = () => undefined,
): Middleware {
  return async (ctx) => {
    const site = siteAt(ctx);
    const found = seen.in(ctx).locate(site ?? ctx.params.directory);
    if (found === undefined) throw new HttpFault('not_found', 'There is no such version');
    const { project, version } = found;
    const key = `switcher/${site ?? ''} ${version.directoryName} ${version.revision} ${project?.revision}`;
    const body = await texts.get(key, () =>
      Text.json({
        ...switcherBody(found, useCases.searchPages !== undefined),
        ...(site === undefined ? {} : { site, home: at.to('/') }),
      }),
    );
    await sendText(ctx, body);
  };
}

/** Last component of the path, as sent, with its `/`. */
function lastPartOf({ path }: Context): string {
  return path.slice(path.lastIndexOf('/'));
}
