import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Revisions of the Model Context Protocol: those of 2025, that of 2026, and what the client agrees on with a server. */
export const ERAS = ['legacy', 'auto', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

/**
 * Connects the official client to a server. Each request has a connection of its own: a test process that
 * stands still for longer than a server keeps an idle one, on a busy machine, would send the next call on one that is being closed,
 * and `fetch` does not repeat a POST.
 * @param era by default that of the client
 * @param headers as clients let people configure them
 */
export async function mcpClient(
  server: { readonly url: string; fetch?: FetchLike },
  era?: Era,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const mode = era === undefined || era === 'legacy' || era === 'auto' ? era : { pin: era };
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    mode === undefined ? {} : { versionNegotiation: { mode } },
  );
  const requestInit = { headers: { ...headers, Connection: 'close' } };
  const by = server.fetch === undefined ? {} : { fetch: server.fetch.bind(server) };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/-/mcp', server.url), { requestInit, ...by }),
  );
  return client;
}
