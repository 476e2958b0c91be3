import type { AppParts } from '../app-parts.js';
import { setCachePolicy } from '../response/cache-policy.js';
import type { ApiOperation } from './api-operation.js';
import { aliasOperations } from './operations/aliases.js';
import { clientOperation } from './operations/client.js';
import { compareOperation } from './operations/compare.js';
import { deleteOperation } from './operations/delete.js';
import { deprecatedOperations } from './operations/deprecated.js';
import { downloadOperation } from './operations/download.js';
import { helpOperation } from './operations/help.js';
import { hiddenOperations } from './operations/hidden.js';
import { listOperation } from './operations/list.js';
import { previewOperations } from './operations/previews.js';
import { projectOperation } from './operations/project.js';
import { removedOperation } from './operations/removed.js';
import { restoreOperation } from './operations/restore.js';
import { retentionOperations } from './operations/retention.js';
import { searchOperation } from './operations/search.js';
import { tokenOperation } from './operations/token.js';
import { uploadOperation } from './operations/upload.js';
import { usageOperation } from './operations/usage.js';
import { versionOperation } from './operations/version.js';

/** The endpoints of interface section 4. `/api/spec` is generated from them, itself included. */
export function apiOperations(parts: AppParts): readonly ApiOperation[] {
  const { version, at, client } = parts;
  const { searchPages, showUsage } = parts.useCases;
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
        const { openApiDocument } = await import('./description/openapi.js');
        setCachePolicy(ctx, 'revalidate');
        ctx.body = openApiDocument(operations, version, at.server);
      },
    },
    ...(client === undefined ? [] : [clientOperation(parts, client)]),
    listOperation(parts),
    projectOperation(parts),
    ...(searchPages === undefined ? [] : [searchOperation(parts, searchPages)]),
    ...(showUsage === undefined ? [] : [usageOperation(parts, showUsage)]),
    downloadOperation(parts),
    compareOperation(parts),
    uploadOperation(parts),
    deleteOperation(parts),
    ...previewOperations(parts),
    removedOperation(parts),
    restoreOperation(parts),
    tokenOperation(),
    ...aliasOperations(parts),
    ...hiddenOperations(parts),
    ...deprecatedOperations(parts),
    ...retentionOperations(parts),
  ];
  return operations;
}
