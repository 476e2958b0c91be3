import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { namesExportedBy } from '../support/import-graph.js';
import { mcpClient } from '../support/mcp-client.js';
import { ROOT } from '../support/root.js';
import { assertInstalledAsLocked, packLectern } from '../support/tarball.js';
import { assertCompiles, testEmbedding } from './embedding.js';
import { testNpx } from './npx.js';

const run = promisify(execFile);
const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string } | string>>;
};
/** Everything that other programs may import, with the file of its types. */
const entryPoints = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ name: path.replace('.', 'lectern'), types: target.types }],
);

const quietly = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
let place: string;
let project: string;
/** The unpacked tarball, with its libraries. That npm installs the tarball as well is tried by scripts/release.mjs. */
let unpacked: string;
let tarball: string;
let packed: readonly string[];
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'lectern-package-'));
  ({ path: tarball, files: packed, project } = await packLectern(place));
  await writeFile(join(place, 'package.json'), '{"private": true, "type": "module"}');
  await run('tar', ['-xzf', tarball], { cwd: place });
  unpacked = join(place, 'package');
  await run('npm', ['ci', '--omit=dev', ...quietly], { cwd: unpacked });
  await mkdir(join(place, 'node_modules'));
  await symlink(unpacked, join(place, 'node_modules/lectern'));
});
after(() => rm(place, { recursive: true, force: true }));

