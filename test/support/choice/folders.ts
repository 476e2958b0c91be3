/** A folder of tests that start the whole program, or others: the import graph does not say what they try of `src`. */
export interface SystemFolder {
  /** Below `test`. */
  readonly folder: string;
  /** Folders and files of the project that the tests are about: a change there runs all of them. */
  readonly rooms: readonly string[];
  /** Test that runs for a change elsewhere in `src`. */
  readonly smoke?: string;
}

/** A change of a file in a folder runs the tests of the first row that names it. */
export const SYSTEM_FOLDERS: readonly SystemFolder[] = [
  {
    folder: 'browser/builders',
    rooms: [
      'src/adapters/http/hosts',
      'src/adapters/http/sites',
      'src/adapters/web/public/-/switcher',
      'src/adapters/web/public/-/switcher.js',
      'src/formats/drawn',
    ],
  },
  {
    folder: 'browser',
    rooms: ['src/adapters/http/own', 'src/adapters/web'],
    smoke: 'browser/project.test.ts',
  },
  {
    folder: 'ceph',
    rooms: ['src/adapters/object-store'],
    smoke: 'ceph/serve.test.ts',
  },
  {
    folder: 'cli',
    rooms: ['src/adapters/cli', 'src/composition', 'src/main.ts'],
    smoke: 'cli/command-line.test.ts',
  },
  {
    folder: 'client',
    rooms: ['src/adapters/cli', 'src/adapters/http/api', 'src/composition/client.ts', 'src/formats/api'],
    smoke: 'client/push.test.ts',
  },
  {
    folder: 'deploy',
    rooms: [
      'src/adapters/http/access',
      'src/adapters/http/hosts',
      'src/adapters/http/response',
      'src/adapters/http/server',
      'src/adapters/issuers',
      'src/adapters/prometheus',
    ],
    smoke: 'deploy/nginx.test.ts',
  },
  {
    folder: 'e2e',
    rooms: ['src/adapters/http/server', 'src/composition', 'src/main.ts'],
    smoke: 'e2e/curl.test.ts',
  },
  {
    folder: 'judged',
    rooms: [
      'src/adapters/http/agents',
      'src/adapters/markdown',
      'src/adapters/search',
      'src/application/page-search',
      'src/application/search',
      'src/domain/search-term.ts',
      'src/formats/drawn',
      'src/formats/html',
    ],
    smoke: 'judged/markdown.test.ts',
  },
  {
    folder: 'package',
    rooms: [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'docs/embedding.md',
      'src/composition/embedding',
      'src/entry-points',
      'test/contracts',
    ],
    smoke: 'package/release.test.ts',
  },
  {
    folder: 'robustness',
    rooms: ['src/adapters/filesystem', 'src/adapters/search', 'src/adapters/zip'],
    smoke: 'robustness/kill.test.ts',
  },
];

/** Folders of tests that import what they try. */
export const IMPORTING_FOLDERS: readonly string[] = [
  'access-log',
  'application',
  'audit-log',
  'choice',
  'comparison',
  'composition',
  'docs',
  'domain',
  'filesystem',
  'formats',
  'http',
  'issuers',
  'json',
  'markdown',
  'memory',
  'node',
  'object-store',
  'search',
  'web',
  'yaml',
  'zip',
];

/** Folders of what tests share. */
export const SHARED_FOLDERS: readonly string[] = ['contracts', 'suites', 'support'];

/** Tests that read whole folders: `''` is all of the project. */
export const READERS: readonly (readonly [tests: string, folders: readonly string[]])[] = [
  ['test/architecture.test.ts', ['src']],
  ['test/choice', ['src', 'test']],
  ['test/docs', ['']],
  ['test/wording.test.ts', ['src', 'test', 'scripts']],
];

/** Any change of these can change every test. */
export const FOR_ALL: readonly string[] = [
  '.ci',
  'deploy',
  'package-lock.json',
  'package.json',
  'scripts',
  'tsconfig.build.json',
  'tsconfig.json',
  'tsconfig.testing.json',
];

/** No test depends on these, but those that the graph finds. */
export const FOR_NONE: readonly string[] = ['.gitignore', 'bench', 'biome.json', 'docs'];
