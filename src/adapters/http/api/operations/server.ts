import { STATUS_OF } from '../../../../formats/index.js';
import type { AppParts, ClientFile } from '../../app-parts.js';
import { jsonAnswer, ownPageAnswer, plainAnswer } from '../../response/answer.js';
import { preferredType } from '../../response/negotiation.js';
import type { ApiOperation } from '../api-operation.js';

/** `GET /api/help`: how to use this server, as text or as a page. */
export function helpOperation({ pages, at }: AppParts): ApiOperation {
  return {
    method: 'get',
    path: '/api/help',
    id: 'help',
    use: 'Server',
    summary: 'Show the help',
    description: 'Plain text, or a page if `Accept` prefers HTML.',
    answers: {
      200: {
        description: 'The help.',
        body: { 'text/plain': { schema: { type: 'string' } } },
        headers: ['Vary'],
      },
    },
    handle: async (asked) => {
      const facts = { address: at.of(asked), statuses: STATUS_OF };
      const isPage = preferredType(asked.headers, 'text/plain', 'text/html') === 'text/html';
      const help = isPage ? ownPageAnswer(pages.help(facts)) : plainAnswer(pages.helpText(facts));
      return { ...help, vary: ['Accept'] };
    },
  };
}

/** `GET /api/version`: product and version. */
export function versionOperation({ version }: AppParts): ApiOperation {
  return {
    method: 'get',
    path: '/api/version',
    id: 'version',
    use: 'Server',
    summary: 'Show the version of the server',
    answers: { 200: { description: 'Product and version.', body: 'VersionInfo' } },
    handle: async () => jsonAnswer('VersionInfo', 200, { product: 'lectern', version }),
  };
}

/** `GET /api/client`: where the client of this server is, and its hash. */
export function clientOperation({ at, version }: AppParts, client: ClientFile): ApiOperation {
  return {
    method: 'get',
    path: '/api/client',
    id: 'client',
    use: 'Server',
    summary: 'Show where to download the client',
    description:
      'The client is a single file for Node, with nothing to install: `node client.mjs push build/html`.',
    answers: { 200: { description: 'Location and hash of the client.', body: 'ClientFile' } },
    handle: async () => jsonAnswer('ClientFile', 200, { url: at.to('/-/client.mjs'), version, ...client }),
  };
}
