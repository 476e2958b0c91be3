import { setTimeout as delay } from 'node:timers/promises';
import { inheritedSocket, naming, openLog, runningVersion, type ServeConfig } from '../adapters/cli/index.js';
import { createHttpServer, type HttpServer, ProjectHosts, PublicAddress } from '../adapters/http/index.js';
import type { PrometheusMetrics, Sources } from '../adapters/prometheus/index.js';
import { clientFile, HtmlPages, libraries, openSite, publicDirectory } from '../adapters/web/index.js';
import { DAY_MS } from '../domain/index.js';
import { privacyOf } from './access.js';
import { ExpiringTokens, ServerChores } from './chores.js';
import { containerFor, type Opened, roots } from './container.js';
import { type Chore, Housekeeping } from './housekeeping.js';
import { type OpenStorage, storagePlace } from './storage.js';
import { oldUsageChore } from './usage.js';

/** Max. time for running requests after SIGTERM or SIGINT, in milliseconds. */
const MAX_CLOSING_MS = 30_000;
/** Time that interrupted uploads have to clean up, in milliseconds. */
const MAX_ENDING_MS = 2_000;
/** Time until running unpacking and packing is aborted, so that clients get a response before connections close. */
const MAX_PACKING_MS = 28_000;

/** `lectern serve`: runs the server until SIGTERM or SIGINT. */
export async function serve(config: ServeConfig): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve).once('SIGINT', resolve);
  });
  const hangups: (() => Promise<void>)[] = [];
  const isHangupMeant = config.reloadTokens || config.logFile !== undefined;
  const onHangup = () => {
    for (const each of hangups) void each();
  };
  if (isHangupMeant) process.on('SIGHUP', onHangup);
  const { logger, combined, reopen, close: closeLog } = await openLog(config);
  if (reopen !== undefined) hangups.push(reopen);
  const place = storagePlace(config.storage);
  const { site } = config;
  const own = site === undefined ? undefined : await naming(`the site file ${site}`, openSite(site));
  const container = containerFor(config, {
    place,
    synonyms: own?.synonyms,
    logger,
    onRequest: (request) => metrics?.observeStore(request),
  });
  // Configuration errors end the program before it listens.
  const { tokens, reloaded, access } = await container.getAsync(roots.configuration);
  if (reloaded !== undefined) hangups.push(() => reloaded.reload());
  const expiring = new ExpiringTokens(tokens, (fields, message) => logger.warn(fields, message));
  const mayBeReadOnly = !tokens.isConfigured;
  await place.assertUsable({ mayBeReadOnly, privacy: privacyOf(config, access) });
  if (mayBeReadOnly && 'store' in config.storage) {
    logger.info({}, 'the object store is not tried out: without tokens, this server only reads');
  }
  const version = runningVersion();
  const { basePath, origin, hosts } = config.place;
  const projectHosts = hosts && new ProjectHosts(hosts.main, hosts.domain, hosts.isRedirecting);
  const at = new PublicAddress(basePath, origin, projectHosts);
  const metrics = config.metrics
    ? await metricsOf(config, () => container.getAsync(roots.opened), {
        version,
        status: () => server.status(),
        tokens: () => ({
          ...expiring.counts,
          names: tokens.holders().map(({ name }) => name),
          isStale: reloaded?.problem !== undefined,
        }),
        housekeeping: async () =>
          housekeeping && {
            isClockDoubtful: housekeeping.isClockDoubtful,
            waiting: removals?.waiting ?? 0,
          },
      })
    : undefined;
  const { uploadPage } = config;
  const { identity } = own ?? {};
  const uploads = tokens.isConfigured;
  let isSearching = false;
  const client = clientFile();
  const facts = {
    version,
    client,
    uploads,
    uploadPage,
    // Known once the store is open; no page is shown before.
    get search() {
      return isSearching;
    },
    keepRemovedMs: config.keepRemovedMs,
    openSearch: origin !== undefined,
    origin,
    usage: config.usage !== undefined,
    mcp: config.mcp,
    identity,
  };
  const server = createHttpServer(
    {
      pages: new HtmlPages(facts, (path) => projectHosts?.linkOnMain(path) ?? at.to(path)),
      pagesOnHosts: projectHosts && new HtmlPages(facts, (path) => projectHosts.linkOnHosts(path)),
      publicDirectory,
      client,
      files: [...(uploadPage ? libraries : []), ...(own?.files ?? [])],
    },
    { ...config, at, version, logger, combined, metrics },
  );
  let ending: NodeJS.Timeout | undefined;
  let housekeeping: Housekeeping | undefined;
  let removals: ServerChores | undefined;
  try {
    const address = await listen(server, config);
    // After a crash this may take minutes: meanwhile the port is open, and probes are answered.
    const { core, storage, archives, search, usage } = await container.getAsync(roots.opened);
    isSearching = search !== undefined;
    const warnings = () => [
      ...(core.warnings?.() ?? []),
      ...(housekeeping?.isClockDoubtful === true ? ['clock_doubtful'] : []),
      ...(reloaded?.problem === undefined ? [] : ['tokens_unusable']),
      ...(access?.isFaulty === true ? ['access_unusable'] : []),
    ];
    const { docs, objects, local } = storage;
    // Followed before anybody is answered: the file may have changed since the store was opened.
    access?.follow(async (everybody) => local?.showInPublic(everybody), logger);
    server.serve({ ...core, warnings });
    if (tokens.isConfigured) removals = new ServerChores(core.useCases, docs, logger, pruneOf(config));
    const chores = [
      ...(removals?.chores ?? []).map((each) => trusting(each, objects)),
      ...(usage === undefined ? [] : [oldUsageChore(usage)]),
    ];
    if (chores.length > 0) {
      housekeeping = new Housekeeping(docs, chores, {
        report: (message, fields) => logger.warn(fields, message),
      });
    }
    search?.keeper.start();
    process.stdout.write(`Lectern serves ${place.name} at ${address}/\n`);
    await stopped;
    server.drain();
    await delay(config.drainMs);
    setTimeout(() => archives.giveUp?.(), MAX_PACKING_MS).unref();
    const isAllAnswered = await server.close(MAX_CLOSING_MS);
    // Work that goes on although its connection was cut ends with the process; the next start cleans up, as after a crash.
    if (!isAllAnswered) ending = setTimeout(() => closeLog().finally(() => process.exit(0)), MAX_ENDING_MS);
  } finally {
    await server.close(0);
    await housekeeping?.close();
    expiring.close();
    await container.unbindAllAsync();
    clearTimeout(ending);
    await closeLog();
  }
}

