import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Metrics } from '../../../application/index.js';
import { failureOf, jsonFailure, unavailable } from '../errors.js';
import { cacheHeader, JSON_TYPE } from '../response/answer.js';
import { answerAndLinger } from './connections.js';
import { pathOf } from './request-log.js';

/** Max. wait of a request for the end of the start, in milliseconds: longer than ordinary starts take. */
const MAX_WAITING_MS = 5_000;

/** Reason for a server to get no requests now. */
type NotReady = 'starting' | 'draining' | 'docs_unavailable' | 'log_incomplete';

/** Facts about a server that has started, for its probes. */
export interface Started {
  /** @throws when the documentation cannot be read */
  look(): unknown;
  /** Codes for what is wrong although the server is ready, for `/-/ready`. */
  readonly warnings?: (() => readonly string[]) | undefined;
  /** Whether versions may be missing, so that the server is not ready. */
  readonly isIncomplete?: (() => boolean) | undefined;
}

/**
 * Probes for supervisors: `/-/health`, `/-/ready` and, with metrics, `/-/metrics`. Answered before all other handlers,
 * and not logged.
 */
export class Probes {
  private started: Started | undefined;
  private isDraining = false;

  /** @param metrics served at `/-/metrics`, if given */
  constructor(private readonly metrics?: Pick<Metrics, 'contentType' | 'text'>) {}

  /** Marks the server as ready. */
  serving(started: Started): void {
    this.started = started;
  }

  /** Marks the server as draining: requests should go elsewhere. */
  draining(): void {
    this.isDraining = true;
  }

  /** Empty when the server is ready. */
  whyNotReady(): readonly NotReady[] {
    const { started, isDraining } = this;
    const reasons: NotReady[] = isDraining ? ['draining'] : [];
    if (started === undefined) return isDraining ? reasons : ['starting'];
    try {
      started.look();
    } catch {
      reasons.push('docs_unavailable');
    }
    if (started.isIncomplete?.() === true) reasons.push('log_incomplete');
    return reasons;
  }

  /** Answers a probe; returns whether the request is one. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (!url.startsWith('/-/') || (method !== 'GET' && method !== 'HEAD')) return false;
    switch (pathOf(url)) {
      case '/-/health':
        send(response, 200, '{"healthy":true}\n');
        return true;
      case '/-/ready': {
        const reasons = this.whyNotReady();
        const ready = reasons.length === 0;
        const warnings = this.started?.warnings?.() ?? [];
        const body = { ready, reasons, ...(warnings.length === 0 ? {} : { warnings }) };
        send(response, ready ? 200 : 503, `${JSON.stringify(body)}\n`);
        return true;
      }
      case '/-/metrics':
        if (this.metrics === undefined) return false;
        void sendMetrics(response, this.metrics);
        return true;
      default:
        return false;
    }
  }
}

/**
 * The first handler of every request. Recovery after a crash may take minutes: meanwhile probes are answered, so that
 * no supervisor restarts the server, and other requests wait a moment and then get 503.
 */
export class StartupGate {
  private handle: RequestListener | undefined;
  private resolveOpened = () => {};
  private readonly opened = new Promise<void>((resolve) => {
    this.resolveOpened = resolve;
  });

  constructor(
    private readonly probes: Probes,
    private readonly maxWaitingMs = MAX_WAITING_MS,
  ) {}

  readonly listener: RequestListener = (request, response) => {
    if (this.probes.answer(request, response)) return;
    if (this.handle === undefined) void this.wait(request, response);
    else this.handle(request, response);
  };

  /** Passes requests to `handle`, waiting ones first. */
  open(handle: RequestListener): void {
    this.handle = handle;
    this.resolveOpened();
  }

  private async wait(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await Promise.race([this.opened, delay(this.maxWaitingMs, undefined, { ref: false })]);
    if (response.destroyed) return;
    if (this.handle === undefined) await refuseForNow(request, response);
    else this.handle(request, response);
  }
}

async function refuseForNow(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const failure = failureOf(unavailable('The server is starting; try again in a few seconds'));
  const json = jsonFailure(pathOf(request.url ?? ''), failure);
  const text = json ?? `${failure.message}\n`;
  const type = json === undefined ? 'text/plain; charset=utf-8' : JSON_TYPE;
  response.writeHead(failure.status, { ...failure.headers, ...headersOf(text, type), Connection: 'close' });
  await answerAndLinger(request, response, text);
}

async function sendMetrics(
  response: ServerResponse,
  metrics: Pick<Metrics, 'contentType' | 'text'>,
): Promise<void> {
  try {
    send(response, 200, await metrics.text(), metrics.contentType);
  } catch {
    send(response, 500, 'The metrics are not available\n', 'text/plain; charset=utf-8');
  }
}

function send(response: ServerResponse, status: number, text: string, type = JSON_TYPE): void {
  response.writeHead(status, headersOf(text, type));
  // Node omits the body of the response to a HEAD.
  response.end(text);
}

function headersOf(text: string, type: string) {
  return {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'X-Content-Type-Options': 'nosniff',
    ...cacheHeader('never'),
  };
}
