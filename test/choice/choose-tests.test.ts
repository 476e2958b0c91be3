import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Choice, chooseTests, isTest, linesOf } from '../support/choice/choose-tests.js';
import { projectTree } from '../support/choice/project-tree.js';
import { filesThatReach, loadersIn, type Tree } from '../support/import-graph.js';

const sorted = ({ chosen }: Choice) => [...chosen.keys()].sort();

/** A tree of these files, all of which load what their texts say. */
function treeOf(texts: Readonly<Record<string, string>>): Tree {
  return {
    files: Object.keys(texts),
    sources: Object.entries(texts)
      .filter(([path]) => path.endsWith('.ts'))
      .map(([path, text]) => ({ path, text })),
  };
}

const SMALL = treeOf({
  'src/domain/index.ts': "export { a } from './a.js';",
  'src/domain/a.ts': 'export const a = 1;',
  'src/domain/b.ts': 'export const b = 1;',
  'src/adapters/zip/zip.ts': "const program = programBeside(import.meta.url, './jobs');",
  'src/adapters/zip/jobs.ts': "import { unpack } from './unpack.js';",
  'src/adapters/zip/unpack.ts': 'export const unpack = 1;',
  'src/adapters/web/public-directory.ts': "const directory = new URL('./public', import.meta.url);",
  'src/adapters/web/public/-/a.css': 'main {}',
  'src/main.ts': "import './domain/index.js';",
  'test/support/root.ts': "export const MAIN = new URL('dist/main.js');",
  'test/support/page.html': '<main>',
  'test/suites/suite.ts': "export const page = join(ROOT, 'test/support/page.html');",
  'test/domain/a.test.ts': "import { a } from '../../src/domain/index.js';",
  'test/domain/b.test.ts': "import { b } from '../../src/domain/b.js';",
  'test/http/own/snippets.test.ts': "import { MAIN } from '../support/root.js';",
  'test/http/package.test.ts': "import { parse } from 'lectern/domain';",
  'test/http/root.test.ts': "import { ROOT } from '../support/root.js';",
  'test/zip/workers.test.ts': "const { Zip } = await import('../../src/adapters/zip/zip.js');",
  'test/zip/names.test.ts': '/** Not `../../src/adapters/zip/zip.js`. */',
  'test/zip/broken.bin': '',
  'test/search/pages/a.html': '<main>',
  'test/search/pages.test.ts': "readFile(join(ROOT, 'test/search/pages', name))",
  'test/web/page.test.ts': "import '../../src/adapters/web/public-directory.js';",
  'test/browser/project.test.ts': "import '../suites/suite.js';",
  'test/browser/upload.test.ts': "import '../../src/domain/b.js';",
  'test/e2e/curl.test.ts': "import { MAIN } from '../support/root.js';",
  'test/e2e/backup.test.ts': "import { MAIN } from '../support/root.js'; readFile('docs/operating.md');",
  'test/docs/links.test.ts': '',
  'docs/operating.md': '# Operating',
  'package-lock.json': '{}',
});

/** Tests that are chosen in the small tree, without those that any change reaches. */
const chosenIn = (...changed: readonly string[]) =>
  sorted(chooseTests(changed, SMALL)).filter((test) => test !== 'test/docs/links.test.ts');

const SMOKE = SMALL.files.filter((path) => /^test\/(?:browser\/project|e2e\/curl)\.test\.ts$/.test(path));
const ALL = SMALL.files.filter((path) => isTest(path) && path !== 'test/docs/links.test.ts').sort();

