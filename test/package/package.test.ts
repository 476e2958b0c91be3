import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { document, fencesOf } from '../docs/markdown.js';
import { namesExportedBy } from '../support/import-graph.js';
import { ROOT } from '../support/root.js';
import { assertInstalledAsLocked, packLectern } from '../support/tarball.js';
import { zipOf } from '../support/zip-writer.js';

const run = promisify(execFile);
const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string } | string>>;
};
/** Everything that other programs may import, with the file of its types. */
const entryPoints = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ name: path.replace('.', 'lectern'), types: target.types }],
);

const embedding = fencesOf(await document('docs/embedding.md'));
/** Each program for embedders, with the output that the document shows right below it. */
const programs = embedding.flatMap(({ language, code }, index) =>
  language === 'js' ? [{ code, shown: embedding[index + 1] }] : [],
);

const quietly = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
let place: string;
let project: string;
/** The unpacked tarball, with its libraries. That npm installs the tarball as well is tried by scripts/release.mjs. */
let unpacked: string;
let packed: readonly string[];
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'lectern-package-'));
  const tarball = await packLectern(place);
  packed = tarball.files;
  project = tarball.project;
  await writeFile(join(place, 'package.json'), '{"private": true, "type": "module"}');
  await run('tar', ['-xzf', tarball.path], { cwd: place });
  unpacked = join(place, 'package');
  await run('npm', ['ci', '--omit=dev', ...quietly], { cwd: unpacked });
  await mkdir(join(place, 'node_modules'));
  await symlink(unpacked, join(place, 'node_modules/lectern'));
});
after(() => rm(place, { recursive: true, force: true }));

