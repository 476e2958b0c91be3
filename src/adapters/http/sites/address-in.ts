import type { PublicAddress } from '../public-address.js';

/**
 * Address in a version, the same on all hosts: absolute where the origin is known.
 * @param path in the site, percent-encoded, without a leading `/`
 */
export function addressIn(at: PublicAddress, directoryName: string, path: string): string {
  const rooted = `/${directoryName}/${path}`;
  return at.canonical({ path: rooted, onHost: at.isRedirecting }) ?? at.to(rooted);
}
