import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ClientError, PassingFailure } from './client-error.js';

/** Time for a whole answer that is no archive: from the request, of an upload from the first byte of the answer. */
export const MAX_ANSWER_MS = 5 * 60_000;

export interface TextBounds {
  /** The address that was asked, for messages. */
  readonly url: string;
  /** Max. bytes, unpacked. */
  readonly maxBytes: number;
  readonly deadline: AbortSignal;
}

/**
 * Reads the body of a response as text, never more of it than the bounds allow.
 * @throws PassingFailure when the response breaks off; ClientError when it is too large or too slow
 */
export async function readText({ body }: Response, { url, maxBytes, deadline }: TextBounds): Promise<string> {
  if (body === null) return '';
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    // Leaving the loop ends the connection.
    for await (const piece of Readable.fromWeb(body as ReadableStream<Uint8Array>, { signal: deadline })) {
      bytes += piece.length;
      if (bytes > maxBytes) {
        const sentence = `The answer of ${url} is larger than ${maxBytes / 1024 ** 2} MiB`;
        throw new ClientError('unreachable', sentence);
      }
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof ClientError) throw error;
    if (deadline.aborted) throw tooSlow(url, error);
    throw new PassingFailure('The answer broke off', { isInDoubt: true, cause: error });
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

export function tooSlow(url: string, cause: unknown): ClientError {
  const sentence = `The answer of ${url} was not complete after ${MAX_ANSWER_MS / 60_000} minutes`;
  return new ClientError('unreachable', sentence, { cause });
}
