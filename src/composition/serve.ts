import { setTimeout as delay } from 'node:timers/promises';
import {
  inheritedSocket,
  openLog,
  runningVersion,
  type ServeConfig,
  startError,
} from '../adapters/cli/index.js';
import { createHttpServer, type HttpServer, PublicAddress } from '../adapters/http/index.js';
import type { Sources } from '../adapters/prometheus/index.js';
import { HtmlPages, libraries, publicDirectory } from '../adapters/web/index.js';
import { containerFor, services } from './container.js';
import { storagePlace } from './storage.js';

/** Max. time for running requests after SIGTERM or SIGINT, in milliseconds. */
const MAX_CLOSING_MS = 30_000;
/** Time that interrupted uploads have to clean up, in milliseconds. */
const MAX_ENDING_MS = 2_000;
/** Time until running unpacking and packing is aborted, so that clients get a response before connections close. */
const GIVE_UP_MS = 28_000;

/** `lectern serve`: runs the server until SIGTERM or SIGINT. */
export async function serve(config: ServeConfig): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve).once('SIGINT', resolve);
  });
  const { logger, combined, reopen, close: closeLog } = await openLog(config);
  if (reopen !== undefined) process.on('SIGHUP', () => void reopen());
  for (const warning of config.warnings) logger.warn(warning);
  const place = storagePlace(config.storage);
  const container = containerFor(config, {
    place,
    logger,
    onRequest: (request) => metrics?.observeStore(request),
  });
  // Configuration errors end the program before it listens.
  const tokens = await container.getAsync(services.tokens);
  const mayBeReadOnly = !tokens.isConfigured;
  await place.assertUsable({ mayBeReadOnly });
  if (mayBeReadOnly && 'store' in config.storage) {
    logger.info({}, 'the object store is not tried out: without tokens, this server only reads');
  }
  const version = runningVersion();
  const at = new PublicAddress(config.place.basePath, config.place.origin);
  const metrics = config.metrics
    ? await metricsOf({
        version,
        status: () => server.status(),
        stored: async () => {
          const { projects } = (await container.getAsync(services.storage)).docs.catalogue();
          return {
            projects: projects.length,
            versions: projects.reduce((sum, { versions }) => sum + versions.length, 0),
          };
        },
        freeBytes: async () => (await container.getAsync(services.storage)).disk.freeBytes(),
        store:
          'store' in config.storage
            ? async () => (await container.getAsync(services.storage)).objects?.status()
            : undefined,
      })
    : undefined;
  const { uploadPage } = config;
  const pages = new HtmlPages({ version, uploads: tokens.isConfigured, uploadPage }, at.basePath);
  const server = createHttpServer(
    { pages, publicDirectory, libraries: uploadPage ? libraries : [] },
    { ...config, at, version, logger, combined, metrics },
  );
  let ending: NodeJS.Timeout | undefined;
  try {
    const address = await listen(server, config);
    // After a crash this may take minutes: meanwhile the port is open, and probes are answered.
    server.serve(await container.getAsync(services.core));
    process.stdout.write(`Lectern serves ${place.name} at ${address}/\n`);
    await stopped;
    server.drain();
    await delay(config.drainMs);
    const archives = await container.getAsync(services.archives);
    setTimeout(() => archives.giveUp?.(), GIVE_UP_MS).unref();
    const isAllAnswered = await server.close(MAX_CLOSING_MS);
    // Work that goes on although its connection was cut ends with the process; the next start cleans up, as after a crash.
    if (!isAllAnswered) ending = setTimeout(() => closeLog().finally(() => process.exit(0)), MAX_ENDING_MS);
  } finally {
    await server.close(0);
    await container.unbindAllAsync();
    clearTimeout(ending);
    await closeLog();
  }
}

async function listen(server: HttpServer, { port, host }: ServeConfig): Promise<string> {
  const inherited = inheritedSocket(process.env, process.pid);
  const where = inherited === undefined ? `${host} port ${port}` : 'the socket of LISTEN_FDS';
  const listening = inherited === undefined ? server.listen(port, host) : server.listenOnInherited(inherited);
  return listening.catch((error: unknown) => {
    throw startError(`cannot listen on ${where}`, error);
  });
}

/** Loads the Prometheus adapter only when metrics are enabled. */
async function metricsOf(sources: Sources) {
  const { PrometheusMetrics } = await import('../adapters/prometheus/index.js');
  return new PrometheusMetrics(sources);
}
