import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { refuse } from '../../domain/index.js';
import { failureOf } from './errors.js';
import { isApiPath, jsonOf } from './failures.js';
import { answerAndLinger } from './linger.js';
import type { Probes } from './probes.js';
import { pathOf } from './request-log.js';

/** An ordinary start takes less: what comes meanwhile is answered a little later, and fails only in long ones. */
const MOST_WAITING_MS = 5_000;

/**
 * What a request meets first. Recovery after a crash may take minutes: meanwhile probes are answered, so that no
 * supervisor ends a server that is at work, and everything else waits a moment and then gets 503.
 */
export class FrontDoor {
  private handle: RequestListener | undefined;
  private letIn = () => {};
  private readonly opened = new Promise<void>((resolve) => {
    this.letIn = resolve;
  });

  constructor(
    private readonly probes: Probes,
    private readonly mostWaitingMs = MOST_WAITING_MS,
  ) {}

  readonly listener: RequestListener = (request, response) => {
    if (this.probes.answer(request, response)) return;
    if (this.handle === undefined) void this.wait(request, response);
    else this.handle(request, response);
  };

  /** Lets requests through, those that wait first. */
  open(handle: RequestListener): void {
    this.handle = handle;
    this.letIn();
  }

  private async wait(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const patience = new AbortController();
    const enough = delay(this.mostWaitingMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([this.opened, enough]);
    patience.abort();
    if (response.destroyed) return;
    if (this.handle === undefined) await refuseForNow(request, response);
    else this.handle(request, response);
  }
}

async function refuseForNow(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const failure = failureOf(refuse.starting());
  const isApi = isApiPath(pathOf(request.url ?? ''));
  const text = isApi ? jsonOf(failure) : `${failure.message}\n`;
  response.writeHead(failure.status, {
    ...failure.headers,
    'Content-Type': `${isApi ? 'application/json' : 'text/plain'}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  await answerAndLinger(request, response, text);
}
