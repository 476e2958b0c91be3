import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { StoredFile } from '../../../application/index.js';
import type { Located, SitePath } from '../../../domain/index.js';
import { combinedLine } from './combined-log.js';
import { type Metrics, methodClassOf, routeOf } from './metrics.js';

/** What this adapter needs of a logger; pino's has the form. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether lines of a level are written at all; without it, all are. */
  isLevelEnabled?(level: string): boolean;
}

/** What handlers note for the log. */
export interface RequestNotes {
  /** The name, never the secret, of the token that a write was made with. */
  token?: string;
  /** What `error` said. */
  refusal?: string;
  /** Bytes of the archive that arrived whole. */
  archiveBytes?: number;
}

/** What handlers note for other parts of the server. */
export interface RequestState extends RequestNotes {
  requestId: string;
  /**
   * What the response shows, if it may be kept in memory: a page of a version; or what follows from the catalogue alone,
   * by its URL.
   */
  shows?: (Located & { readonly path: SitePath }) | string;
  /** The stored file that is being sent whole, for a web server that can send it itself. */
  stored?: StoredFile;
}

export interface RequestLogOptions {
  /** Takes lines in Apache's combined format, in place of what the logger would be told. */
  readonly combined?: { write(line: string): unknown } | undefined;
  /** Told of each request, too. */
  readonly metrics?: Pick<Metrics, 'observe'> | undefined;
}

/** What the line of a request says. */
interface Line extends RequestNotes {
  readonly requestId: string;
  readonly method: string | undefined;
  readonly path: string;
  readonly client: string | undefined;
  readonly status: number;
  /** From the headers of the request to the end of its answer. */
  readonly ms: number;
  /** Bytes that went out. */
  readonly bytes: number;
  aborted?: true;
}

/** Writes one line for each request, when its answer is out or its client gone. */
export class RequestLog {
  constructor(
    private readonly logger: Logger,
    /** Whether `X-Forwarded-For` is believed. */
    private readonly trustProxy = false,
    private readonly options: RequestLogOptions = {},
  ) {}

  /**
   * Begins the line of a request.
   * @param noted asked at the end for what there is to say beside the ordinary
   * @returns the id of the request
   */
  begin(request: IncomingMessage, response: ServerResponse, noted?: () => RequestNotes): string {
    const requestId = randomUUID();
    if (!this.isHeard) return requestId;
    const startedAt = performance.now();
    const { socket } = request;
    const sentBefore = socket.bytesWritten;
    const client = this.clientOf(request);
    response.on('close', () => {
      const ms = performance.now() - startedAt;
      const fields: Line = {
        requestId,
        method: request.method,
        path: pathOf(request.url ?? ''),
        client,
        status: response.statusCode,
        ms: Math.round(ms * 10) / 10,
        bytes: socket.bytesWritten - sentBefore,
      };
      // Not spread into it: V8 would make a class of its own for each line.
      if (noted !== undefined) Object.assign(fields, noted());
      if (!response.writableFinished) fields.aborted = true;
      const { metrics, combined } = this.options;
      metrics?.observe({
        route: routeOf(fields.path),
        method: methodClassOf(fields.method),
        status: fields.status,
        seconds: ms / 1000,
        bytes: fields.bytes,
        aborted: fields.aborted === true,
        refusal: fields.refusal,
        archiveBytes: fields.archiveBytes,
      });
      if (combined === undefined) this.logger.info(fields, 'request');
      else combined.write(combinedLine(request, fields));
    });
    return requestId;
  }

  private get isHeard(): boolean {
    const { metrics, combined } = this.options;
    return metrics !== undefined || combined !== undefined || this.logger.isLevelEnabled?.('info') !== false;
  }

  /** Of several forwarded addresses only the last one was written by the proxy itself. */
  private clientOf({ headers, socket }: IncomingMessage): string | undefined {
    const forwarded = this.trustProxy
      ? String(headers['x-forwarded-for'] ?? '')
          .split(',')
          .at(-1)
          ?.trim()
      : '';
    return forwarded || socket.remoteAddress;
  }
}

/** The line for a request that goes through Koa. */
export function requestLog(log: RequestLog): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.state.requestId = log.begin(ctx.req, ctx.res, () => {
      const { token, refusal, archiveBytes } = ctx.state;
      return {
        ...(token === undefined ? {} : { token }),
        ...(refusal === undefined ? {} : { refusal }),
        ...(archiveBytes === undefined ? {} : { archiveBytes }),
      };
    });
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}

/** The path of a request target, as it was sent, without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
