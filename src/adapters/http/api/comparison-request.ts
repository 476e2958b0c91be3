import type { Context } from 'koa';
import type { AppParts } from '../app-parts.js';
import { waiterOf } from '../client-of.js';
import { unavailable } from '../errors.js';
import { numberOf } from './query.js';

/** Time that a request waits for a comparison, in milliseconds. The work goes on when it has gone. */
const MAX_WAIT_MS = 8_000;
/** Max. pages that are left out at the beginning of each list: more than any site has. */
const MAX_OFFSET = 9_999_999;

/**
 * Compares the two versions that a path names.
 * @param max pages in each list of the part that is shown, from the parameter `offset` on
 * @throws HttpFault `invalid_request` for an offset that is no number; as `inTime`
 */
export async function comparisonFor(
  ctx: Context,
  { useCases: { compareVersions }, seen }: AppParts,
  max: number,
) {
  const { project, before, after } = ctx.params;
  const offset = numberOf(ctx, 'offset', 0, 0, MAX_OFFSET);
  const waiter = waiterOf(ctx);
  const comparison = await inTime(compareVersions.execute(seen.in(ctx), { project, before, after }, waiter));
  return { comparison, part: await inTime(compareVersions.part(comparison, offset, max, waiter)), offset };
}

/** @throws HttpFault `unavailable` when the comparison takes longer than a reader waits */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fault = () =>
      reject(
        unavailable(
          'The comparison takes longer than usual, as the first one of two versions does; try again in a few seconds',
        ),
      );
    timer = setTimeout(fault, MAX_WAIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
