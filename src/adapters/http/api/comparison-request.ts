import type { Context } from 'koa';
import { HttpFault, unavailable } from '../errors.js';

/** Time that a request waits for a comparison, in milliseconds. The work goes on when it has gone. */
const MAX_WAIT_MS = 8_000;

/** @throws HttpFault `invalid_request` for anything but a number */
export function offsetOf({ query: { offset = '0' } }: Context): number {
  if (typeof offset === 'string' && /^\d{1,7}$/.test(offset)) return Number(offset);
  throw new HttpFault('invalid_request', "'offset' is a whole number of pages to leave out");
}

/** @throws HttpFault `unavailable` when the comparison takes longer than a reader waits */
export async function inTime<T>(work: Promise<T>, maxMs = MAX_WAIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fault = () =>
      reject(
        unavailable(
          'The comparison takes longer than usual, as the first one of two versions does; try again in a few seconds',
        ),
      );
    timer = setTimeout(fault, maxMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
