import { HostTable, type VisibleCatalogue } from '../../../domain/index.js';
import { hostHash } from './project-hosts.js';

const tables = new WeakMap<VisibleCatalogue, HostTable>();

/** The hosts of everything in one catalogue, made once for it: its names are hashed. */
export function hostTableOf(seen: VisibleCatalogue): HostTable {
  let table = tables.get(seen);
  if (table === undefined) {
    table = new HostTable(seen, hostHash);
    tables.set(seen, table);
  }
  return table;
}
