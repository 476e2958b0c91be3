import { encoded } from './drawn-page.js';
import type { Viewer } from './drawn-site.js';

export interface Operation {
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  /** `operationId` */
  readonly id: string | undefined;
  /** The first one. */
  readonly tag: string | undefined;
}

/** Path of the page of an operation, `./#…`: its address as the viewer reads it, which opens the front page in any case. */
export function addressOfOperation(viewer: Viewer, operation: Operation): string {
  return `./#${ADDRESSES[viewer](operation)}`;
}

const ADDRESSES: Readonly<Record<Viewer, (operation: Operation) => string>> = {
  /** `#operation/<id>`, or `#tag/<tag>/paths/~1pets/get` of one without an id. */
  redoc: ({ path, method, id, tag }) => {
    if (id !== undefined) return `operation/${encoded(id)}`;
    const above = tag === undefined ? '' : `tag/${encoded(redocSlug(tag))}`;
    return `${above}/paths/${encoded(path.replaceAll('~', '~0').replaceAll('/', '~1'))}/${method}`;
  },
  /** `#/<tag>/<id>`; followed with `deepLinking: true` */
  'swagger-ui': ({ path, method, id, tag = 'default' }) =>
    `/${encoded(tag)}/${encoded(id ?? `${method}${path.replace(/\W/g, '_')}`)}`,
  /** `#tag/<tag>/GET/pets` */
  scalar: ({ path, method, tag }) => {
    const parts = [method.toUpperCase(), ...path.replace(/^\//, '').split('/')].map(encoded).join('/');
    return tag === undefined ? parts : `tag/${encoded(scalarSlug(tag))}/${parts}`;
  },
};

/** As Redoc writes tags, for letters without accents. */
function redocSlug(tag: string): string {
  return tag
    .trim()
    .replaceAll('&', 'and')
    .replace(/[^\w\s-]/g, '')
    .replace(/\s+/g, '-');
}

/** As Scalar writes tags. */
function scalarSlug(tag: string): string {
  return tag
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replace(/\s/g, '-');
}
