import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerStatus } from '../../application/index.js';
import { ANYBODY } from '../../domain/index.js';
import { People } from './access/people.js';
import { Readers } from './access/readers.js';
import { DEFAULT_UPLOAD_PACE } from './api/uploads/receive-upload.js';
import { UploadGate } from './api/uploads/upload-gate.js';
import { listenerOf } from './app.js';
import type { Core, HttpServerOptions, OwnPages } from './app-parts.js';
import { PublicAddress } from './public-address.js';
import { DEFAULT_CACHE_BYTES, KeptAnswers, responseCache } from './response/kept-answers.js';
import { TextCache, Turns } from './response/texts.js';
import { connectionBounds } from './server/connections.js';
import { LecternServer } from './server/lectern-server.js';
import { RequestLog } from './server/request-log.js';
import { Probes, StartupGate } from './server/startup-gate.js';
import { SwitcherTag } from './sites/switcher-tag.js';

const DEFAULTS = {
  features: [],
  trustProxy: false,
  cacheBytes: DEFAULT_CACHE_BYTES,
  uploadPace: DEFAULT_UPLOAD_PACE,
  indexing: true,
  mcp: true,
} as const;

/** A server that answers probes from the start, and everything else once it has its core. */
export interface HttpServer {
  /**
   * @param port 0 takes a free one
   * @returns the address to open in a browser, without a `/` at its end
   */
  listen(port: number, host: string): Promise<string>;
  /**
   * Listens on an inherited socket, whose opener queues connections while no server runs.
   * @param fd the socket's file descriptor
   * @returns as `listen` does, or the path of a Unix socket
   */
  listenOnInherited(fd: number): Promise<string>;
  /** Serves a connection that was opened elsewhere: one within this process, say. */
  accept(connection: Duplex): void;
  /** Passes requests to the core, waiting ones first. */
  serve(core: Core): void;
  /** Makes `/-/ready` fail; requests are still answered. */
  drain(): void;
  /**
   * Refuses uploads and connections, completes the responses that have begun, and ends after `maxMs` at the latest.
   * @returns whether all could be completed in that time
   */
  close(maxMs: number): Promise<boolean>;
  /** Status for metrics. */
  status(): ServerStatus;
}

/**
 * Creates the HTTP server of the API, the server's own pages and the sites.
 * @param core may follow later, by `serve`: recovery after a crash may take minutes
 */
export function createHttpServer(own: OwnPages, options: HttpServerOptions, core?: Core): HttpServer {
  const settled = { ...DEFAULTS, at: new PublicAddress(), ...options };
  const { at, logger, metrics, trustProxy } = settled;
  const gate = new UploadGate({
    maxUploads: options.maxUploads,
    maxWaiting: options.maxWaitingUploads,
    waitMs: options.uploadWaitMs,
  });
  const probes = new Probes(metrics);
  const startup = new StartupGate(probes);
  const server = new LecternServer(
    at.entering(startup.listener),
    options.patience,
    connectionBounds(options.maxConnections, trustProxy),
  );
  let cached = () => ({ bytes: 0, hits: 0, misses: 0 });

  const handlerFor = ({ useCases, seenBy, accelRedirect, access }: Core): RequestListener => {
    const requestLog = new RequestLog(logger, trustProxy, { combined: options.combined, metrics });
    const switcher = new SwitcherTag(options.switcher, at);
    const cache = responseCache(settled.cacheBytes);
    const people = options.people && new People(options.people, logger);
    const readers = new Readers(useCases.authenticate, seenBy, access, people);
    const kept = new KeptAnswers({
      switcher,
      log: requestLog,
      countReads: useCases.countReads,
      cache,
      readers,
    });
    cached = () => ({ bytes: cache?.totalWeight ?? 0, hits: kept.hits, misses: kept.misses });
    const made = {
      readers,
      gate,
      switcher,
      texts: new TextCache(cache),
      turns: new Turns(),
      kept,
      requestLog,
    };
    return listenerOf({ ...settled, ...own, useCases, accelRedirect, ...made });
  };

  const serve = (ready: Core) => {
    startup.open(handlerFor(ready));
    probes.serving({ ...ready, look: () => ready.seenBy(ANYBODY, new Date()) });
  };
  if (core !== undefined) serve(core);
  return {
    listen: (port, host) => server.listen({ port, host }),
    listenOnInherited: (fd) => server.listen({ fd }),
    accept: (connection) => server.accept(connection),
    serve,
    drain: () => probes.draining(),
    close: (maxMs) => {
      gate.close();
      return server.close(maxMs);
    },
    status: () => ({
      isReady: probes.whyNotReady().length === 0,
      uploadsRunning: gate.running,
      uploadsWaiting: gate.waiting,
      pageCache: cached(),
    }),
  };
}
