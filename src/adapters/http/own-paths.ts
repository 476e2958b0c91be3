import type { Context, Middleware } from 'koa';
import type { GoToPage, ReadPage, ShowProject, SuggestInstead } from '../../application/index.js';
import { decodedComponent } from '../../domain/index.js';
import { HttpFault } from './errors.js';
import { sendMissing } from './missing.js';
import type { Pages } from './pages.js';
import { PublicAddress } from './public-address.js';
import { redirect } from './redirect.js';
import { LIST_FORMATS, switcherBody, versionList } from './version-lists.js';
import { Written } from './written.js';
import { WrittenCache } from './written-cache.js';
import { WrittenPage } from './written-page.js';

export interface OwnPathParts {
  readonly showProject: ShowProject;
  readonly goToPage: GoToPage;
  readonly readPage: ReadPage;
  readonly suggestInstead: SuggestInstead;
  readonly pages: Pages;
  /** Where clients find the server; by default at the root of whatever host they name. */
  readonly at?: PublicAddress;
  /** Keeps pages and lists that are written once. */
  readonly written?: WrittenCache;
}

interface Parts extends OwnPathParts {
  readonly written: WrittenCache;
  readonly at: PublicAddress;
}

type Handle = (ctx: Context, parts: Parts, ...matched: string[]) => Promise<void>;

const SVG = 'image/svg+xml; charset=utf-8';

/** What the server adds below `/-/` beside its assets (docs/http-api.md). The first that matches answers. */
const ROUTES: readonly (readonly [path: RegExp, handle: Handle])[] = [
  [/^\/-\/projects\/([^/]+)$/, sendProject],
  [/^\/-\/projects\/([^/]+)\/versions\.json$/, sendVersionList],
  [/^\/-\/badge\/([^/]+)\.svg$/, sendBadge],
  [/^\/-\/switcher\/([^/]+)\.json$/, sendSwitcher],
  [/^\/-\/go\/([^/]+)(?:\/(.*))?$/s, go],
];

/** Pages, images and lists about projects, below `/-/`. */
export function ownPaths(given: OwnPathParts): Middleware {
  const parts: Parts = { at: new PublicAddress(), written: new WrittenCache(), ...given };
  return async (ctx, next) => {
    if (ctx.path === '/versions.json' && (await redirectTheme(ctx, parts))) return;
    if (!ctx.path.startsWith('/-/')) return next();
    for (const [path, handle] of ROUTES) {
      const matched = path.exec(ctx.path);
      if (matched !== null) return handle(ctx, parts, ...matched.slice(1).map((part) => part ?? ''));
    }
    return next();
  };
}

async function sendProject(ctx: Context, parts: Parts, name = ''): Promise<void> {
  const project = await parts.showProject.execute(decodedComponent(name));
  if (project === undefined) return sendMissing(ctx, parts, { what: 'project' }, `/${name}`);
  // Never what this client calls the server: the page is kept for everybody.
  const address = parts.at.fixed;
  const page = await parts.written.get(`project/${project.directoryName}`, project, () =>
    WrittenPage.withScripts((nonce) => parts.pages.project({ project, address, nonce })),
  );
  await page.send(ctx);
}

async function sendVersionList(ctx: Context, { showProject, at, written }: Parts, name = ''): Promise<void> {
  const project = await showProject.execute(decodedComponent(name));
  if (project === undefined) throw new HttpFault('not_found', 'There is no such project');
  const { format: wanted = 'mike', version } = ctx.query;
  const format = LIST_FORMATS.find((each) => each === wanted);
  if (format === undefined) {
    throw new HttpFault('invalid_request', `'format' is one of ${LIST_FORMATS.join(', ')}`);
  }
  const current = project.versions.find(({ directoryName }) => directoryName === version);
  const key = `versions/${format}/${(current ?? project).directoryName}`;
  const list = await written.get(key, project, () => Written.json(versionList(format, project, at, current)));
  await list.send(ctx);
}

/**
 * Material for MkDocs looks for the list beside its site, and nowhere else. Which site that is, the page says that
 * asks. Nothing of the server's own stands there: without such a page the path is what it would be anyway.
 */
async function redirectTheme(ctx: Context, { showProject, at }: Parts): Promise<boolean> {
  const [, page = ''] = /^https?:\/\/[^/]+(\/[^?#]*)/i.exec(ctx.get('Referer')) ?? [];
  const [, directoryName = ''] = /^\/([^/]+)\//.exec(at.within(page)) ?? [];
  const found = await showProject.ofVersion(decodedComponent(directoryName));
  if (found === undefined) return false;
  ctx.vary('Referer');
  redirect(ctx, at.to(`/-/projects/${found.project.directoryName}/versions.json`));
  return true;
}

async function sendBadge(ctx: Context, { showProject, pages }: Parts, name = ''): Promise<void> {
  const project = await showProject.execute(decodedComponent(name));
  const badge = pages.badge({ project });
  ctx.set('Content-Security-Policy', "default-src 'none'");
  if (project !== undefined) return new Written(badge, SVG).send(ctx);
  // A README shows the image whatever the status is; programs are told.
  ctx.status = 404;
  ctx.set('Cache-Control', 'no-cache');
  ctx.type = SVG;
  ctx.body = badge;
}

async function sendSwitcher(ctx: Context, { showProject, written }: Parts, name = ''): Promise<void> {
  const found = await showProject.ofVersion(decodedComponent(name));
  if (found === undefined) throw new HttpFault('not_found', 'There is no such version');
  const { project, version } = found;
  const body = await written.get(`switcher/${version.directoryName}`, project, () =>
    Written.json(switcherBody(project, version)),
  );
  await body.send(ctx);
}

async function go(ctx: Context, parts: Parts, directoryName = '', page = ''): Promise<void> {
  const whereabouts = await parts.goToPage.execute(decodedComponent(directoryName), page);
  if (whereabouts === undefined) {
    const path = `/${directoryName}/${page}`;
    const answer = await parts.readPage.execute(path);
    if (answer.kind === 'missing') return sendMissing(ctx, parts, answer.missing, path);
    throw new HttpFault('not_found', 'There is no such version');
  }
  redirect(ctx, parts.at.to(whereabouts.to) + (whereabouts.isSame ? ctx.search : ''));
}
