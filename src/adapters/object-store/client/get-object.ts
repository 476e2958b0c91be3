import type { Readable } from 'node:stream';
import type { ByteRange } from '../../../application/index.js';
import type { StoredObject } from './object-client.js';
import { ReceivedBody } from './received-body.js';
import type { Sdk } from './sdk.js';
import { StoreRefused, StoreUnavailable } from './store-errors.js';
import type { StoreRequests } from './store-requests.js';

/** `ObjectClient.get` with the SDK. */
export async function getObject(
  { commands, client, timeoutMs }: Sdk,
  requests: StoreRequests,
  key: string,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): Promise<StoredObject | undefined> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort, { once: true });
  const onEnd = () => {
    signal?.removeEventListener('abort', abort);
    requests.release(controller);
  };
  const input = {
    ...requests.object(key),
    ...(range !== undefined && { Range: `bytes=${range.start}-${range.end}` }),
  };
  const ask = async (abortSignal: AbortSignal) => {
    try {
      return await client.send(new commands.GetObjectCommand(input), { abortSignal });
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
  };
  try {
    const resultOf = (answer: unknown) => (answer === undefined ? 'missing' : 'ok');
    const answer = await requests.run('get', key, ask, resultOf, controller);
    if (answer === undefined) {
      onEnd();
      return undefined;
    }
    requests.hold(controller);
    const what = requests.describe('get', key);
    const length = answer.ContentLength ?? 0;
    const sent = partOf(answer.ContentRange);
    const body = new ReceivedBody(answer.Body as Readable, {
      what,
      length,
      idleMs: timeoutMs,
      aborted: () => (signal?.aborted ? { reason: signal.reason } : undefined),
      onEnd,
    });
    const problem = range === undefined ? undefined : problemWith(range, sent, length, what);
    if (problem !== undefined) {
      await body.return();
      throw problem;
    }
    const etag = (answer.ETag ?? '').replaceAll('"', '');
    return { size: sent?.whole ?? length, etag, body };
  } catch (error) {
    onEnd();
    throw signal?.aborted ? signal.reason : error;
  }
}

interface SentPart {
  readonly start: number;
  readonly end: number;
  /** Bytes of the whole object. */
  readonly whole: number;
}

function partOf(contentRange = ''): SentPart | undefined {
  const [, start, end, whole] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange) ?? [];
  return start === undefined ? undefined : { start: Number(start), end: Number(end), whole: Number(whole) };
}

/** Why an answer is not the range that was asked for. One that is shorter, but ends where it says, would seem whole. */
function problemWith(
  { start, end }: ByteRange,
  sent: SentPart | undefined,
  length: number,
  what: string,
): StoreRefused | StoreUnavailable | undefined {
  if (sent === undefined) {
    return new StoreRefused(`the store sent a whole object instead of a range (${what})`);
  }
  const last = Math.min(end, sent.whole - 1);
  if (sent.start === start && sent.end === last && length === last + 1 - start) return undefined;
  return new StoreUnavailable(`the store sent another range than bytes ${start} to ${last} (${what})`);
}
