import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/root.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { adapted } from '../support/web-server.js';
import { zipOf } from '../support/zip-writer.js';

const TOKENS = {
  ci: { token: 'secret-ci' },
  reader: { token: 'secret-reader', projects: [], read: ['handbook'] },
};
const ACCESS = {
  default: 'public',
  projects: {
    handbook: 'signed-in',
    payments: { people: ['ann@example.org'], groups: ['payments'] },
  },
};

/** A Lectern with rules of access, behind what signs people in. */
export interface PrivateLectern {
  readonly docs: string;
  readonly server: SpawnedServer & { readonly url: string };
}

/**
 * Starts the program with the options that a recipe for signing in names.
 * @param recipe path below `deploy/`
 * @param change replacements in these options
 */
export async function startPrivateLectern(
  home: string,
  recipe: string,
  change: Readonly<Record<string, string>> = {},
): Promise<PrivateLectern> {
  const docs = await mkdtemp(join(home, 'docs-'));
  // The workers of web servers are somebody else.
  for (const each of [home, docs]) await chmod(each, 0o755);
  await writeFile(join(home, 'tokens.json'), JSON.stringify({ tokens: TOKENS }));
  await writeFile(join(home, 'access.json'), JSON.stringify(ACCESS));
  const text = await readFile(join(ROOT, 'deploy', recipe), 'utf8');
  const [, options = assert.fail('the recipe no longer says how Lectern is started')] =
    /# {3}lectern ((?:.*\\\n#)*.*)\n/.exec(text) ?? [];
  const given = adapted(options.replaceAll(/\\\n# +/g, ''), {
    '/srv/docs': docs,
    '/etc/lectern/tokens.json': join(home, 'tokens.json'),
    '/etc/lectern/access.json': join(home, 'access.json'),
    ...change,
  });
  const args = [...given.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return { docs, server: await SpawnedServer.start([...args, '--search', 'off']) };
}

/** Publishes a version of each project at a server: `open` is public. */
export async function publishAll(url: string): Promise<void> {
  for (const project of ['open', 'handbook', 'payments']) {
    const form = new FormData();
    const bytes = new Uint8Array(zipOf({ 'index.html': `${project} pages` }));
    form.set('file', new Blob([bytes]), `${project}-1.0-docs.zip`);
    const headers = { 'X-Token': 'secret-ci' };
    const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form, headers });
    assert.equal(response.status, 201, await response.text());
  }
}

/** The address of "Sign in" on a page. */
export function signInOn(page: string): URL {
  const [, link = assert.fail('there is no "Sign in"')] = /href="([^"]+)"[^>]*>Sign in</.exec(page) ?? [];
  return new URL(link.replaceAll('&amp;', '&'));
}
