import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { writeTree } from '../client/lectern.js';
import { document, fencesOf } from '../docs/markdown.js';
import { byNpx, paste, type Shell, untimed } from '../support/from-nothing.js';
import { NpmRegistry } from '../support/npm-registry.js';
import { TestServer } from '../support/server.js';

/**
 * Tests the package as npx gets it from a registry, in an empty home that reaches nothing else.
 * @param tarballOf returns the path of the package's tarball
 */
export function testNpx(tarballOf: () => string, version: string): void {
  describe('The package, by npx from a registry', () => {
    let place: string;
    let registry: NpmRegistry;
    let shell: Shell;
    let server: TestServer;
    before(async () => {
      // Not below the tarball's directory, where npx would find the package installed.
      place = await mkdtemp(join(tmpdir(), 'lectern-npx-'));
      registry = await NpmRegistry.start(tarballOf(), join(place, 'tarballs'));
      const home = join(place, 'home');
      await mkdir(home);
      shell = { cwd: home, env: registry.environment(home) };
      server = await TestServer.start();
    });
    after(async () => {
      await server.close();
      await registry.close();
      await rm(place, { recursive: true, force: true });
    });

    it('prints its version, and asks the registry for packages that it locks only', async () => {
      const said = await paste(`npx --yes lectern@${version} --version`, shell);
      assert.ok(said.startsWith(`lectern/${version} `), said);
      // npm looks for a newer npm, and for warnings about what it has installed.
      const others = registry.missed.filter((path) => !/^\/(?:npm$|-\/npm\/v1\/security\/)/.test(path));
      assert.deepEqual(others, []);
    });

    it('serves and publishes a site by the commands of the README', () => byNpx(shell, untimed));

    it('publishes from CI by the command in docs/ci.md', async () => {
      const fences = fencesOf(await document('docs/ci.md'));
      const { run } = parse(fences.find(({ code }) => code.startsWith('run: npx'))?.code ?? assert.fail());
      assert.ok(run.includes(`lectern@${version} push`), run);
      await writeTree(shell.cwd, { 'build/html/index.html': 'published by npx' });
      const tag = { GITHUB_ACTIONS: 'true', GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.0.0' };
      const env = { ...shell.env, ...tag, LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
      assert.equal(await paste(run, { ...shell, env }), `${server.url}/widgets-1.0.0/\n`);
      assert.equal(await (await server.get('/widgets-1.0.0/')).text(), 'published by npx');
    });
  });
}
