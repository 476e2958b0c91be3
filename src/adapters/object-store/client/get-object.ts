import type { Readable } from 'node:stream';
import type { ByteRange } from '../../../application/index.js';
import type { StoredObject } from './object-client.js';
import { ReceivedBody } from './received-body.js';
import type { Sdk } from './sdk.js';
import { StoreRefused } from './store-errors.js';
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
    const whole = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
    const body = new ReceivedBody(answer.Body as Readable, {
      what,
      length,
      idleMs: timeoutMs,
      aborted: () => (signal?.aborted ? { reason: signal.reason } : undefined),
      onEnd,
    });
    if (range !== undefined && whole === undefined) {
      await body.return();
      throw new StoreRefused(`the store sent a whole object instead of a range (${what})`);
    }
    const etag = (answer.ETag ?? '').replaceAll('"', '');
    return { size: whole === undefined ? length : Number(whole), etag, body };
  } catch (error) {
    onEnd();
    throw signal?.aborted ? signal.reason : error;
  }
}
