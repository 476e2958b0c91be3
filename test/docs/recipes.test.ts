import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { readDescriptions } from '../../src/adapters/cli/commands/describe/read-descriptions.js';
import { TestServer } from '../support/server.js';
import { document, fencesOf } from './markdown.js';

const run = promisify(execFile);

/** The block of a language in a document that has a word. */
async function block(path: string, language: string, word: string): Promise<string> {
  const found = fencesOf(await document(path)).find(
    (fence) => fence.language === language && fence.code.includes(word),
  );
  return found?.code ?? assert.fail(`${path} has no ${language} with ${word}`);
}

describe('The recipe for Renovate in docs/ci.md', () => {
  let server: TestServer;
  let place: string;
  let client: Buffer;
  before(async () => {
    server = await TestServer.start({ client: true });
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    client = Buffer.from(await (await server.get('/-/client.mjs')).arrayBuffer());
    await writeFile(join(place, 'lectern.mjs'), client);
  });
  after(async () => {
    await server.close();
    await rm(place, { recursive: true, force: true });
  });

  it('finds hash and version of the pin, by fields that the server has', async () => {
    const pin = await block('docs/ci.md', 'yaml', 'LECTERN_CLIENT');
    const { customDatasources, customManagers } = JSON.parse(
      await block('docs/ci.md', 'json', 'LECTERN_CLIENT'),
    );
    const [pattern] = customManagers[0].matchStrings as readonly string[];
    const { currentDigest, currentValue } = new RegExp(pattern ?? '').exec(pin)?.groups ?? {};
    assert.deepEqual([currentDigest?.length, currentValue], [64, '1.0.0']);
    const [, version, digest] =
      /"version":(\w+),"digest":(\w+)/.exec(customDatasources.lectern.transformTemplates[0]) ?? [];
    const { pathname } = new URL(customDatasources.lectern.defaultRegistryUrlTemplate);
    const answer = await server.json(pathname);
    assert.ok([version, digest].every((field) => typeof answer[field ?? ''] === 'string'));
  });

  it('takes the client of the server by its hash, and no other file', async () => {
    const { env, run: command } = parse(await block('docs/ci.md', 'yaml', 'LECTERN_CLIENT'));
    const check = (hash: string) =>
      run('sh', ['-c', command], { cwd: place, env: { PATH: process.env.PATH, LECTERN_CLIENT: hash } });
    // The test server has another hash in /api/client than that of the built client.
    const sha256 = createHash('sha256').update(client).digest('hex');
    assert.match((await check(sha256)).stdout, /lectern\.mjs: OK/);
    await assert.rejects(check(env.LECTERN_CLIENT), { code: 1 });
  });
});

describe('The package of npm in the documents', () => {
  it('has the version of this project', async () => {
    const { version } = JSON.parse((await document('package.json')).text);
    for (const path of ['README.md', 'docs/ci.md', 'docs/client.md']) {
      const named = [...(await document(path)).text.matchAll(/lectern@v?(\d[^\s`]*\.[^\s`]*)/g)].map(
        ([, name]) => name,
      );
      assert.ok(named.length > 0, path);
      assert.deepEqual([...new Set(named)], [version], path);
    }
  });

  it('is raised by Renovate wherever docs/ci.md runs it', async () => {
    const { run: command } = parse(await block('docs/ci.md', 'yaml', 'npx'));
    const { customManagers } = JSON.parse(await block('docs/ci.md', 'json', 'LECTERN_CLIENT'));
    const { datasourceTemplate, depNameTemplate, matchStrings } = customManagers[1];
    const { version } = JSON.parse((await document('package.json')).text);
    assert.deepEqual(
      [datasourceTemplate, depNameTemplate, new RegExp(matchStrings[0]).exec(command)?.groups?.currentValue],
      ['npm', 'lectern', version],
    );
  });
});

describe('The recipe for Backstage in docs/builders.md', () => {
  it('has an entity that describe --from reads', async () => {
    const place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    try {
      const file = join(place, 'catalog-info.yaml');
      await writeFile(file, await block('docs/builders.md', 'yaml', 'backstage.io'));
      const { described, faults } = await readDescriptions(file);
      assert.deepEqual(faults, []);
      assert.deepEqual(
        described.map(({ project, given }) => [project, given]),
        [['my-project', { owner: 'team-blue' }]],
      );
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });
});
