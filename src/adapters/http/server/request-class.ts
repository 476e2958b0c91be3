import type { MethodClass, Route } from '../../../application/index.js';

const METHODS: Readonly<Record<string, MethodClass>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

/** @param path of a request as sent, without its query */
export function routeOf(path: string): Route {
  if (path.startsWith('/api') && (path.length === 4 || path[4] === '/')) {
    if (path === '/api/projects') return 'list';
    if (path === '/api/upload') return 'upload';
    if (path.startsWith('/api/download/')) return 'archive';
    return path.startsWith('/api/delete/') ? 'delete' : 'api';
  }
  if (path.startsWith('/-/') || path === '/' || path === '/help' || path === '/robots.txt') return 'own';
  return path.endsWith('-docs.zip') && path.indexOf('/', 1) === -1 ? 'archive' : 'site';
}

export function methodClassOf(method: string | undefined): MethodClass {
  return METHODS[method ?? ''] ?? 'other';
}
