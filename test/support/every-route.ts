import { apiOperations } from '../../src/adapters/http/api/operations.js';
import type { AppParts, OwnRoute } from '../../src/adapters/http/app-parts.js';
import { type HostEntrance, hostRoutes } from '../../src/adapters/http/hosts/host-entrance.js';
import { PublicAddress } from '../../src/adapters/http/index.js';
import { ownRoutes } from '../../src/adapters/http/own/routes.js';
import { libraries } from '../../src/adapters/web/index.js';
import type { UseCases } from '../../src/application/index.js';
import { loadPaths } from '../../src/composition/features.js';
import type { TestServer } from './server.js';

/** A route of the server as its sources declare it. */
export interface Route {
  /** `GET /api/projects/{project}`, `GET /robots.txt on a host`; no two routes have the same. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Pattern of the path: as OpenAPI has it below `/api/`, else as @koa/router takes it. */
  readonly path: string;
  /** Whether it is a route of the main host, or of the host of the project that is asked for. */
  readonly host: 'main' | 'project';
}

/** A request for a route. */
export interface SampleRequest {
  /** Value of `Host`; undefined for the main host. */
  readonly host: string | undefined;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

/** The domain of `--project-hosts` that requests for hosts are made for. */
export const HOSTS_DOMAIN = 'docs.example.org';
/** Versions of every project that `publishSample` makes; `bare` has no front page. */
const VERSIONS = { older: '1.0', version: '2.0', bare: '0.1' };
const PREVIEW = 'pr-1';
const SITE = {
  'index.html': '<!doctype html><title>front</title><h1>Front</h1>',
  'guide.html': '<!doctype html><title>guide</title><h1>Guide</h1>',
  _redirects: '/old /guide.html 301\n',
};

/** Publishes what the requests of `requestTo` are for: three versions of a project, and a preview. */
export async function publishSample(server: TestServer, project: string): Promise<void> {
  const { older, version, bare } = VERSIONS;
  await server.upload(`${project}-${bare}-docs.zip`, { 'notes.txt': 'no front page' });
  await server.upload(`${project}-${older}-docs.zip`, SITE);
  await server.upload(`${project}-${version}-docs.zip`, SITE);
  await server.upload(`${project}~${PREVIEW}-docs.zip`, SITE);
}

/** All routes: operations of the API, own addresses, those on hosts of projects, addresses of sites, and probes. */
export function everyRoute(): readonly Route[] {
  const routes = [
    ...apiOperations(PARTS).map(({ method, path }) => routeOf(METHODS[method], path)),
    ...pathsOf(ownRoutes(PARTS)).map((path) => routeOf('GET', path)),
    ...pathsOf(hostRoutes(PARTS, {} as HostEntrance)).map((path) => routeOf('GET', path, 'project')),
    ...SITES.map((path) => routeOf('GET', path)),
    routeOf('GET', '/guide.html', 'project'),
    ...['/-/health', '/-/ready', '/-/metrics'].map((path) => routeOf('GET', path)),
  ];
  // The first of two routes with one pattern answers.
  return [...new Map(routes.toReversed().map((route) => [route.name, route])).values()].toReversed();
}

/** Parts that routes use before there is a request. All optional features are on. */
export const PARTS = {
  at: new PublicAddress('', `https://${HOSTS_DOMAIN}`),
  useCases: { searchPages: {}, showUsage: {}, showSearches: {} } as unknown as UseCases,
  features: await loadPaths(),
  files: [...libraries, { path: '/-/identity/logo.svg', content: Buffer.alloc(0) }],
  publicDirectory: '',
  client: { sha256: '', bytes: 1 },
  version: 'DEV',
  readers: { areDifferent: true },
  indexing: true,
} as unknown as AppParts;

const pathsOf = (routes: readonly OwnRoute[]) => routes.flatMap(({ path }) => path);

const METHODS = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const;

function routeOf(method: Route['method'], path: string, host: Route['host'] = 'main'): Route {
  return { name: `${method} ${path}${host === 'main' ? '' : ' on a host'}`, method, path, host };
}

/** Addresses of sites: a page, its clean URL, a redirect of the site, a list of files, a missing page, an archive, a short address. */
const SITES = [
  '/{project}-{version}/guide.html',
  '/{project}-{version}/guide',
  '/{project}-{version}/old',
  '/{project}-{bare}/',
  '/{project}-{version}/missing.html',
  '/{project}-{version}-docs.zip',
  '/{project}/guide.html',
] as const;

/** Requests for routes whose pattern is not one itself: `{project}`, `{version}` and others are filled in. */
const SAMPLES: Readonly<Record<string, string>> = {
  '/-/search': '/-/search?q=front',
  '/-/manage/:project': '/-/manage/{project}',
  '/-/projects/:project': '/-/projects/{project}',
  '/-/feed.atom': '/-/feed.atom',
  '/-/projects/:project/feed.atom': '/-/projects/{project}/feed.atom',
  '/-/projects/:project/usage': '/-/projects/{project}/usage',
  '/-/projects/:project/versions.json': '/-/projects/{project}/versions.json',
  '/-/badge/:project.svg': '/-/badge/{project}.svg',
  '/-/switcher/:directory.json': '/-/switcher/{project}-{version}.json',
  '/-/go/:directory': '/-/go/{project}-{version}',
  '/-/go/:directory/{*page}': '/-/go/{project}-{version}/guide.html',
  '/-/check/:project/:version': '/-/check/{project}/{version}',
  '/-/compare/:project': '/-/compare/{project}',
  '/-/compare/:project/:before/:after': '/-/compare/{project}/{before}/{after}',
  '/-/compare/:project/:before/:after/{*page}': '/-/compare/{project}/{before}/{after}/guide.html',
  '/-/suggest/:directory/{*page}': '/-/suggest/{project}-{version}/missing.html',
  '/-/assets/{*file}': '/-/assets/lectern.css',
  '/-/switcher/:module.js': '/-/switcher/banner.js',
  '/:site/robots.txt': '/robots.txt',
  '/:site/sitemap.xml': '/sitemap.xml',
  '/-/{*rest}': '/-/upload',
  '/api/search': '/api/search?q=front',
};

const BODIES: Readonly<Record<string, string>> = {
  'PUT /api/aliases/{project}/{alias}': JSON.stringify({ target: VERSIONS.older }),
  'PUT /api/deprecated/{project}/{version}': JSON.stringify({ message: 'Use another one.' }),
  'PUT /api/projects/{project}': JSON.stringify({ title: 'Sample' }),
  'POST /api/tokens': JSON.stringify({ name: PREVIEW, projects: ['sample'] }),
  'PUT /api/retention/{project}': JSON.stringify({ keep_per_minor: 3 }),
};

/**
 * Returns a request for a route that is about `project`, one of `publishSample`. `POST /api/upload` has no archive.
 * @throws Error for a route without a sample: give it one
 */
export function requestTo({ name, path, host }: Route, project: string, headers = {}): SampleRequest {
  const { older, version } = VERSIONS;
  const others = { project, before: older, after: version, alias: 'stable', name: PREVIEW, maker: 'admin' };
  const values: Readonly<Record<string, string>> = { ...VERSIONS, ...others };
  const filled = (SAMPLES[path] ?? path).replace(/\{(\w+)\}/g, (found, key: string) => values[key] ?? found);
  if (/[:{]/.test(filled)) throw new Error(`test/support/every-route.ts has no sample for ${name}`);
  const body = BODIES[name];
  // The root of a host belongs to its site; the route is for hosts without one.
  const label = path === '/' ? 'nobody' : project;
  return {
    host: host === 'main' ? undefined : `${label}.${HOSTS_DOMAIN}`,
    path: filled,
    headers: {
      ...headers,
      // Themes say in it which site asks for the list.
      ...(path === '/versions.json' ? { Referer: `https://${HOSTS_DOMAIN}/${project}-${version}/` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  };
}
