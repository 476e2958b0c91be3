import fc from 'fast-check';

/** `LECTERN_FUZZ_RUNS=10000` makes the property tests that import this file a long hunt. */
const runs = Number(process.env.LECTERN_FUZZ_RUNS ?? 0);
if (runs > 0) fc.configureGlobal({ numRuns: runs });
