import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { document, fencesOf } from '../docs/markdown.js';
import { ROOT } from '../support/root.js';
import { zipOf } from '../support/zip-writer.js';

const run = promisify(execFile);

const embedding = fencesOf(await document('docs/embedding.md'));
/** Each program for embedders, with the output that the document shows right below it. */
const programs = embedding.flatMap(({ language, code }, index) =>
  language === 'js' ? [{ code, shown: embedding[index + 1] }] : [],
);

/**
 * Tests the programs in docs/embedding.md as their readers run them.
 * @param placeOf returns the directory that has the package installed: unpacked in `package/`, and linked in `node_modules/`
 */
export function testEmbedding(placeOf: () => string): void {
  describe('The programs in docs/embedding.md', () => {
    let place: string;
    before(async () => {
      place = placeOf();
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

    it('number four: one publishes, one queries a policy, one serves, one tests a store', () => {
      const [first, second, third, fourth, ...others] = programs.map(({ code }) => code);
      assert.match(first ?? '', /uploadVersion\.execute\(/);
      assert.match(second ?? '', /whyNotUpload\(/);
      assert.match(third ?? '', /listen\(/);
      assert.match(fourth ?? '', /docStoreContract\(/);
      assert.deepEqual(others, []);
    });

    it('compile in TypeScript, with self-contained declarations', async () => {
      for (const [index, { code }] of programs.entries())
        await assertCompiles(place, `program-${index + 1}`, [code]);
      await assertCompiles(place, 'wrong', [
        "import { openLectern } from 'lectern';",
        "import { TokenPolicy } from 'lectern/domain';",
        '// @ts-expect-error: a policy has a name',
        'new TokenPolicy();',
        '// @ts-expect-error: a token of the program is written as in a tokens file',
        "await openLectern({ memory: true, tokens: { ci: { token: 'x', project: ['a'] } } });",
      ]);
    });

    it('print the documented output, and end by themselves', async () => {
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

    it('test a store: a correct one passes, and one that replaces versions without permission fails', async () => {
      const test = programs[3]?.code ?? '';
      await writeFile(join(place, 'my-store.test.mjs'), test);
      const kept = await suite(place, 'my-store.test.mjs');
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
      const { failed } = await suite(place, 'broken-store.test.mjs');
      assert.ok(
        failed.includes('refuses to publish over a version without permission, and leaves it unchanged'),
      );
      assert.ok(!failed.includes('reads published files byte for byte'), failed.join('\n'));
    });

    it('include a contract suite for registries', async () => {
      const test = (registry: string) =>
        [
          "import { tokenRegistryContract } from 'lectern/testing';",
          "import { MemoryTokenRegistry } from './package/dist/adapters/memory/index.js';",
          `tokenRegistryContract('MyRegistry', async (tokens) => ${registry});`,
        ].join('\n');
      await writeFile(join(place, 'registry.test.mjs'), test('new MemoryTokenRegistry(tokens)'));
      const kept = await suite(place, 'registry.test.mjs');
      assert.ok(kept.passed > 10, String(kept.passed));
      assert.deepEqual(kept.failed, []);
      const broken = 'new MemoryTokenRegistry(tokens.map(({ name, secret }) => ({ name, secret })))';
      await writeFile(join(place, 'broken-registry.test.mjs'), test(broken));
      assert.ok((await suite(place, 'broken-registry.test.mjs')).failed.includes('returns every grant'));
    });
  });
}

/** Compiles lines of TypeScript as a program of somebody who has installed the package, and has the types of Node. */
export async function assertCompiles(place: string, name: string, lines: readonly string[]): Promise<void> {
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
async function suite(
  place: string,
  file: string,
): Promise<{ readonly passed: number; readonly failed: readonly string[] }> {
  // Else it would report to the process that runs these tests.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const words = ['--test', '--test-reporter=tap', file];
  const { stdout } = await run(process.execPath, words, { cwd: place, env }).catch(
    (error: { stdout: string }) => error,
  );
  const failed = [...stdout.matchAll(/^ +not ok \d+ - (.*)$/gm)].map(([, title = '']) => title);
  return { passed: Number(/^# pass (\d+)$/m.exec(stdout)?.[1]), failed };
}
