/** Lectern as readers reach it: at the root of a host, behind a proxy, below a path, with hosts of projects. */
import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { MemorySearchIndex } from '../memory-search-index.js';
import { startNginx, WITH_SWITCHER } from '../nginx.js';
import { PrefixProxy } from '../proxy.js';
import { TestServer } from '../server.js';
import { startWithHosts } from '../server-with-hosts.js';

/** Path prefix of the place that has one. */
export const BELOW = '/kb';

export interface Place {
  readonly server: TestServer;
  /** Address of the main host, with the path prefix, without a `/` at its end. */
  readonly main: string;
  /** Returns the address of a host of projects, likewise. */
  readonly on: (label: string) => string;
  readonly close: () => Promise<void>;
}

/** A way to the front page of a site, and the address at which it is to be then. */
export interface Way {
  readonly from: string;
  readonly to: string;
}

const noHosts = (): string => assert.fail('there are no hosts');

/** With search. */
export async function plain(): Promise<Place> {
  const server = await TestServer.start({ search: new MemorySearchIndex() });
  return { server, main: server.url, on: noHosts, close: async () => void (await server.close()) };
}

export async function behindNginx(): Promise<Place> {
  const server = await TestServer.start({ trustProxy: true, switcher: true, accelRedirect: '/-/files/' });
  await chmod(server.docs, 0o755);
  const nginx = await startNginx(server.docs, server.url, WITH_SWITCHER);
  const close = async () => {
    await nginx.close();
    await server.close();
  };
  return { server, main: nginx.url, on: noHosts, close };
}

export async function belowAPath(): Promise<Place> {
  const server = await TestServer.start({ basePath: BELOW, switcher: true });
  const proxy = await PrefixProxy.start(server.url, BELOW, 'strips the prefix');
  const close = async () => {
    await proxy.close();
    await server.close();
  };
  return { server, main: proxy.url, on: noHosts, close };
}

/** @param isRedirecting whether path addresses redirect to the hosts */
export const withHosts = (isRedirecting: boolean) => async (): Promise<Place> => {
  const started = await startWithHosts(isRedirecting);
  return { ...started, close: async () => void (await started.server.close()) };
};
