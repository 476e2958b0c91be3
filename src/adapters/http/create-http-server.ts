import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Metrics, ServerStatus, UseCases } from '../../application/index.js';
import { ANYBODY } from '../../domain/index.js';
import { People, type PeopleOptions } from './access/people.js';
import { type Access, Readers, type SeenBy } from './access/readers.js';
import { DEFAULT_UPLOAD_PACE, type UploadPace } from './api/uploads/receive-upload.js';
import { UploadGate } from './api/uploads/upload-gate.js';
import { listenerOf } from './app.js';
import type { AccelRedirect, HttpFeature, OwnPages } from './app-parts.js';
import { PublicAddress } from './public-address.js';
import { DEFAULT_CACHE_BYTES, KeptAnswers, responseCache } from './response/kept-answers.js';
import { TextCache, Turns } from './response/texts.js';
import { connectionBounds } from './server/connections.js';
import { LecternServer, type Patience } from './server/lectern-server.js';
import { type Logger, RequestLog } from './server/request-log.js';
import { Probes, type Started, StartupGate } from './server/startup-gate.js';
import { SwitcherTag } from './sites/switcher-tag.js';

/** The parts of the core that the server uses. */
export interface Core extends Omit<Started, 'look'> {
  readonly useCases: UseCases;
  /** What a reader may see of the store. */
  readonly seenBy: SeenBy;
  /** Internal location of the docs directory in a web server in front; see `--accel-redirect`. */
  readonly accelRedirect?: AccelRedirect | undefined;
  /** Rules that say who may read which project; without them everybody may read all. */
  readonly access?: Access | undefined;
}

export interface HttpServerOptions {
  readonly logger: Logger;
  /** Lectern's version: the package's, or `DEV`. */
  readonly version: string;
  /** Optional features. @default none */
  readonly features?: readonly HttpFeature[];
  /** Public address; by default the root of the requested host. */
  readonly at?: PublicAddress;
  /** Whether `X-Forwarded-For`, `-Host` and `-Proto` are believed: only behind a proxy that sets them. */
  readonly trustProxy?: boolean;
  /** Size of the response cache in bytes; 0 turns it off. */
  readonly cacheBytes?: number;
  /** Max. concurrent uploads; one fewer for each token. */
  readonly maxUploads?: number;
  /** Max. uploads that wait for a place; 0 refuses them at once. */
  readonly maxWaitingUploads?: number;
  /** Max. time that an upload waits for a place, in milliseconds. */
  readonly uploadWaitMs?: number;
  /** Min. rates and time limits of an upload. */
  readonly uploadPace?: UploadPace;
  /** Max. open connections; half of them per client address, unless a proxy in front is trusted. */
  readonly maxConnections?: number;
  /** Default for projects that do not set whether their pages get the version switcher. */
  readonly switcher?: boolean;
  /** Whether search engines may show what is served; default: true. */
  readonly indexing?: boolean;
  /** Whether coding agents can ask, at `/-/mcp`. @default true */
  readonly mcp?: boolean;
  /** How a proxy in front says who has signed in; counts with `Core.access` only. */
  readonly people?: PeopleOptions | undefined;
  readonly patience?: Patience;
  /** Access log in Apache's combined format; replaces the logger's request lines. */
  readonly combined?: { write(line: string): unknown } | undefined;
  /** Metrics of requests, served at `/-/metrics`. */
  readonly metrics?: Metrics | undefined;
}

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
  const { cacheBytes = DEFAULT_CACHE_BYTES, at = new PublicAddress(), metrics } = options;
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
    connectionBounds(options.maxConnections, options.trustProxy),
  );
  let cached = () => ({ bytes: 0, hits: 0, misses: 0 });

  const handlerFor = ({ useCases, seenBy, accelRedirect, access }: Core): RequestListener => {
    const log = new RequestLog(options.logger, options.trustProxy, { combined: options.combined, metrics });
    const switcher = new SwitcherTag(options.switcher, at);
    const cache = responseCache(cacheBytes);
    const people = options.people && new People(options.people, options.logger);
    const readers = new Readers(useCases.authenticate, seenBy, access, people);
    const kept = new KeptAnswers({ switcher, log, countReads: useCases.countReads, cache, readers });
    cached = () => ({ bytes: cache?.totalWeight ?? 0, hits: kept.hits, misses: kept.misses });
    return listenerOf({
      ...own,
      useCases,
      readers,
      features: options.features ?? [],
      gate,
      uploadPace: options.uploadPace ?? DEFAULT_UPLOAD_PACE,
      at,
      version: options.version,
      mcp: options.mcp ?? true,
      kept,
      switcher,
      isIndexed: options.indexing ?? true,
      texts: new TextCache(cache),
      turns: new Turns(),
      logger: options.logger,
      requestLog: log,
      trustProxy: options.trustProxy ?? false,
      accelRedirect,
    });
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
