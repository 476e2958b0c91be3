import type { AppParts } from '../../app-parts.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';

/** `GET /api/version`: product and version. */
export function versionOperation({ version }: AppParts): ApiOperation {
  return {
    method: 'get',
    path: '/api/version',
    id: 'version',
    use: 'Server',
    summary: 'Shows the version of the server',
    answers: { 200: { description: 'Product and version.', body: 'VersionInfo' } },
    refusals: [],
    handle: async (ctx) => answer(ctx, 'VersionInfo', 200, { product: 'lectern', version }),
  };
}
