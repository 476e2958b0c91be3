import { runningVersion } from '../../adapters/cli/index.js';
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  ProjectHosts,
  PublicAddress,
} from '../../adapters/http/index.js';
import type { PrometheusMetrics } from '../../adapters/prometheus/prometheus-metrics.js';
import type { Sources } from '../../adapters/prometheus/sources.js';
import { clientFile, fonts, HtmlPages, libraries, publicDirectory } from '../../adapters/web/index.js';
import type { HouseLinks } from '../../application/index.js';
import { ANYBODY, DAY_MS } from '../../domain/index.js';
import { clearingChore, ExpiringTokens, previewsChore } from '../chores.js';
import type { Opened } from '../container.js';
import { FEATURES, loadPaths } from '../features.js';
import { type Chore, Housekeeping } from '../housekeeping.js';
import type { OpenStorage } from '../storage.js';
import type { Preparation } from './preparation.js';

/** A server that answers probes from its creation, and everything else from `start` on. */
export interface Server {
  readonly http: HttpServer;
  /** Opens the store, answers requests, and begins what a server repeats. @throws StartError */
  start(): Promise<Opened>;
  /** Ends what `start` has begun. Close `http` before, and the preparation afterwards. */
  close(): Promise<void>;
}

/** Creates the server of a preparation. @param combined output for request lines in Apache's format */
export async function createServer(
  prepared: Preparation,
  { combined }: Pick<HttpServerOptions, 'combined'> = {},
): Promise<Server> {
  const { config, configuration, logger, own } = prepared;
  const { tokens, reloaded, access, auditFile } = configuration;
  const expiring = new ExpiringTokens(tokens, (fields, message) => logger.warn(fields, message));
  let housekeeping: Housekeeping | undefined;
  let houseLinks: HouseLinks | undefined;
  let isSearching = false;
  const version = runningVersion();
  const metrics = config.metrics
    ? await metricsOf(prepared, {
        version,
        status: () => http.status(),
        tokens: () => ({
          ...expiring.counts,
          names: tokens.holders().map(({ name }) => name),
          isStale: reloaded?.problem !== undefined,
        }),
        housekeeping: async () =>
          housekeeping && {
            isClockDoubtful: housekeeping.isClockDoubtful,
            waiting: housekeeping.waiting,
          },
      })
    : undefined;
  if (metrics !== undefined) prepared.observe((request) => metrics.observeStore(request));
  const { basePath, origin, hosts } = config.place;
  const projectHosts = hosts && new ProjectHosts(hosts.main, hosts.domain, hosts.isRedirecting);
  const at = new PublicAddress(basePath, origin, projectHosts);
  const { uploadPage } = config;
  const client = clientFile();
  const facts = {
    version,
    client,
    uploads: tokens.isConfigured,
    uploadPage,
    // Known once the store is open; no page is shown before.
    get search() {
      return isSearching;
    },
    keepRemovedMs: config.keepRemovedMs,
    openSearch: origin !== undefined,
    origin,
    hasOwnOrigin: at.isRedirecting,
    usage: config.usage !== undefined,
    mcp: config.mcp,
    get signIn() {
      return at.resource !== undefined && (access?.peopleIssuers.length ?? 0) > 0;
    },
    identity: own?.identity,
  };
  const http = createHttpServer(
    {
      pages: new HtmlPages(facts, (path) => projectHosts?.linkOnMain(path) ?? at.to(path)),
      pagesOnHosts: projectHosts && new HtmlPages(facts, (path) => projectHosts.linkOnHosts(path)),
      publicDirectory,
      client,
      files: [...fonts, ...(uploadPage ? libraries : []), ...(own?.files ?? [])],
    },
    { ...config, features: await loadPaths(), at, version, logger, combined, metrics },
  );
  const start = async (): Promise<Opened> => {
    const opened = await prepared.opened();
    const { core, storage, search } = opened;
    const { docs, objects } = storage;
    isSearching = search !== undefined;
    const warnings = () => [
      ...(core.warnings?.() ?? []),
      ...(housekeeping?.isClockDoubtful === true ? ['clock_doubtful'] : []),
      ...(reloaded?.problem === undefined ? [] : ['tokens_unusable']),
      ...(access?.isFaulty === true ? ['access_unusable'] : []),
      ...(auditFile?.isFaulty === true ? ['audit_unwritable'] : []),
    ];
    http.serve({ ...core, warnings });
    const { useCases } = core;
    const mayRemove = tokens.isConfigured;
    const parts = { useCases, docs, log: logger, prune: pruneOf(prepared), mayRemove };
    const chores = [
      ...(mayRemove ? [previewsChore(parts)] : []),
      ...FEATURES.flatMap((feature) => feature.chores?.(parts) ?? []),
      ...(mayRemove ? [clearingChore(parts)] : []),
    ];
    if (chores.length > 0) {
      const trusted = chores.map((each) => trusting(each, objects));
      housekeeping = new Housekeeping(docs, trusted, {
        report: (message, fields) => logger.warn(fields, message),
      });
    }
    search?.keeper.start();
    houseLinks = useCases.houseLinks;
    houseLinks?.start();
    return opened;
  };
  return {
    http,
    start,
    close: async () => {
      expiring.close();
      await houseLinks?.close();
      await housekeeping?.close();
    },
  };
}

/**
 * Opens the metrics of a server. The Prometheus adapter is loaded only here, for a server that has metrics. A scrape waits until
 * everything is open.
 */
async function metricsOf(
  { config, place, opened }: Pick<Preparation, 'config' | 'place' | 'opened'>,
  sources: Pick<Sources, 'version' | 'status' | 'tokens' | 'housekeeping'>,
): Promise<PrometheusMetrics> {
  const { PrometheusMetrics } = await import('../../adapters/prometheus/prometheus-metrics.js');
  return new PrometheusMetrics({
    ...sources,
    stored: async () => {
      const { projects } = (await opened()).storage.docs.catalogue();
      return {
        projects: projects.length,
        versions: projects.reduce((sum, { versions }) => sum + versions.length, 0),
      };
    },
    deadLinks: async () => {
      const { core } = await opened();
      const everybody = core.access?.policy.ofNobody ?? ANYBODY;
      return core.useCases.knownLinks?.ofAllLatest(core.seenBy(everybody, new Date()).projects);
    },
    freeBytes: async () => (await opened()).storage.disk?.freeBytes(),
    store: place.isMeasured ? async () => (await opened()).storage.objects?.status() : undefined,
    search: config.search === 'off' ? undefined : async () => (await opened()).search?.keeper.status(),
  });
}

/** How `lectern prune` is called for a server; undefined where it cannot be. */
function pruneOf({ config, place }: Pick<Preparation, 'config' | 'place'>): string | undefined {
  const { retention, keepRemovedMs } = config;
  if (place.options === undefined) return undefined;
  const rules = retention === undefined ? [] : ['--retention', retention];
  const kept = ['--keep-removed', `${keepRemovedMs / DAY_MS}`];
  return ['lectern', 'prune', ...place.options, ...rules, ...kept].join(' ');
}

/** Skips a chore while the log of an object store is broken: the store has said so, and each attempt would fail. */
function trusting(chore: Chore, objects: OpenStorage['objects']): Chore {
  const isTrusted = () => objects?.doubt === undefined;
  return {
    ...chore,
    run: async (now, signal) => (isTrusted() ? chore.run(now, signal) : undefined),
    runWithoutClock: async (signal) => {
      if (isTrusted()) await chore.runWithoutClock?.(signal);
    },
  };
}
