/** Reason why there is no release: a sentence for the release maker. Nothing was written. */
export class ReleaseRefused extends Error {
  name = 'ReleaseRefused';
}
