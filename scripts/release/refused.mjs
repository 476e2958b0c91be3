/** Why there is no release: a sentence for whoever makes it. Nothing was written. */
export class ReleaseRefused extends Error {
  name = 'ReleaseRefused';
}
