import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT } from '../support/root.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { zipOf } from '../support/zip-writer.js';

/** The program with all packages that it needs but `@libsql/…`, the library for this platform. */
async function installWithoutSqlite(home: string): Promise<string> {
  const packages = join(home, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (['.bin', '@libsql', 'libsql'].includes(name)) continue;
    await symlink(join(ROOT, 'node_modules', name), join(packages, name));
  }
  // Copied: Node looks for packages beside the place that a link leads to.
  await cp(join(ROOT, 'node_modules', 'libsql'), join(packages, 'libsql'), { recursive: true });
  await cp(join(ROOT, 'dist'), join(home, 'dist'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(home, 'package.json'));
  return join(home, 'dist', 'main.js');
}

/** Returns path, status and text of the answers that search affects, without the server's address and times. */
async function answersOf(server: {
  readonly url: string;
}): Promise<readonly (readonly [string, number, string])[]> {
  const paths = [
    '/api/search?q=words',
    '/-/search?q=words',
    '/',
    '/-/projects/a',
    '/a-1.0/missing-words.html',
    '/-/switcher/a',
    '/api/help',
    '/api/spec',
  ];
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`${server.url}${path}`, { headers: { Accept: 'text/html, */*;q=0.5' } });
      const text = (await response.text()).replaceAll(new URL(server.url).host, 'host');
      return [path, response.status, text.replace(/\d{4}-\d\d-\d\d[T ][\d:.]*\d/g, 'time')] as const;
    }),
  );
}

describe('A server on a machine for which libsql has no library', () => {
  let home: string;
  let main: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    main = await installWithoutSqlite(home);
    await writeFile(join(home, 'tokens.json'), '{"tokens":{"ci":{"token":"secret"}}}');
  });
  after(() => rm(home, { recursive: true, force: true }));

  async function publishOn(options: readonly string[]) {
    const docs = await mkdtemp(join(home, 'docs-'));
    const tokens = ['--tokens', join(home, 'tokens.json')];
    const server = await SpawnedServer.start(['-d', docs, ...tokens, ...options], {}, main);
    const form = new FormData();
    form.append(
      'file',
      new Blob([new Uint8Array(zipOf({ 'index.html': '<title>A</title><p>words' }))]),
      'a-1.0-docs.zip',
    );
    const headers = { 'X-Token': 'secret' };
    const { status } = await fetch(`${server.url}/api/upload`, { method: 'POST', headers, body: form });
    assert.equal(status, 201);
    const answers = await answersOf(server);
    return {
      answers,
      warnings: (await server.stop()).stderr.split('\n').filter((line) => /"level":[4-9]0/.test(line)),
    };
  }

  for (const [what, prepare, reason] of [
    ['is missing', async () => {}, /Cannot find module '@libsql\/[a-z0-9-]+'/],
    [
      'cannot be loaded',
      async () => {
        for (const name of await readdir(join(ROOT, 'node_modules', '@libsql'))) {
          const broken = join(home, 'node_modules', '@libsql', name);
          await cp(join(ROOT, 'node_modules', '@libsql', name, 'package.json'), join(broken, 'package.json'));
          await writeFile(join(broken, 'index.node'), 'no library');
        }
      },
      /@libsql\/[a-z0-9-]+\/index\.node/,
    ],
  ] as const) {
    it(`publishes and responds as with --search off, where libsql ${what}, and reports it once`, async () => {
      await prepare();
      const { answers, warnings } = await publishOn([]);
      assert.deepEqual(answers, (await publishOn(['--search', 'off'])).answers);
      assert.deepEqual(
        answers.slice(0, 2).map(([, status]) => status),
        [404, 404],
      );
      assert.equal(warnings.length, 1, warnings.join('\n'));
      const { msg } = JSON.parse(warnings[0] ?? '');
      assert.match(
        msg,
        /^search is off: libsql cannot be loaded: .*; install it, or start with --search off$/,
      );
      assert.match(msg, reason);
    });
  }
});
