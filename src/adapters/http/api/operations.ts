import type { AppParts } from '../app-parts.js';
import type { ApiOperation } from './api-operation.js';
import { deleteOperation } from './delete.js';
import { downloadOperation } from './download.js';
import { helpOperation } from './help.js';
import { listOperation } from './list.js';
import { tokenOperation } from './token.js';
import { uploadOperation } from './upload.js';
import { versionOperation } from './version.js';

/** The endpoints of interface section 4. `/api/spec` is generated from them, itself included. */
export function apiOperations(parts: AppParts): readonly ApiOperation[] {
  const { version, at } = parts;
  const operations: ApiOperation[] = [
    helpOperation(parts),
    versionOperation(parts),
    {
      method: 'get',
      path: '/api/spec',
      id: 'spec',
      summary: 'This description',
      answers: {
        200: {
          description: 'OpenAPI 3.0 document.',
          body: { 'application/json': { type: 'object' } },
        },
      },
      refusals: [],
      handle: async (ctx) => {
        const { openApiDocument } = await import('./openapi.js');
        ctx.body = openApiDocument(operations, version, at.server);
      },
    },
    listOperation(parts),
    downloadOperation(parts),
    uploadOperation(parts),
    deleteOperation(parts),
    tokenOperation(parts),
  ];
  return operations;
}
