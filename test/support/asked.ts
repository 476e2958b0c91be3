import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import { type SeenBy, Visitor } from '../../src/adapters/http/access/readers.js';
import type { Asked } from '../../src/adapters/http/response/answer.js';
import { ANYBODY, NOBODY } from '../../src/domain/index.js';

/** A visitor whom nobody knows, and who may read everything. */
export function anyVisitor(seenBy: SeenBy): Visitor {
  return new Visitor(
    NOBODY,
    undefined,
    () => ANYBODY,
    seenBy,
    () => undefined,
  );
}

interface AskedFor {
  readonly method?: string;
  /** Path with its query. */
  readonly target?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly seenBy?: SeenBy;
}

/** A request without a socket, and without a body. */
export function askedFor({ method = 'GET', target = '/', headers = {}, seenBy }: AskedFor = {}): Asked {
  const [path = '', query] = target.split(/\?(.*)/s, 2);
  const noCatalogue = () => {
    throw new Error('nothing is published');
  };
  return {
    id: 'test',
    method,
    path,
    target,
    search: query === undefined ? '' : `?${query}`,
    query: parse(query ?? ''),
    params: {},
    headers,
    protocol: 'http',
    host: 'localhost',
    client: undefined,
    visitor: anyVisitor(seenBy ?? noCatalogue),
    waiter: { signal: new AbortController().signal },
    body: {
      isEncoded: false,
      is: () => false,
      text: async () => '',
      upload: () => Promise.reject(new Error('no form was sent')),
    },
    notes: {},
  };
}
