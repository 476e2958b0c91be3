import { setTimeout as delay } from 'node:timers/promises';
import { Container } from 'inversify';
import {
  inheritedSocket,
  openLog,
  runningVersion,
  type ServeConfig,
  startError,
} from '../adapters/cli/index.js';
import { FilesystemDocStore } from '../adapters/filesystem/index.js';
import {
  aheadOfKoa,
  connectionBounds,
  createApp,
  DURATION_BOUNDS,
  FrontDoor,
  LecternServer,
  PageCache,
  Probes,
  ProjectListing,
  PublicAddress,
  RequestLog,
  SwitcherTag,
  Traffic,
  UploadGate,
  WrittenCache,
  writtenBytesOf,
} from '../adapters/http/index.js';
import type { Counted } from '../adapters/prometheus/index.js';
import { HtmlPages, helpText, publicDirectory, renderer } from '../adapters/web/index.js';
import {
  DeleteVersion,
  type DocStore,
  DownloadVersion,
  GoToPage,
  ListProjects,
  ReadPage,
  ShowProject,
  SuggestInstead,
  UploadVersion,
} from '../application/index.js';
import { onDisk, ports, useCases } from './container.js';

/** Requests in flight have this long to finish after SIGTERM or SIGINT. */
const MOST_CLOSING_MS = 30_000;
/** What is still being unpacked or packed then gives up, so that its client has an answer before the connections go. */
const GIVE_UP_MS = 28_000;

/** `lectern serve`: from its settings to a clean end. */
export async function serve(config: ServeConfig): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve).once('SIGINT', resolve);
  });
  const { logger, combined, reopen, close: closeLog } = await openLog(config);
  if (reopen !== undefined) process.on('SIGHUP', () => void reopen());
  for (const warning of config.warnings) logger.warn(warning);
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(useCases(config), onDisk(config, logger));
  // Whatever the caller has to mend ends the program before the port opens.
  const tokens = await container.getAsync(ports.tokens);
  const mayBeReadOnly = !tokens.isConfigured;
  await FilesystemDocStore.assertUsable(config.docs, { mayBeReadOnly }).catch((error: unknown) => {
    throw startError(`the docs directory ${config.docs}`, error);
  });
  const probes = new Probes();
  const at = new PublicAddress(config.place.basePath, config.place.origin);
  const door = new FrontDoor(probes);
  const bounds = connectionBounds(config.maxConnections, config.trustProxy);
  const server = new LecternServer(at.entering(door.listener), undefined, bounds);
  try {
    const inherited = inheritedSocket(process.env, process.pid);
    const address = await (inherited === undefined
      ? server.listen(config.port, config.host)
      : server.listenOnInherited(inherited)
    ).catch((error: unknown) => {
      const where =
        inherited === undefined ? `${config.host} port ${config.port}` : 'the socket of LISTEN_FDS';
      throw startError(`cannot listen on ${where}`, error);
    });
    // After a crash this may take minutes: meanwhile the port is open, and probes are answered.
    const docs = await container.getAsync(ports.docs);
    const gate = new UploadGate(config.mostUploads);
    const version = runningVersion();
    const traffic = config.metrics ? new Traffic() : undefined;
    const log = new RequestLog(logger, config.trustProxy, { combined, traffic });
    const switcher = new SwitcherTag(config.switcher, at);
    const readPage = await container.getAsync(ReadPage);
    const writtenBytes = writtenBytesOf(config.cacheBytes);
    const written = new WrittenCache(writtenBytes);
    const pageCache = new PageCache(docs, readPage, config.cacheBytes - writtenBytes, switcher);
    const listProjects = await container.getAsync(ListProjects);
    const listing = new ProjectListing(listProjects, at);
    const offered = { uploads: tokens.isConfigured, uploadPage: config.uploadPage };
    const app = createApp({
      uploadVersion: await container.getAsync(UploadVersion),
      deleteVersion: await container.getAsync(DeleteVersion),
      listProjects,
      listing,
      downloadVersion: await container.getAsync(DownloadVersion),
      readPage,
      showProject: await container.getAsync(ShowProject),
      goToPage: await container.getAsync(GoToPage),
      suggestInstead: await container.getAsync(SuggestInstead),
      pages: new HtmlPages({ version, ...offered }, at.basePath),
      helpText: ({ address }) => helpText({ address, ...offered }),
      publicDirectory,
      ...(config.uploadPage ? { renderer } : {}),
      gate,
      version,
      trustProxy: config.trustProxy,
      ...(config.accelRedirect === undefined ? {} : { accelRedirect: config.accelRedirect }),
      logger,
      requestLog: log,
      pageCache,
      written,
      switcher,
      at,
    });
    const metrics =
      traffic && (await metricsOf({ version, traffic, pageCache, uploads: gate, probes, docs }));
    // The list first: it knows its one path, while looking for a page asks the catalogue.
    door.open(aheadOfKoa(app, log, [listing, pageCache]));
    probes.serving(() => docs.catalogue(), metrics);
    process.stdout.write(`Lectern serves ${config.docs} at ${address}/\n`);
    await stopped;
    probes.draining();
    await delay(config.drainMs);
    gate.close();
    const archives = await container.getAsync(ports.archives);
    setTimeout(() => archives.giveUp?.(), GIVE_UP_MS).unref();
    const isAllAnswered = await server.close(MOST_CLOSING_MS);
    // Whatever is still at work has had its time. The next start sweeps up after it, as after a crash.
    if (!isAllAnswered) {
      await closeLog();
      process.exit(0);
    }
  } finally {
    await server.close(0);
    await container.unbindAllAsync();
    await closeLog();
  }
}

/** Everything that is counted, put together. A server that shows no metrics never loads what shows them. */
async function metricsOf({
  probes,
  docs,
  ...counted
}: Pick<Counted, 'version' | 'traffic' | 'pageCache' | 'uploads'> & { probes: Probes; docs: DocStore }) {
  const { PrometheusMetrics } = await import('../adapters/prometheus/index.js');
  return new PrometheusMetrics({
    ...counted,
    durationBounds: DURATION_BOUNDS,
    ready: async () => (await probes.whyNotReady()).length === 0,
    stored: async () => {
      const { projects } = await docs.catalogue();
      return {
        projects: projects.length,
        versions: projects.reduce((sum, { versions }) => sum + versions.length, 0),
      };
    },
    freeBytes: () => docs.freeBytes(),
  });
}
