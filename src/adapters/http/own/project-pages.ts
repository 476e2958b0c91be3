import type { Context, Middleware } from 'koa';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { sendText, Text } from '../response/send-text.js';
import { sendMissing } from './missing.js';
import { newNonce, ownPage } from './own-page.js';
import { LIST_FORMATS, switcherBody, versionList } from './version-lists.js';

const SVG = 'image/svg+xml; charset=utf-8';

/** `/-/projects/<project>`: the page of one project. */
export function sendProject(parts: AppParts): Middleware {
  const { useCases, pages, at, texts } = parts;
  return async (ctx) => {
    const project = await useCases.showProject.execute(ctx.params.project);
    if (project === undefined) return sendMissing(ctx, parts, { what: 'project' }, lastPartOf(ctx));
    // Never the client's name for the server: the page is cached for all clients.
    const address = at.fixed;
    const page = await texts.get(`project/${project.directoryName} ${project.revision}`, () => {
      const nonce = newNonce();
      return ownPage(pages.project({ project, address, nonce }), nonce);
    });
    await sendText(ctx, page);
  };
}

/** `/-/projects/<project>/versions.json`: the versions in the format of a theme's own selector. */
export function sendVersionList({ useCases, at, texts }: AppParts): Middleware {
  return async (ctx) => {
    const project = await useCases.showProject.execute(ctx.params.project);
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

/** `/-/badge/<project>.svg`: the latest version as an image. */
export function sendBadge({ useCases, pages }: AppParts): Middleware {
  return async (ctx) => {
    const project = await useCases.showProject.execute(ctx.params.project);
    const badge = pages.badge({ project });
    ctx.set('Content-Security-Policy', "default-src 'none'");
    if (project !== undefined) return sendText(ctx, new Text(badge, SVG));
    // READMEs show the image whatever the status is; programs need the status.
    ctx.status = 404;
    ctx.set('Cache-Control', 'no-cache');
    ctx.type = SVG;
    ctx.body = badge;
  };
}

/** `/-/switcher/<version directory>.json`: data of the version switcher. */
export function sendSwitcher({ useCases, texts }: AppParts): Middleware {
  return async (ctx) => {
    const found = await useCases.showProject.ofVersion(ctx.params.directory);
    if (found === undefined) throw new HttpFault('not_found', 'There is no such version');
    const { project, version } = found;
    const body = await texts.get(`switcher/${version.directoryName} ${project.revision}`, () =>
      Text.json(switcherBody(project, version)),
    );
    await sendText(ctx, body);
  };
}

/** Last component of the path, as sent, with its `/`. */
function lastPartOf({ path }: Context): string {
  return path.slice(path.lastIndexOf('/'));
}