describe('The package', () => {
  it('holds the program, its types and its papers, and nothing else', async () => {
    const papers = packed.filter((path) => !path.startsWith('dist/')).sort();
    assert.deepEqual(papers, ['CHANGELOG.md', 'LICENSE', 'README.md', 'npm-shrinkwrap.json', 'package.json']);
    const strange = packed.filter(
      (path) => path.startsWith('dist/') && !/\.(?:js|d\.ts)$/.test(path) && !/\/web\/public\//.test(path),
    );
    assert.deepEqual(strange, []);
  });

  it('holds everything that was built, but for the maps to sources that it does not hold', async () => {
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

  it('locks the versions that were tested: npm ci installs just these in the unpacked package', async () => {
    const shrinkwrap = await readFile(join(unpacked, 'npm-shrinkwrap.json'), 'utf8');
    assert.doesNotMatch(shrinkwrap, /"resolved"|"dev"|registry/);
    await assertInstalledAsLocked(unpacked);
    const { stdout } = await run(process.execPath, ['dist/main.js', '--version'], { cwd: unpacked });
    assert.match(stdout, new RegExp(`^lectern/${manifest.version.replaceAll('.', '\\.')} `));
  });

  it('leaves the project that it was packed from as it was', async () => {
    for (const name of ['package.json', 'package-lock.json']) {
      assert.equal(await readFile(join(project, name), 'utf8'), await readFile(join(ROOT, name), 'utf8'));
    }
    const left = (await readdir(project)).filter((name) => /shrinkwrap|unpacked/.test(name));
    assert.deepEqual(left, []);
  });

  it('is packed again after a run of npm pack that was interrupted', async () => {
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

  it('runs from where it is installed, and says its own version', async (context) => {
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
    assert.equal((await fetch(`${url}/`)).status, 200);
    assert.equal((await fetch(`${url}/-/assets/lectern.css`)).status, 200);
    const { stdout } = await run(program, ['status', '--url', url]);
    assert.match(stdout, new RegExp(`^version   lectern ${manifest.version.replaceAll('.', '\\.')}$`, 'm'));
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    assert.equal(code, 0);
  });

  it('says DEV where its sources are', async () => {
    const program = "import('./dist/adapters/cli/index.js').then((cli) => console.log(cli.runningVersion()))";
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: ROOT });
    assert.equal(stdout, 'DEV\n');
  });

  it('exports at most 120 names, each of a written list, to JavaScript and TypeScript', async () => {
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
      'every-name',
      entryPoints.map(({ name }, index) => `export { ${lists[index]?.join(', ')} } from '${name}';`),
    );
  });

  it('gives nothing else', async () => {
    for (const inside of ['lectern/dist/main.js', 'lectern/adapters/http', 'lectern/formats']) {
      await assert.rejects(
        run(process.execPath, ['-e', `import('${inside}')`], { cwd: place }),
        /ERR_PACKAGE_PATH_NOT_EXPORTED/,
      );
    }
  });

  it('loads nothing when it is imported, no web server to publish, and no client of an object store', async () => {
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

describe('The programs in docs/embedding.md', () => {
  before(async () => {
    const archive = zipOf({ 'index.html': '<!doctype html><title>My project</title>' });
    await writeFile(join(place, 'my-project-1.0.0-docs.zip'), archive);
    await writeFile(
      join(place, 'my-store.js'),
      [
        "import { MemoryDocStore } from './package/dist/adapters/memory/index.js';",
        'export class MyStore extends MemoryDocStore {',
        '  constructor({ keepRemovedMs }) { super(undefined, keepRemovedMs); }',
        '}',
      ].join('\n'),
    );
    await writeFile(
      join(place, 'my-store.d.ts'),
      [
        "import type { DocStore } from 'lectern/application';",
        'export interface MyStore extends DocStore {}',
        'export declare class MyStore { constructor(options: { readonly keepRemovedMs: number }); }',
      ].join('\n'),
    );
  });

  it('are four: one publishes, one asks a policy, one serves, one tests a store', () => {
    const [first, second, third, fourth, ...others] = programs.map(({ code }) => code);
    assert.match(first ?? '', /uploadVersion\.execute\(/);
    assert.match(second ?? '', /whyNotUpload\(/);
    assert.match(third ?? '', /listen\(/);
    assert.match(fourth ?? '', /docStoreContract\(/);
    assert.deepEqual(others, []);
  });

  it('are right for TypeScript, with declarations that hold by themselves', async () => {
    for (const [index, { code }] of programs.entries()) await assertCompiles(`program-${index + 1}`, [code]);
    await assertCompiles('wrong', [
      "import { openLectern } from 'lectern';",
      "import { TokenPolicy } from 'lectern/domain';",
      '// @ts-expect-error: a policy has a name',
      'new TokenPolicy();',
      '// @ts-expect-error: a token of the program is written as in a tokens file',
      "await openLectern({ memory: true, tokens: { ci: { token: 'x', project: ['a'] } } });",
    ]);
  });

  it('print what stands below them, and end by themselves', async () => {
    for (const [index, { code, shown }] of programs.slice(0, 3).entries()) {
      assert.equal(shown?.language, 'text');
      const file = join(place, `program-${index + 1}.mjs`);
      await writeFile(file, code);
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: place });
      assert.deepEqual([stdout, stderr], [shown?.code, '']);
    }
    const page = await readFile(join(place, 'docs/my-project-1.0.0/index.html'), 'utf8');
    assert.match(page, /My project/);
  });

  it('test a store: one that keeps the promises passes, and one that replaces versions unasked fails', async () => {
    const test = programs[3]?.code ?? '';
    await writeFile(join(place, 'my-store.test.mjs'), test);
    const kept = await suite('my-store.test.mjs');
    assert.ok(kept.passed > 70, String(kept.passed));
    assert.deepEqual(kept.failed, []);
    await writeFile(
      join(place, 'broken-store.js'),
      [
        "import { MyStore as Store } from './my-store.js';",
        'export class MyStore extends Store {',
        '  publish(staging, publication) { return super.publish(staging, publication, { replace: true }); }',
        '}',
      ].join('\n'),
    );
    await writeFile(join(place, 'broken-store.test.mjs'), test.replace('my-store.js', 'broken-store.js'));
    const { failed } = await suite('broken-store.test.mjs');
    assert.ok(
      failed.includes('refuses to publish over a version without being told so, and leaves it as it was'),
    );
    assert.ok(!failed.includes('reads published files back byte for byte'), failed.join('\n'));
  });

  it('have a suite for registries, too', async () => {
    const test = (registry: string) =>
      [
        "import { tokenRegistryContract } from 'lectern/testing';",
        "import { MemoryTokenRegistry } from './package/dist/adapters/memory/index.js';",
        `tokenRegistryContract('MyRegistry', async (tokens) => ${registry});`,
      ].join('\n');
    await writeFile(join(place, 'registry.test.mjs'), test('new MemoryTokenRegistry(tokens)'));
    const kept = await suite('registry.test.mjs');
    assert.ok(kept.passed > 10, String(kept.passed));
    assert.deepEqual(kept.failed, []);
    const broken = 'new MemoryTokenRegistry(tokens.map(({ name, secret }) => ({ name, secret })))';
    await writeFile(join(place, 'broken-registry.test.mjs'), test(broken));
    assert.ok((await suite('broken-registry.test.mjs')).failed.includes('hands on every grant'));
  });
});

/** Compiles lines of TypeScript as a program of somebody who has installed the package, and has the types of Node. */
async function assertCompiles(name: string, lines: readonly string[]): Promise<void> {
  await writeFile(join(place, `${name}.mts`), `${lines.join('\n')}\n`);
  const options = {
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023'],
      module: 'nodenext',
      moduleResolution: 'nodenext',
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    },
    files: [`${name}.mts`],
  };
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify(options));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', '.'], { cwd: place }).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, '', name);
}

/** Runs a file of tests, as its own process. */
async function suite(file: string): Promise<{ readonly passed: number; readonly failed: readonly string[] }> {
  // Else it would report to the process that runs these tests.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const words = ['--test', '--test-reporter=tap', file];
  const { stdout } = await run(process.execPath, words, { cwd: place, env }).catch(
    (error: { stdout: string }) => error,
  );
  const failed = [...stdout.matchAll(/^ +not ok \d+ - (.*)$/gm)].map(([, title = '']) => title);
  return { passed: Number(/^# pass (\d+)$/m.exec(stdout)?.[1]), failed };
}
