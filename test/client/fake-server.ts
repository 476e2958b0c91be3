import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakeServer {
  readonly url: string;
  /** Method and path of every request, as they came. */
  readonly requests: string[];
  /** Bytes of all bodies. */
  readonly received: () => number;
  readonly port: number;
  close(): void;
}

/** Reads whole requests, and answers them with what the list says, in its order; the last one for all that follow. */
export async function fakeServer(answers: readonly Answer[], port = 0): Promise<FakeServer> {
  const requests: string[] = [];
  let received = 0;
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(`${request.method} ${request.url}`);
    request.on('data', (piece: Buffer) => {
      received += piece.length;
    });
    request.on('end', () => answer?.(request, response));
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${taken}`,
    requests,
    received: () => received,
    port: taken,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function json(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

export const refusal = (status: number, error: string, headers: Record<string, string> = {}): Answer =>
  json(status, { success: false, error, message: `the server says ${error}` }, headers);

/** As a proxy answers for a server that does not. */
export const badGateway: Answer = (_request, response) => {
  response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
};

/** The request arrived whole; its answer never comes. */
export const lost: Answer = (request) => {
  request.socket.destroy();
};

/** Begins an answer, and ends the connection before the rest of it. */
export const brokenOff: Answer = (request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{', () => request.socket.destroy());
};

export const published: Answer = json(201, {
  success: true,
  message: 'a 1.0 is published',
  project: 'a',
  version: '1.0',
  directory: 'a-1.0',
  url: '/a-1.0/',
  files_extracted: 1,
});

/** The list of a server that has these versions of project `a`. */
export const listing = (...versions: readonly string[]): Answer =>
  json(200, {
    count: versions.length > 0 ? 1 : 0,
    projects: versions.length === 0 ? [] : [projectWith(versions)],
  });

function projectWith(versions: readonly string[]) {
  return {
    name: 'A',
    directory_name: 'a',
    description: '',
    latest_version_dir: `a-${versions.at(-1)}`,
    versions: versions.map((version) => ({
      version,
      directory_name: `a-${version}`,
      url: `/a-${version}/`,
      download_url: `/a-${version}-docs.zip`,
    })),
  };
}
