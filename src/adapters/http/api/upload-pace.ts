import type { IncomingMessage } from 'node:http';
import { HttpFault } from '../errors.js';

/** How slowly an upload may come. */
export interface UploadPace {
  /** Milliseconds between two looks at an upload that is on its way. */
  readonly windowMs: number;
  /** Bytes a second that have to come in each window. */
  readonly minBytesPerSecond: number;
  /** Milliseconds that an upload of any size may take in all; more for its size, see `minOverallBytesPerSecond`. */
  readonly graceMs: number;
  /** Bytes a second that the whole upload has to keep up once `graceMs` have passed. */
  readonly minOverallBytesPerSecond: number;
}

export const DEFAULT_UPLOAD_PACE: UploadPace = {
  windowMs: 60_000,
  minBytesPerSecond: 1_024,
  graceMs: 600_000,
  minOverallBytesPerSecond: 64 * 1_024,
};

/**
 * Watches an upload while its body comes: it holds one of few places, and a client that sends a byte from time to time
 * would hold it as long as it likes.
 * @param bodyBytes size of the body, or the largest that it may have
 * @param onTooSlow told at most once: `invalid_request` with status 408 (RFC 9110 section 15.5.9)
 * @returns ends watching
 */
export function watchPace(
  request: IncomingMessage,
  { windowMs, minBytesPerSecond, graceMs, minOverallBytesPerSecond }: UploadPace,
  bodyBytes: number,
  onTooSlow: (fault: HttpFault) => void,
): () => void {
  const { socket } = request;
  const deadline = performance.now() + graceMs + (bodyBytes / minOverallBytesPerSecond) * 1_000;
  let bytesBefore = socket.bytesRead;
  const looking = setInterval(() => {
    const bytes = socket.bytesRead - bytesBefore;
    bytesBefore = socket.bytesRead;
    const isSlow = bytes < (windowMs / 1_000) * minBytesPerSecond;
    // Bytes that nobody has taken yet: then it is the disk that is slow, not the client.
    if (request.readableLength > 0 || !(isSlow || performance.now() > deadline)) return;
    stop();
    onTooSlow(tooSlow(isSlow ? minBytesPerSecond : minOverallBytesPerSecond));
  }, windowMs);
  const stop = () => clearInterval(looking);
  return stop;
}

function tooSlow(bytesPerSecond: number): HttpFault {
  return new HttpFault(
    'invalid_request',
    `The upload came too slowly, at less than ${bytesPerSecond} bytes a second; nothing was changed. Try again over a faster line`,
    {},
    408,
  );
}
