import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { failureOf, unavailable } from '../errors.js';
import { jsonFailure } from '../failures.js';
import { CACHE_CONTROL } from '../response/cache-policy.js';
import { answerAndLinger } from './lingering-close.js';
import type { Probes } from './probes.js';
import { pathOf } from './request-log.js';

/** Max. wait of a request for the end of the start, in milliseconds: longer than ordinary starts take. */
const MAX_WAITING_MS = 5_000;

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
  response.writeHead(failure.status, {
    ...failure.headers,
    'Content-Type': `${json === undefined ? 'text/plain' : 'application/json'}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': CACHE_CONTROL.never,
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  await answerAndLinger(request, response, text);
}