describe('The package', () => {
  it('contains the program, its types and its documents, and nothing else', async () => {
    const papers = packed.filter((path) => !path.startsWith('dist/')).sort();
    assert.deepEqual(papers, ['CHANGELOG.md', 'LICENSE', 'README.md', 'npm-shrinkwrap.json', 'package.json']);
    const strange = packed.filter(
      (path) => path.startsWith('dist/') && !/\.(?:js|d\.ts)$/.test(path) && !/\/web\/public\//.test(path),
    );
    assert.deepEqual(strange, []);
  });

  it('contains everything built, except source maps without sources', async () => {
    const built = await readdir(join(ROOT, 'dist'), { recursive: true, withFileTypes: true });
    const files = built
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
    assert.ok(files.length > 100);
    assert.deepEqual(
      files.filter((file) => !packed.includes(file)),
      [],
    );
  });

  it('locks the tested versions: npm ci installs exactly these in the unpacked package', async () => {
    const shrinkwrap = await readFile(join(unpacked, 'npm-shrinkwrap.json'), 'utf8');
    assert.doesNotMatch(shrinkwrap, /"resolved"|"dev"|registry/);
    await assertInstalledAsLocked(unpacked);
    const { stdout } = await run(process.execPath, ['dist/main.js', '--version'], { cwd: unpacked });
    assert.match(stdout, new RegExp(`^lectern/${manifest.version.replaceAll('.', '\\.')} `));
  });

  it('leaves the packed project unchanged', async () => {
    for (const name of ['package.json', 'package-lock.json']) {
      assert.equal(await readFile(join(project, name), 'utf8'), await readFile(join(ROOT, name), 'utf8'));
    }
    const left = (await readdir(project)).filter((name) => /shrinkwrap|unpacked/.test(name));
    assert.deepEqual(left, []);
  });

  it('is packed again after an interrupted npm pack', async () => {
    const pack = (when: string) => run(process.execPath, ['scripts/pack.mjs', when], { cwd: project });
    const manifestIn = () => readFile(join(project, 'package.json'), 'utf8');
    const whole = await manifestIn();
    await pack('before');
    const stripped = await manifestIn();
    assert.equal(JSON.parse(stripped).devDependencies, undefined);
    await pack('before');
    assert.equal(await manifestIn(), stripped);
    await pack('after');
    assert.equal(await manifestIn(), whole);

    await pack('before');
    const edited = stripped.replace('"lectern"', '"lectern2"');
    await writeFile(join(project, 'package.json'), edited);
    await assert.rejects(pack('before'), /package\.json has been edited since/);
    assert.equal(await manifestIn(), edited);
    await writeFile(join(project, 'package.json'), stripped);
    await pack('after');
    assert.equal(await manifestIn(), whole);
  });

  it('runs from its installation, and reports its own version', async (context) => {
    const program = join(unpacked, 'dist/main.js');
    const docs = join(place, 'docs');
    const server = spawn(program, ['-d', docs, '--port', '0', '--log-level', 'silent'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    context.after(() => server.kill());
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const url = /http:\S+[^/\s]/.exec(line.toString())?.[0] ?? assert.fail(line.toString());
    const answer = await fetch(`${url}/api/version`);
    assert.deepEqual(await answer.json(), { product: 'lectern', version: manifest.version });
    const front = await (await fetch(`${url}/`)).text();
    assert.ok(front.includes(`<p>Lectern ${manifest.version}</p>`), 'the footer has another version');
    const agent = await mcpClient({ url });
    assert.equal(agent.getServerVersion()?.version, manifest.version);
    await agent.close();
    assert.equal((await fetch(`${url}/-/assets/lectern.css`)).status, 200);
    const { stdout } = await run(program, ['status', '--url', url]);
    assert.match(stdout, new RegExp(`^version   lectern ${manifest.version.replaceAll('.', '\\.')}$`, 'm'));
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    assert.equal(code, 0);
  });

  it('reports DEV in the source tree', async () => {
    const program = "import('./dist/adapters/cli/index.js').then((cli) => console.log(cli.runningVersion()))";
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: ROOT });
    assert.equal(stdout, 'DEV\n');
  });

  it('exports at most 120 names, each on a written list, to JavaScript and TypeScript', async () => {
    const lists = await Promise.all(
      entryPoints.map(async ({ types }) => namesExportedBy(await readFile(join(unpacked, types), 'utf8'))),
    );
    assert.deepEqual(
      entryPoints.map(({ name }) => name),
      ['lectern', 'lectern/domain', 'lectern/application', 'lectern/client', 'lectern/testing'],
    );
    const count = lists.reduce((sum, names) => sum + names.length, 0);
    assert.ok(count > 80 && count <= 120, `${count} names`);
    const program = entryPoints.map(({ name }) => `console.log(Object.keys(await import('${name}')).join())`);
    await writeFile(join(place, 'names.mjs'), program.join('\n'));
    const { stdout } = await run(process.execPath, ['names.mjs'], { cwd: place });
    for (const [index, line] of stdout.trimEnd().split('\n').entries()) {
      const values = line.split(',');
      assert.ok(values[0] !== '', entryPoints[index]?.name);
      assert.deepEqual(
        values.filter((value) => !lists[index]?.includes(value)),
        [],
      );
    }
    const all = lists.flat();
    assert.equal(new Set(all).size, all.length);
    await assertCompiles(
      place,
      'every-name',
      entryPoints.map(({ name }, index) => `export { ${lists[index]?.join(', ')} } from '${name}';`),
    );
  });

  it('exports nothing else', async () => {
    for (const inside of ['lectern/dist/main.js', 'lectern/adapters/http', 'lectern/formats']) {
      await assert.rejects(
        run(process.execPath, ['-e', `import('${inside}')`], { cwd: place }),
        /ERR_PACKAGE_PATH_NOT_EXPORTED/,
      );
    }
  });

  it('loads nothing on import, no web server for publishing, and no client of an object store', async () => {
    const loadedBy = async (program: string) => {
      const coverage = await mkdtemp(join(place, 'coverage-'));
      await run(process.execPath, ['--input-type=module', '-e', program], {
        cwd: place,
        env: { ...process.env, NODE_V8_COVERAGE: coverage },
      });
      const reports = await Promise.all(
        (await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8')),
      );
      const urls = reports.flatMap((report) =>
        (JSON.parse(report) as { readonly result: readonly { readonly url: string }[] }).result.map(
          ({ url }) => url,
        ),
      );
      return urls.filter((url) => url.includes('/package/'));
    };
    const imported = await loadedBy("import 'lectern'");
    assert.ok(imported.length > 0 && imported.length < 10, imported.join('\n'));
    const opened = await loadedBy(
      "import { openLectern } from 'lectern'; await (await openLectern({ memory: true })).close();",
    );
    assert.ok(opened.some((url) => url.includes('/node_modules/inversify/')));
    assert.deepEqual(
      opened.filter((url) => /node_modules\/(?:@aws-sdk|koa|multer|preact|prom-client)\//.test(url)),
      [],
    );
  });
});

testEmbedding(() => place);
testNpx(() => tarball, manifest.version);
