import type { RequestListener } from 'node:http';
import type { UseCases } from '../../application/index.js';
import type { Catalogue } from '../../domain/index.js';
import { ProjectList } from './api/project-list.js';
import { DEFAULT_MAX_UPLOADS, UploadGate } from './api/upload-gate.js';
import { DEFAULT_UPLOAD_PACE, type UploadPace } from './api/upload-pace.js';
import { createApp } from './app.js';
import { DEFAULT_CACHE_BYTES, FastLane } from './fast-lane/fast-lane.js';
import type { OwnPages } from './own/own-parts.js';
import { PublicAddress } from './public-address.js';
import { TextCache } from './response/text-cache.js';
import { connectionBounds } from './server/connections.js';
import { LecternServer, type Patience } from './server/lectern-server.js';
import type { Metrics, ServerStatus } from './server/metrics.js';
import { Probes } from './server/probes.js';
import { type Logger, RequestLog } from './server/request-log.js';
import { StartupGate } from './server/startup-gate.js';
import type { AccelRedirect } from './sites/accel-redirect.js';
import { SwitcherTag } from './sites/switcher-tag.js';

/** The core as a server sees it. */
export interface Core {
  readonly useCases: UseCases;
  /** Everything published; throws when the store is out of reach. */
  readonly catalogue: () => Catalogue;
  /** Where a web server in front has the docs directory, for nobody but Lectern; see `--accel-redirect`. */
  readonly accelRedirect?: AccelRedirect | undefined;
}

export interface HttpServerOptions {
  readonly logger: Logger;
  /** Of Lectern itself: the package's, or `DEV`. */
  readonly version: string;
  /** Where clients find the server; by default at the root of whatever host they name. */
  readonly at?: PublicAddress;
  /** Whether `X-Forwarded-For`, `-Host` and `-Proto` are believed: only behind a proxy that sets them. */
  readonly trustProxy?: boolean;
  /** Memory for responses that are sent often, in bytes; 0 keeps none. */
  readonly cacheBytes?: number;
  /** Uploads at the same time; one fewer for each token. */
  readonly maxUploads?: number;
  /** The least rate of an upload, and the time that it may take. */
  readonly uploadPace?: UploadPace;
  /** Open connections; half of them for one client address, unless a proxy in front is trusted. */
  readonly maxConnections?: number;
  /** Whether pages get the version switcher where their project does not say. */
  readonly switcher?: boolean;
  readonly patience?: Patience;
  /** Takes lines in Apache's combined format, in place of what the logger would be told. */
  readonly combined?: { write(line: string): unknown } | undefined;
  /** A monitoring system; `/-/metrics` is its page. */
  readonly metrics?: Metrics | undefined;
}

/** The part of the memory for responses that texts of the server's own may take; hosted pages have the rest. */
const TEXT_SHARE = 1 / 8;

/** A server that answers probes from the first moment on, and everything else once it has its core. */
export interface HttpServer {
  /**
   * @param port 0 takes a free one
   * @returns the address to open in a browser, without a `/` at its end
   */
  listen(port: number, host: string): Promise<string>;
  /**
   * Listens on a socket that is open already: whoever opened it keeps connections waiting while no server runs.
   * @param fd the socket's file descriptor
   * @returns as `listen` does, or the path of a Unix socket
   */
  listenOnInherited(fd: number): Promise<string>;
  /** Hands requests to the core, those that wait first. */
  serve(core: Core): void;
  /** Says at `/-/ready` that requests had better go elsewhere; they are still answered. */
  drain(): void;
  /**
   * Takes no more uploads and connections, lets every answer that has begun reach its client, and ends after `maxMs` at
   * the latest.
   * @returns whether all could be answered in that time
   */
  close(maxMs: number): Promise<boolean>;
  /** For a monitoring system. */
  status(): ServerStatus;
}

/**
 * The one door to HTTP: the API, the server's own pages and the sites, on a port.
 * @param core may follow later, by `serve`: recovery after a crash may take minutes
 */
export function createHttpServer(own: OwnPages, options: HttpServerOptions, core?: Core): HttpServer {
  const { cacheBytes = DEFAULT_CACHE_BYTES, at = new PublicAddress(), metrics } = options;
  const gate = new UploadGate(options.maxUploads ?? DEFAULT_MAX_UPLOADS);
  const probes = new Probes(metrics);
  const startup = new StartupGate(probes);
  const server = new LecternServer(
    at.entering(startup.listener),
    options.patience,
    connectionBounds(options.maxConnections, options.trustProxy),
  );
  let cached = () => ({ bytes: 0, hits: 0, misses: 0 });

  const handlerFor = ({ useCases, catalogue, accelRedirect }: Core): RequestListener => {
    const log = new RequestLog(options.logger, options.trustProxy, { combined: options.combined, metrics });
    const switcher = new SwitcherTag(options.switcher, at);
    const textBytes = Math.floor(cacheBytes * TEXT_SHARE);
    const texts = new TextCache(textBytes);
    const lane = new FastLane({
      catalogue,
      hasSwitcher: ({ project }) => switcher.isFor(project),
      log,
      maxBytes: cacheBytes - textBytes,
    });
    cached = () => ({ bytes: lane.bytes + texts.bytes, hits: lane.hits, misses: lane.misses });
    const app = createApp({
      ...own,
      useCases,
      list: new ProjectList(useCases.listProjects, at),
      gate,
      uploadPace: options.uploadPace ?? DEFAULT_UPLOAD_PACE,
      at,
      version: options.version,
      keep: lane.keep,
      switcher,
      texts,
      logger: options.logger,
      requestLog: log,
      trustProxy: options.trustProxy ?? false,
      accelRedirect,
    });
    return lane.ahead(app.callback());
  };

  const serve = (ready: Core) => {
    startup.open(handlerFor(ready));
    probes.serving(ready.catalogue);
  };
  if (core !== undefined) serve(core);
  return {
    listen: (port, host) => server.listen(port, host),
    listenOnInherited: (fd) => server.listenOnInherited(fd),
    serve,
    drain: () => probes.draining(),
    close: (maxMs) => {
      gate.close();
      return server.close(maxMs);
    },
    status: () => ({
      isReady: probes.whyNotReady().length === 0,
      uploadsRunning: gate.running,
      pageCache: cached(),
    }),
  };
}
