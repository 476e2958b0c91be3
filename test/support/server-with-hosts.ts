import { freePort } from './free-port.js';
import { MemorySearchIndex } from './memory-search-index.js';
import { TestServer } from './server.js';

/** Domain of the hosts: browsers find every name below it on this machine. */
export const DOMAIN = 'localhost';

/** A server with hosts of projects, for a browser, with switcher and search. */
export interface ServerWithHosts {
  readonly server: TestServer;
  /** Address of the main host, without a `/` at its end. */
  readonly main: string;
  /** Returns the address of the host with this label, likewise. */
  readonly on: (label: string) => string;
}

/** @param isRedirecting whether path addresses redirect to the hosts */
export async function startWithHosts(isRedirecting: boolean): Promise<ServerWithHosts> {
  const port = await freePort();
  const main = `http://${DOMAIN}:${port}`;
  const server = await TestServer.start({
    port,
    origin: main,
    hosts: { domain: DOMAIN, isRedirecting },
    switcher: true,
    search: new MemorySearchIndex(),
  });
  return { server, main, on: (label) => `http://${label}.${DOMAIN}:${port}` };
}
