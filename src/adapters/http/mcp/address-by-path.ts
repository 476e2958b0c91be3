import type { VisibleCatalogue } from '../../../domain/index.js';
import { hostTableOf } from '../hosts/host-table-of.js';
import type { PublicAddress } from '../public-address.js';

/**
 * Returns the address of a page without the base path, and for a page on the host of a project its path address,
 * `http://<host>/<version_dir>/<path>`. What is no address stays as it is.
 */
export function addressByPath(given: string, at: PublicAddress, seen: VisibleCatalogue): string {
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) return given;
  const { origin, host, pathname, search, hash } = new URL(given);
  const label = at.hosts?.labelIn(host);
  const directory = label === undefined ? undefined : hostTableOf(seen).directoryAt(label);
  return (
    origin + (directory === undefined ? at.within(pathname) : `/${directory}${pathname}`) + search + hash
  );
}
