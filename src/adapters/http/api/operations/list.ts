import type { AppParts } from '../../app-parts.js';
import type { ApiOperation } from '../api-operation.js';
import { ProjectList } from '../project-list.js';

/** `GET /api/projects`: projects and their versions. */
export function listOperation(parts: AppParts): ApiOperation {
  const list = new ProjectList(parts);
  return {
    method: 'get',
    path: '/api/projects',
    id: 'listProjects',
    use: 'Read and search',
    summary: 'Lists projects and their versions',
    description: 'Sorted by `directory_name`; versions run from the oldest to the newest.',
    parameters: ['search', 'group', 'tag', 'owner'],
    requestHeaders: ['If-None-Match'],
    answers: {
      200: {
        description: 'All projects, or those that match.',
        body: 'ProjectList',
        headers: ['ETag', 'Vary'],
      },
      304: { description: 'Nothing has changed.', headers: ['ETag', 'Vary'] },
    },
    refusals: [],
    handle: (ctx) => list.send(ctx),
  };
}
