import type { Actor } from '../../../domain/index.js';
import type { OpenApi } from '../../../formats/index.js';
import type { AppParts } from '../app-parts.js';
import { ClientLeft, failureOf } from '../errors.js';
import { type Asked, type Handle, JSON_TYPE, plainAnswer } from '../response/answer.js';
import { actorOf } from './actor-of.js';
import type { ApiOperation } from './api-operation.js';
import {
  deleteOperation,
  previewOperations,
  removedOperation,
  restoreOperation,
} from './operations/delete-and-restore.js';
import { listOperation, projectOperation } from './operations/projects.js';
import { searchOperation } from './operations/search.js';
import { clientOperation, helpOperation, versionOperation } from './operations/server.js';
import {
  aliasOperations,
  deprecatedOperations,
  describeOperation,
  hiddenOperations,
} from './operations/settings.js';
import { tokenOperations } from './operations/tokens.js';
import { downloadOperation, uploadOperation } from './operations/upload.js';

/** The endpoints of interface section 4. `/api/spec` is generated from them, itself included. */
export function apiOperations(parts: AppParts): readonly ApiOperation[] {
  const { client, features } = parts;
  const { searchPages } = parts.useCases;
  return [
    helpOperation(parts),
    versionOperation(parts),
    {
      method: 'get',
      path: '/api/spec',
      id: 'spec',
      use: 'Server',
      summary: 'Show the OpenAPI document',
      answers: {
        200: {
          description: 'OpenAPI 3.0 document.',
          body: { 'application/json': { schema: { type: 'object' }, example: { openapi: '3.0.3' } } },
        },
      },
      handle: async () => plainAnswer(JSON.stringify(await describeApi(parts)), JSON_TYPE),
    },
    ...(client === undefined ? [] : [clientOperation(parts, client)]),
    listOperation(parts),
    projectOperation(parts),
    describeOperation(parts),
    ...(searchPages === undefined ? [] : [searchOperation(parts, searchPages)]),
    downloadOperation(parts),
    uploadOperation(parts),
    deleteOperation(parts),
    ...previewOperations(parts),
    removedOperation(parts),
    restoreOperation(parts),
    ...tokenOperations(parts),
    ...aliasOperations(parts),
    ...hiddenOperations(parts),
    ...deprecatedOperations(parts),
    ...features.flatMap((feature) => feature(parts).operations ?? []),
  ];
}

/** Returns a handler that finds the actor before an operation that needs a token begins. Refusals of changes are recorded. */
export function handlerOf(
  operation: ApiOperation,
  { authenticate, audit }: Pick<AppParts['useCases'], 'authenticate' | 'audit'>,
): Handle {
  if (!operation.needsToken) return operation.handle;
  const { changes: action, handle } = operation;
  return async (asked) => {
    let actor: Actor | undefined;
    try {
      actor = await actorOf(asked, authenticate);
      // Nothing is begun for a client that did not wait.
      asked.waiter.signal.throwIfAborted();
      return await handle(asked, actor);
    } catch (error) {
      if (action === undefined || error instanceof ClientLeft) throw error;
      const { code } = failureOf(error);
      if (actor !== undefined) throw await audit.failed(error, { action, actor, ...namesIn(asked) }, code);
      audit.stranger(code);
      throw error;
    }
  };
}

/** The project and version that an operation's path names. */
function namesIn({ params }: Asked): { readonly project?: string; readonly version?: string } {
  const { project, version, name } = params;
  // A preview's operations call it `name`; tokens have no project.
  const label = version ?? (project === undefined || name === undefined ? undefined : `~${name}`);
  return {
    ...(project === undefined ? {} : { project }),
    ...(label === undefined ? {} : { version: label }),
  };
}

/** Returns the OpenAPI document of all operations: `/api/spec` sends it, `/-/api` shows it. */
export async function describeApi(parts: AppParts): Promise<OpenApi> {
  const { openApiDocument } = await import('./description/openapi.js');
  return openApiDocument(apiOperations(parts), parts);
}
