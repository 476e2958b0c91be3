import { isListed, type Project, SitePath, type Version } from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { type Answer, type Handle, plainAnswer, textAnswer } from '../response/answer.js';
import { listAgeOf, stateNumber, Text } from '../response/texts.js';

const XML = 'application/xml; charset=utf-8';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9';
/** Max. pages in the sitemap of a project. */
const MAX_PAGES = 5_000;

/** Paths of archives in a `robots.txt` (RFC 9309 section 2.2.3). */
export const ARCHIVES = '/*-docs.zip$';

/** `/robots.txt`: keeps robots away from the API, from own pages and from archives, or from everything. */
export function robotsTxt({ at, indexing }: AppParts): Handle {
  const rules = indexing ? [at.to('/api/'), at.to('/-/'), at.to(ARCHIVES)] : ['/'];
  const sitemap = indexing && at.fixed !== undefined ? `${at.fixed}/sitemap.xml` : undefined;
  return async () => robotRules(rules, sitemap);
}

/** A `robots.txt`. */
export function robotRules(disallowed: readonly string[], sitemap: string | undefined): Answer {
  const lines = [
    ...disallowed.map((path) => `Disallow: ${path}`),
    ...(sitemap === undefined ? [] : [`Sitemap: ${sitemap}`]),
  ];
  return plainAnswer(`User-agent: *\n${lines.join('\n')}\n`);
}

/**
 * `/sitemap.xml`: the sitemaps of all projects; with `?project=`, the pages of the latest version of one. Addresses in a
 * sitemap have to be absolute, so there is none without `--public-url`.
 */
export function sitemapXml(parts: AppParts): Handle {
  const { at, useCases, texts, turns, indexing } = parts;
  return async ({ query, visitor }) => {
    const { fixed } = at;
    if (fixed === undefined || !indexing) return undefined;
    const { project: name } = query;
    if (name === undefined) {
      const projects = await useCases.listProjects.execute(visitor.seen());
      const make = async () => {
        await turns.next();
        return new Text(await indexOf(projects.filter(isFound), parts), XML);
      };
      return textAnswer(await texts.get(`sitemaps ${stateNumber(projects)}`, make));
    }
    const project = typeof name === 'string' ? visitor.seen().project(name) : undefined;
    if (project === undefined || !isFound(project))
      throw new HttpFault('not_found', 'There is no such project');
    return textAnswer(await sitemapOf(parts, project));
  };
}

/** Returns the sitemap of a project: the pages of its latest version. */
export async function sitemapOf({ at, useCases, texts, turns }: AppParts, project: Project): Promise<Text> {
  const { latest } = project;
  const root = await useCases.canonicalPage.rootOf(project, at.everywhere);
  const make = async () => {
    const paths = await useCases.readPage.pagesOf(latest);
    await turns.next();
    return new Text(
      listOf(latest, paths.slice(0, MAX_PAGES), (path) => at.canonical({ ...root, path: root.path + path })),
      XML,
    );
  };
  return texts.get(`sitemap/${latest.revision} ${root.path}`, make, listAgeOf(latest));
}

function isFound(project: Project): boolean {
  return isListed({ project, version: project.latest });
}

async function indexOf(projects: readonly Project[], { at, useCases }: AppParts): Promise<string> {
  const sitemaps: string[] = [];
  for (const project of projects) {
    const { onHost, path } = await useCases.canonicalPage.rootOf(project, at.everywhere);
    // A sitemap has addresses of its own host only (sitemaps.org, "Sitemap file location").
    const address = onHost
      ? at.canonical({ onHost, path: `/${nameOnHost(path)}/sitemap.xml` })
      : `${at.fixed}/sitemap.xml?project=${project.directoryName}`;
    sitemaps.push(
      `<sitemap><loc>${address}</loc>${changedAt(project.latest.record.publishedAt)}</sitemap>\n`,
    );
  }
  return `${HEAD}<sitemapindex xmlns="${SCHEMA}">\n${sitemaps.join('')}</sitemapindex>\n`;
}

/** Returns the name that the host of a site serves, from the path of its root. */
export function nameOnHost(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

function listOf(
  { record }: Version,
  paths: readonly string[],
  addressOf: (path: string) => string | undefined,
): string {
  const pages = paths
    .map((path) =>
      SitePath.of(path)
        ?.toUrl()
        .replace(/(^|\/)index\.html$/, '$1'),
    )
    .filter((path) => path !== undefined)
    .map(
      (path) => `<url><loc>${escaped(addressOf(path) ?? '')}</loc>${changedAt(record.publishedAt)}</url>\n`,
    );
  return `${HEAD}<urlset xmlns="${SCHEMA}">\n${pages.join('')}</urlset>\n`;
}

function changedAt(date: Date): string {
  return `<lastmod>${date.toISOString()}</lastmod>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&apos;');
}
