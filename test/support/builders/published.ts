import assert from 'node:assert/strict';
import type { TestServer } from '../server.js';
import { warningsIn } from '../warnings-in.js';
import type { Builder } from './built-sites.js';
import type { SiteWithARouter } from './sites-with-a-router.js';

/** Where a build is published. */
interface Published {
  readonly project: string;
  readonly directory: string;
}

/** Where a build is published, and what it was built for. */
export interface BuiltFor extends Published {
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

/**
 * Asserts that an upload succeeded, without a warning.
 * @param warning end of the only warning that there is
 */
export async function assertPublished(response: Response, warning?: string): Promise<void> {
  assert.equal(response.status, 201);
  const warnings = await warningsIn(response);
  if (warning === undefined) assert.equal(warnings, '');
  else assert.ok(warnings.endsWith(`. ${warning}.`), warnings);
}

/** Publishes version 1.0 of a project, with the alias `stable`, or a preview. */
export async function publish(
  server: TestServer,
  { project, directory }: Published,
  archive: Buffer,
): Promise<void> {
  await assertPublished(await server.upload(`${directory}-docs.zip`, archive));
  if (directory.includes('~')) return;
  const response = await server.fetch(`/api/aliases/${project}/stable`, {
    method: 'PUT',
    headers: { 'X-Token': 'secret-keeper', 'Content-Type': 'application/json' },
    body: JSON.stringify({ target: '1.0' }),
  });
  assert.equal(response.status, 200, await response.text());
}
