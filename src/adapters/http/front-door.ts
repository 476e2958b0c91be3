import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { refuse } from '../../domain/index.js';
import { failureOf } from './errors.js';
import { isApiPath, jsonOf } from './failures.js';
import { drain } from './linger.js';
import type { Probes } from './probes.js';
import { pathOf } from './request-log.js';

/**
 * What a request meets first. Recovery after a crash may take minutes: meanwhile probes are answered, so that no
 * supervisor ends a server that is at work, and everything else gets 503.
 */
export class FrontDoor {
  private handle: RequestListener = (request, response) => void refuseForNow(request, response);

  constructor(private readonly probes: Probes) {}

  readonly listener: RequestListener = (request, response) => {
    if (!this.probes.answer(request, response)) this.handle(request, response);
  };

  /** Lets requests through. */
  open(handle: RequestListener): void {
    this.handle = handle;
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
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(text);
  await drain(request);
  response.end();
}
