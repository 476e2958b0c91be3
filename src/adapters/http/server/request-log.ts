import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MethodClass, Metrics, Route } from '../../../application/index.js';
import type { WarningCode } from '../../../domain/index.js';

/** Log of a server; pino's loggers are such. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether lines of a level are written; without it, all are. */
  isLevelEnabled?(level: string): boolean;
}

/** Facts about a request for its log line, as they become known. */
export interface RequestNotes {
  /** Name, never the secret, of the token of a write, with rules for readers of any request; or of the entry that a job fits. */
  token?: string;
  /** Name of the token that has made it; undefined for others. */
  maker?: string;
  /** The job, as described by the issuer of its token. */
  job?: string;
  /** Code in the response's `error`. */
  refusal?: string;
  /** Sentence of a refusal that concerns whoever runs the server; its line is a warning. */
  reason?: string;
  /** Size of the uploaded archive, if it arrived whole. */
  archiveBytes?: number;
  /** Milliseconds that an upload waited for a place, if it had to. */
  waitedMs?: number;
  /** Codes of the warnings about an uploaded site. */
  warnings?: readonly WarningCode[];
}

export interface RequestLogOptions {
  /** Access log in Apache's combined format; replaces the logger's lines. */
  readonly combined?: { write(line: string): unknown } | undefined;
  /** Observes each request. */
  readonly metrics?: Pick<Metrics, 'observe'> | undefined;
}

/** Fields of a request's log line. */
interface Line extends CombinedFields, RequestNotes {
  readonly requestId: string;
  /** From the request's headers to the end of the response. */
  readonly ms: number;
  aborted?: true;
}

/** Status of a request whose client left before a response was sent. Never sent; nginx logs the same. */
const CLIENT_LEFT = 499;

const METHODS: Readonly<Record<string, MethodClass>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

/** Writes one line per request, when its response has ended or its client has disconnected. */
export class RequestLog {
  constructor(
    private readonly logger: Logger,
    /** Whether `X-Forwarded-For` is believed. */
    private readonly trustProxy = false,
    private readonly options: RequestLogOptions = {},
  ) {}

  /**
   * Starts the log line of a request.
   * @param notes additional fields, which may be set until the end of the response
   * @returns the id of the request
   */
  begin(request: IncomingMessage, response: ServerResponse, notes: RequestNotes = {}): string {
    const requestId = randomUUID();
    if (!this.isEnabled) return requestId;
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
        status: response.headersSent ? response.statusCode : CLIENT_LEFT,
        ms: Math.round(ms * 10) / 10,
        bytes: socket.bytesWritten - sentBefore,
      };
      // Not a spread: V8 would create a hidden class per line.
      Object.assign(fields, notes);
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
        token: fields.maker === undefined ? fields.token : undefined,
        archiveBytes: fields.archiveBytes,
        waitedMs: fields.waitedMs,
        warnings: fields.warnings,
      });
      if (combined === undefined)
        this.logger[fields.reason === undefined ? 'info' : 'warn'](fields, 'request');
      else combined.write(combinedLine(request, fields));
    });
    return requestId;
  }

  /** Whether the line of a request tells the note `reason`: not in the combined format, nor where there are no lines. */
  get hasReasons(): boolean {
    return this.options.combined === undefined && this.isLogged;
  }

  private get isEnabled(): boolean {
    const { metrics, combined } = this.options;
    return metrics !== undefined || combined !== undefined || this.isLogged;
  }

  private get isLogged(): boolean {
    return this.logger.isLevelEnabled?.('info') !== false;
  }

  /** The client's address. Only the last forwarded one was written by the proxy itself. */
  clientOf({ headers, socket }: IncomingMessage): string | undefined {
    const forwarded = this.trustProxy
      ? String(headers['x-forwarded-for'] ?? '')
          .split(',')
          .at(-1)
          ?.trim()
      : '';
    return forwarded || socket.remoteAddress;
  }
}

/** The path of a request target as sent, without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/** Whether a path belongs to the API, whose failures are JSON. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api') && (path.length === 4 || path[4] === '/');
}

/** @param path of a request as sent, without its query */
export function routeOf(path: string): Route {
  if (isApiPath(path)) {
    if (path === '/api/projects') return 'list';
    if (path === '/api/upload') return 'upload';
    if (path.startsWith('/api/download/')) return 'archive';
    return path.startsWith('/api/delete/') ? 'delete' : 'api';
  }
  if (path.startsWith('/-/') || path === '/' || path === '/help' || path === '/robots.txt') return 'own';
  return path.endsWith('-docs.zip') && path.indexOf('/', 1) === -1 ? 'archive' : 'site';
}

export function methodClassOf(method: string | undefined): MethodClass {
  return METHODS[method ?? ''] ?? 'other';
}

/** Facts about a request for its line in Apache's combined format, beside the request's headers. */
interface CombinedFields {
  readonly client: string | undefined;
  /** Name of the token of a write. */
  token?: string;
  readonly method: string | undefined;
  /** Without its query, as in the JSON lines. */
  readonly path: string;
  readonly status: number;
  /** Bytes sent, headers included. */
  readonly bytes: number;
}

/** Formats a line of an access log in Apache's combined format. */
export function combinedLine(request: IncomingMessage, fields: CombinedFields, now = new Date()): string {
  const { client, token, method, path, status, bytes } = fields;
  const { referer, 'user-agent': agent } = request.headers;
  // The token's name takes the place of the user; a space would end it.
  const user = token === undefined ? '-' : escaped(token).replaceAll(' ', '_');
  const line = `${method} ${escaped(path)} HTTP/${request.httpVersion}`;
  const from = escaped(client).replaceAll(' ', '_');
  return `${from} - ${user} [${timeOf(now)}] "${line}" ${status} ${bytes} "${escaped(referer)}" "${escaped(agent)}"\n`;
}

/** Escapes as Apache and nginx do: no client can end a field or a line. */
function escaped(text = '-'): string {
  return text.replace(
    /["\\\u0000-\u001f\u007f-\u{10ffff}]/gu,
    // Node reads headers as Latin-1: a character is a byte.
    (found) =>
      [...Buffer.from(found, found > '\u00ff' ? 'utf8' : 'latin1')]
        .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
        .join(''),
  );
}

/** Time in Apache's format, from `Thu, 05 Nov 2026 06:07:08 GMT`. */
function timeOf(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