/**
 * Opens the metrics of a server. The Prometheus adapter is loaded only here, for a server that has metrics.
 * @param opened waits until everything is open; a scrape before that waits, too
 */
async function metricsOf(
  { storage, search }: Pick<ServeConfig, 'storage' | 'search'>,
  opened: () => Promise<Opened>,
  sources: Pick<Sources, 'version' | 'status' | 'tokens' | 'housekeeping'>,
): Promise<PrometheusMetrics> {
  const { PrometheusMetrics } = await import('../adapters/prometheus/index.js');
  return new PrometheusMetrics({
    ...sources,
    stored: async () => {
      const { projects } = (await opened()).storage.docs.catalogue();
      return {
        projects: projects.length,
        versions: projects.reduce((sum, { versions }) => sum + versions.length, 0),
      };
    },
    freeBytes: async () => (await opened()).storage.disk.freeBytes(),
    store: 'store' in storage ? async () => (await opened()).storage.objects?.status() : undefined,
    search: search === 'off' ? undefined : async () => (await opened()).search?.keeper.status(),
  });
}

/** How `lectern prune` is called for a server. */
function pruneOf({
  storage,
  retention,
  keepRemovedMs,
}: Pick<ServeConfig, 'storage' | 'retention' | 'keepRemovedMs'>): string {
  const place =
    'docs' in storage
      ? ['-d', storage.docs]
      : [
          '--store',
          storage.store.address,
          ...(storage.store.endpoint ? ['--store-endpoint', storage.store.endpoint] : []),
        ];
  const rules = retention === undefined ? [] : ['--retention', retention];
  const kept = ['--keep-removed', `${keepRemovedMs / DAY_MS}`];
  return ['lectern', 'prune', ...place, ...rules, ...kept].join(' ');
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

async function listen(server: HttpServer, { port, host }: ServeConfig): Promise<string> {
  const inherited = inheritedSocket(process.env, process.pid);
  const where = inherited === undefined ? `${host} port ${port}` : 'the socket of LISTEN_FDS';
  const listening = inherited === undefined ? server.listen(port, host) : server.listenOnInherited(inherited);
  return naming(`cannot listen on ${where}`, listening);
}
