import type { Context } from 'koa';
import type { UseCases } from '../../../application/index.js';
import type { Pages } from '../pages.js';
import type { PublicAddress } from '../public-address.js';
import type { ApiOperation } from './api-operation.js';
import { deleteOperation } from './delete.js';
import { downloadOperation } from './download.js';
import { helpOperation } from './help.js';
import { listOperation } from './list.js';
import type { ProjectList } from './project-list.js';
import { uploadOperation } from './upload.js';
import type { UploadGate } from './upload-gate.js';
import type { UploadPace } from './upload-pace.js';
import { versionOperation } from './version.js';

export interface ApiParts {
  readonly useCases: UseCases;
  readonly list: ProjectList;
  readonly pages: Pages;
  readonly gate: UploadGate;
  readonly uploadPace: UploadPace;
  readonly at: PublicAddress;
  /** Lectern's version: the package's, or `DEV`. */
  readonly version: string;
}

/** The endpoints of interface section 4. `/api/spec` is generated from them, itself included. */
export function apiOperations({
  useCases,
  list,
  pages,
  gate,
  uploadPace,
  at,
  version,
}: ApiParts): readonly ApiOperation[] {
  const operations: ApiOperation[] = [
    helpOperation(pages, at),
    versionOperation(version),
    {
      method: 'get',
      path: '/api/spec',
      id: 'spec',
      summary: 'This description',
      answers: {
        200: {
          description: 'OpenAPI 3.0 document.',
          body: { mediaType: 'application/json', type: 'object' },
        },
      },
      refusals: [],
      handle: async (ctx: Context) => {
        const { openApiDocument } = await import('./openapi.js');
        ctx.body = openApiDocument(operations, version, at.server);
      },
    },
    listOperation(list),
    downloadOperation(useCases.downloadVersion),
    uploadOperation(useCases.uploadVersion, gate, at, uploadPace),
    deleteOperation(useCases.deleteVersion),
  ];
  return operations;
}
