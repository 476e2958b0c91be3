import type { RequestListener } from 'node:http';
import { addressesOnHosts, createApp, ownAddresses } from './app.js';
import type { AppParts } from './app-parts.js';
import type { FastLane } from './fast-lane/fast-lane.js';
import { HostEntrance } from './hosts/host-entrance.js';
import { mcpEndpoint } from './mcp/mcp-endpoint.js';
import { AddressOnHosts } from './public-address.js';
import { Seen, type SeenBy } from './server/seen.js';

/** Creates the handler of all requests: to the main host, and to the hosts of projects where there are any. */
export function listenerOf(parts: AppParts, lane: FastLane, seenBy: SeenBy): RequestListener {
  const { at, seen, pages, pagesOnHosts = pages, texts, trustProxy, readers } = parts;
  const { hosts } = at;
  const own = [...(parts.mcp ? [mcpEndpoint(parts)] : []), ownAddresses(parts)];
  if (hosts === undefined) return readers.identify(lane.ahead(createApp(parts, own).callback(), seen));
  const { isRedirecting } = hosts;
  const main = createApp(parts, own);
  const entrance = new HostEntrance(hosts, (request) => readers.readerOf(request), seenBy, trustProxy);
  const there: AppParts = {
    ...parts,
    seen: new Seen(seenBy, (request) => entrance.readerOf(request)),
    at: new AddressOnHosts(at, hosts),
    pages: pagesOnHosts,
    keep: lane.keep('hosts'),
    // Texts with other links need other keys.
    texts: { get: (key, ...making) => texts.get(`${key} on hosts`, ...making) },
  };
  const onHosts = createApp(there, [addressesOnHosts(there, entrance)]);
  // Where path addresses of sites redirect to hosts, no page is sent at them.
  const onMain = isRedirecting ? main.callback() : lane.ahead(main.callback(), seen);
  const entered = entrance.between(onMain, lane.ahead(onHosts.callback(), there.seen, 'hosts'));
  return readers.identify(entered);
}
