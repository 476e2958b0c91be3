import { availableParallelism, totalmem } from 'node:os';

/** Bytes of memory that there have to be for two processes that build: each takes some 200 MB. */
const MIN_MEMORY_FOR_TWO = 2_000_000_000;

/** Memory of the machine, or of the container. 0 stands for one without a limit, or an unknown one. */
const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** Max. processes that build at a time. */
export const MAX_BUILDERS = availableParallelism() > 1 && memory >= MIN_MEMORY_FOR_TWO ? 2 : 1;
