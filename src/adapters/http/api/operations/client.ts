import type { AppParts, ClientFile } from '../../app-parts.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';

/** `GET /api/client`: where the client of this server is, and its hash. */
export function clientOperation({ at, version }: AppParts, client: ClientFile): ApiOperation {
  return {
    method: 'get',
    path: '/api/client',
    id: 'client',
    use: 'Server',
    summary: 'The client of this server, as one file for Node',
    description: 'Commands such as `push`, with nothing to install: `node client.mjs push build/html`.',
    answers: { 200: { description: 'Where it is, and its hash.', body: 'ClientFile' } },
    refusals: [],
    handle: async (ctx) =>
      answer(ctx, 'ClientFile', 200, { url: at.to('/-/client.mjs'), version, ...client }),
  };
}
