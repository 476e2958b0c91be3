import type { IncomingMessage } from 'node:http';
import { HttpFault } from '../../errors.js';

/** Min. rates and time limits of an upload. */
export interface UploadPace {
  /** Interval between checks of a running upload, in milliseconds. */
  readonly windowMs: number;
  /** Min. rate in each interval, in bytes per second. */
  readonly minBytesPerSecond: number;
  /** Time allowed for an upload of any size, in milliseconds; more for its size, see `minOverallBytesPerSecond`. */
  readonly graceMs: number;
  /** Min. rate of the whole upload once `graceMs` have passed, in bytes per second. */
  readonly minOverallBytesPerSecond: number;
}

export const DEFAULT_UPLOAD_PACE: UploadPace = {
  windowMs: 60_000,
  minBytesPerSecond: 1_024,
  graceMs: 600_000,
  minOverallBytesPerSecond: 64 * 1_024,
};

/**
 * Watches the rate of an upload's body: uploads are limited in number, and a client that sends a byte now and then
 * would hold its place forever.
 * @param bodyBytes size of the body, or its limit
 * @param onTooSlow called at most once: `invalid_request` with status 408 (RFC 9110 section 15.5.9)
 * @returns a function that stops watching
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
  const timer = setInterval(() => {
    const bytes = socket.bytesRead - bytesBefore;
    bytesBefore = socket.bytesRead;
    const isSlow = bytes < (windowMs / 1_000) * minBytesPerSecond;
    // Unread bytes mean that the disk is slow, not the client.
    if (request.readableLength > 0 || !(isSlow || performance.now() > deadline)) return;
    stop();
    const rate = isSlow ? minBytesPerSecond : minOverallBytesPerSecond;
    const why = `The upload came too slowly, at less than ${rate} bytes a second; nothing was changed. Try again over a faster line`;
    onTooSlow(new HttpFault('invalid_request', why, {}, 408));
  }, windowMs);
  const stop = () => clearInterval(timer);
  return stop;
}
