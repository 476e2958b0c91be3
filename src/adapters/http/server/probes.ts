import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../../../application/index.js';
import { CACHE_CONTROL } from '../response/cache-policy.js';
import { pathOf } from './request-log.js';

/** Reason for a server to get no requests now. */
type NotReady = 'starting' | 'draining' | 'docs_unavailable' | 'log_incomplete';

/**
 * Probes for supervisors: `/-/health`, `/-/ready` and, with metrics, `/-/metrics`. Answered before all other handlers,
 * and not logged.
 */
export class Probes {
  private state: 'starting' | 'serving' | 'draining' = 'starting';
  private look: () => unknown = () => undefined;
  private warnings: () => readonly string[] = () => [];
  private isIncomplete: () => boolean = () => false;

  /** @param metrics served at `/-/metrics`, if given */
  constructor(private readonly metrics?: Pick<Metrics, 'contentType' | 'text'>) {}

  /**
   * Marks the server as ready.
   * @param look throws when the documentation cannot be read
   * @param warnings of a server that is ready, but not everything it needs is
   * @param isIncomplete whether the server does not know all there is
   */
  serving(
    look: () => unknown,
    warnings: () => readonly string[] = () => [],
    isIncomplete: () => boolean = () => false,
  ): void {
    this.state = 'serving';
    this.look = look;
    this.warnings = warnings;
    this.isIncomplete = isIncomplete;
  }

  /** Marks the server as draining: requests should go elsewhere. */
  draining(): void {
    this.state = 'draining';
  }

  /** Empty when the server is ready. */
  whyNotReady(): readonly NotReady[] {
    if (this.state === 'starting') return ['starting'];
    const reasons: NotReady[] = this.state === 'draining' ? ['draining'] : [];
    try {
      this.look();
    } catch {
      reasons.push('docs_unavailable');
    }
    if (this.isIncomplete()) reasons.push('log_incomplete');
    return reasons;
  }

  /** Answers a probe; returns whether the request is one. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (!url.startsWith('/-/') || (method !== 'GET' && method !== 'HEAD')) return false;
    switch (pathOf(url)) {
      case '/-/health':
        send(response, 200, { healthy: true });
        return true;
      case '/-/ready': {
        const reasons = this.whyNotReady();
        const ready = reasons.length === 0;
        const warnings = this.warnings();
        const body = { ready, reasons, ...(warnings.length === 0 ? {} : { warnings }) };
        send(response, ready ? 200 : 503, body);
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

async function sendMetrics(
  response: ServerResponse,
  metrics: Pick<Metrics, 'contentType' | 'text'>,
): Promise<void> {
  try {
    sendText(response, 200, await metrics.text(), metrics.contentType);
  } catch {
    sendText(response, 500, 'The metrics cannot be put together\n', 'text/plain; charset=utf-8');
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, `${JSON.stringify(body)}\n`, 'application/json; charset=utf-8');
}

function sendText(response: ServerResponse, status: number, text: string, type: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': CACHE_CONTROL.never,
    'X-Content-Type-Options': 'nosniff',
  });
  // Node omits the body of the response to a HEAD.
  response.end(text);
}
