import assert from 'node:assert/strict';
import type { TestServer } from '../server.js';
import type { Builder } from './built-sites.js';
import type { SiteWithARouter } from './sites-with-a-router.js';

/** Where a build is published, and what it was built for. */
export interface BuiltFor {
  readonly project: string;
  readonly directory: string;
  readonly builder: Builder;
}

/** @param prefix path below which all is, for a build that is to be there */
export function builtFor(
  site: SiteWithARouter,
  base: 'version' | SiteWithARouter['bases'][number],
  prefix = '',
): BuiltFor {
  const project = base === 'root' ? `${site.name}-root` : site.name;
  const directory = base === 'preview' ? `${project}~pr-1` : `${project}-1.0`;
  const path = base === 'below a path' ? `${prefix}/${directory}/` : `/${directory}/`;
  return { project, directory, builder: site.at(base === 'root' ? '/' : path) };
}

/** Publishes version 1.0 of a project, with the alias `stable`, or a preview. */
export async function publish(
  server: TestServer,
  { project, directory }: BuiltFor,
  archive: Buffer,
): Promise<void> {
  assert.equal((await server.upload(`${directory}-docs.zip`, archive)).status, 201);
  if (directory.includes('~')) return;
  const response = await fetch(`${server.url}/api/aliases/${project}/stable`, {
    method: 'PUT',
    headers: { 'X-Token': 'secret-keeper', 'Content-Type': 'application/json' },
    body: JSON.stringify({ target: '1.0' }),
  });
  assert.equal(response.status, 200, await response.text());
}