describe('The choice of tests', () => {
  it('selects tests that import a changed file through other files', () => {
    assert.deepEqual(
      chosenIn('src/domain/a.ts').filter((test) => !SMOKE.includes(test)),
      ['test/domain/a.test.ts', 'test/http/own/snippets.test.ts', 'test/http/package.test.ts'],
    );
  });

  it('selects tests that start a worker importing a changed file', () => {
    for (const path of ['src/adapters/zip/jobs.ts', 'src/adapters/zip/unpack.ts']) {
      assert.deepEqual(
        chosenIn(path).filter((test) => test.startsWith('test/zip/')),
        ['test/zip/workers.test.ts'],
        path,
      );
    }
  });

  it('selects tests that read a changed file, its folder, or a page served by src', () => {
    assert.deepEqual(chosenIn('test/search/pages/a.html'), ['test/search/pages.test.ts']);
    assert.deepEqual(chosenIn('test/support/page.html'), ['test/browser/project.test.ts']);
    assert.deepEqual(chosenIn('docs/operating.md'), ['test/e2e/backup.test.ts']);
    assert.ok(chosenIn('src/adapters/web/public/-/a.css').includes('test/web/page.test.ts'));
  });

  it('selects a changed test alone', () => {
    assert.deepEqual(chosenIn('test/domain/a.test.ts'), ['test/domain/a.test.ts']);
    assert.deepEqual(chosenIn('test/browser/upload.test.ts'), ['test/browser/upload.test.ts']);
  });

  it('selects one test of each whole system, and all tests of a system whose rooms changed', () => {
    const systems = (path: string) => chosenIn(path).filter((test) => /^test\/(?:browser|e2e)\//.test(test));
    assert.deepEqual(systems('src/domain/b.ts'), ['test/browser/project.test.ts', 'test/e2e/curl.test.ts']);
    assert.deepEqual(systems('src/adapters/web/public/-/a.css'), [
      'test/browser/project.test.ts',
      'test/browser/upload.test.ts',
      'test/e2e/curl.test.ts',
    ]);
    assert.deepEqual(systems('src/main.ts'), [
      'test/browser/project.test.ts',
      'test/e2e/backup.test.ts',
      'test/e2e/curl.test.ts',
    ]);
  });

  it('selects tests that named a deleted file', () => {
    const without = (gone: string) => ({
      files: SMALL.files.filter((path) => path !== gone),
      sources: SMALL.sources.filter(({ path }) => path !== gone),
    });
    const sorts: readonly (readonly [gone: string, test: string])[] = [
      ['src/domain/a.ts', 'test/domain/a.test.ts'],
      ['test/search/pages/a.html', 'test/search/pages.test.ts'],
      ['docs/operating.md', 'test/e2e/backup.test.ts'],
    ];
    for (const [gone, test] of sorts)
      assert.ok(sorted(chooseTests([gone], without(gone))).includes(test), gone);
  });

  it('selects the tests of a folder for a file in it that nothing names', () => {
    assert.deepEqual(chosenIn('test/zip/broken.bin'), ['test/zip/names.test.ts', 'test/zip/workers.test.ts']);
  });

  it('selects everything in doubt, and for files that everything depends on', () => {
    for (const path of [
      'src/domain/nobody-imports-it.ts',
      'src/adapters/zip/gone.json',
      'test/support/unnamed.html',
      'a-new-file',
      'package-lock.json',
      'package.json',
      'tsconfig.json',
      'scripts/build.mjs',
      '.ci/run',
      'deploy/nginx/lectern.conf',
    ]) {
      assert.deepEqual(chosenIn(path), ALL, path);
    }
  });

  it('selects no test for files that no test reads', () => {
    for (const path of ['.gitignore', 'bench/run.ts', 'docs/tutorial.md', 'SECURITY.md'])
      assert.deepEqual(chosenIn(path), [], path);
  });

  it('reports the selected tests with reasons, and the number of tests left out per folder', () => {
    assert.deepEqual(linesOf(chooseTests(['docs/operating.md'], SMALL)), [
      'runs, since they import or read a changed file: e2e 1',
      'runs, since they read whole folders: docs 1',
      'leaves out: domain 2, http 3, zip 2, search 1, web 1, browser 2, e2e 1',
    ]);
    assert.equal(linesOf(chooseTests(['package.json'], SMALL)).at(-1), 'leaves out nothing');
  });
});

describe('The choice of tests in this project', () => {
  let tree: Tree;
  before(async () => {
    tree = await projectTree();
  });

  const folders = (choice: Choice) => new Set(sorted(choice).map((test) => test.split('/')[1]));

  it('selects users of versions for a rule of versions, and one test of each whole system', () => {
    const choice = chooseTests(['src/domain/version.ts'], tree);
    const chosen = sorted(choice);
    for (const test of [
      'test/domain/access-policy.test.ts',
      'test/application/copy-versions.test.ts',
      'test/filesystem/filesystem-doc-store.test.ts',
      'test/e2e/curl.test.ts',
      'test/ceph/serve.test.ts',
    ]) {
      assert.ok(chosen.includes(test), test);
    }
    assert.equal(chosen.filter((test) => test.startsWith('test/ceph/')).length, 1);
    assert.equal(
      choice.leftOut.get('browser'),
      tree.files.filter((path) => /^test\/browser\/[^/]+\.test\.ts$/.test(path)).length - 1,
    );
  });

  it("selects all page and browser tests for a page, and no rule's test", () => {
    const choice = chooseTests(['src/adapters/web/pages/api-page.tsx'], tree);
    const chosen = sorted(choice);
    for (const test of [
      'test/browser/api.test.ts',
      'test/browser/upload.test.ts',
      'test/http/own/own-pages.test.ts',
    ])
      assert.ok(chosen.includes(test), test);
    for (const folder of ['domain', 'formats', 'json', 'yaml'])
      assert.ok(!folders(choice).has(folder), folder);
    assert.equal(choice.leftOut.get('browser'), undefined);
    assert.ok((choice.leftOut.get('browser/builders') ?? 0) > 0);
  });

  it('selects document tests for a document, and tests that read it', () => {
    assert.deepEqual([...folders(chooseTests(['docs/tutorial.md'], tree))], ['docs']);
    assert.deepEqual(
      sorted(chooseTests(['docs/operating.md'], tree)).filter((test) => !test.startsWith('test/docs/')),
      ['test/deploy/kubernetes.test.ts', 'test/e2e/backup.test.ts'],
    );
  });

  it("selects the adapter's tests for a worker's job", () => {
    for (const [job, test] of [
      ['src/adapters/markdown/jobs.ts', 'test/markdown/threaded-page-markdown.test.ts'],
      ['src/adapters/zip/jobs/unpack.ts', 'test/zip/workers.test.ts'],
    ] as const) {
      const chosen = sorted(chooseTests([job], tree));
      assert.ok(chosen.includes(test), job);
      assert.ok(!chosen.includes('test/domain/access-policy.test.ts'), job);
    }
  });

  it('finds a test that loads each file of src', () => {
    const loaders = loadersIn(tree);
    const doubtful = tree.files.filter(
      (path) => path.startsWith('src/') && ![...filesThatReach(path, loaders)].some(isTest),
    );
    // The client's file is made of it.
    assert.deepEqual(doubtful, ['src/composition/client.ts']);
  });
});
