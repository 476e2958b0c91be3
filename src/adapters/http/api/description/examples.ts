import type { Body, SchemaName } from '../../../../formats/api/bodies.js';
import { deadLinksExample } from '../../links.js';
import { usageExample } from '../../usage.js';

const source: Body<'Source'> = {
  told_by: 'issuer',
  repository: 'acme/my-project',
  commit: '2c26b46b68ffc68ff99b453c1d30413413422d70',
  ref: 'refs/tags/v1.0.0',
  run: '1234567890',
  run_attempt: '1',
  repository_url: 'https://github.com/acme/my-project',
  commit_url: 'https://github.com/acme/my-project/commit/2c26b46b68ffc68ff99b453c1d30413413422d70',
  run_url: 'https://github.com/acme/my-project/actions/runs/1234567890/attempts/1',
};

const version = {
  version: '1.0.0',
  directory_name: 'my-project-1.0.0',
  url: '/my-project-1.0.0/',
  download_url: '/my-project-1.0.0-docs.zip',
  published_at: '2026-03-04T05:06:07.000Z',
  stable: true,
  kind: 'release' as const,
};

const project: Body<'Project'> = {
  id: 'my-project',
  title: 'My Project',
  name: 'My Project',
  directory_name: 'my-project',
  description: 'What it is for, in a sentence.',
  group: 'Payments',
  tags: ['sdk', 'python'],
  owner: 'Team Blue',
  repository: 'https://git.example.org/my-project',
  contact: 'blue@example.org',
  versions: [version],
  latest_version_dir: 'my-project-1.0.0',
};

const preview: Body<'Preview'> = {
  project: 'my-project',
  name: 'pr-123',
  directory_name: 'my-project~pr-123',
  url: '/my-project~pr-123/',
  download_url: '/my-project~pr-123-docs.zip',
  published_at: '2026-03-04T05:06:07.000Z',
  expires_at: '2026-04-03T05:06:07.000Z',
};

const named = { project: 'my-project', version: '1.0.0', directory: 'my-project-1.0.0' };

/** The answer to a change of `my-project 1.0.0`. */
const changed = (message: string) => ({ success: true as const, message, ...named });

const removed: Body<'RemovedVersion'> = {
  ...named,
  revision: 'my-project-1.0.0.1',
  reason: 'deleted',
  published_at: '2026-03-04T05:06:07.000Z',
  removed_at: '2026-03-05T06:07:08.000Z',
  expires_at: '2026-04-04T06:07:08.000Z',
  archive_bytes: 123_456,
};

const found: Body<'FoundPage'> = {
  project: 'my-project',
  project_name: 'My Project',
  version: '1.0.0',
  url: '/my-project-latest/setup.html#linux',
  path: 'setup.html',
  title: 'Setup',
  heading: 'Linux',
  anchor: 'linux',
  snippet: [
    { text: 'To ', marked: false },
    { text: 'install', marked: true },
    { text: ' it on Linux, unpack the archive.', marked: false },
  ],
};

const retention = { keep_per_minor: 3, max_age_days: 365 };
const [site, other] = ['/my-project-1.0.0', '/my-project-1.1.0'];

const token: Body<'TokenInfo'> = {
  name: 'ci',
  projects: ['my-project'],
  allow_overwrite: false,
  allow_delete: false,
  existing_projects_only: false,
  allow_manage: false,
};

const madeToken: Body<'MadeToken'> = {
  ...token,
  name: 'team-a/ci',
  allow_overwrite: true,
  expires: '2027-07-01T00:00:00.000Z',
  description: 'Pipeline of my-project',
  made_at: '2026-03-04T05:06:07.000Z',
};

/** An example of each body, for `/api/spec` and the page that shows it. */
export const examples: { readonly [Name in SchemaName]: Body<Name> } = {
  Source: source,
  Version: version,
  Project: project,
  ProjectList: { projects: [project], count: 1 },
  ProjectDescription: { title: 'My Project', group: 'Payments', tags: ['sdk', 'python'] },
  ProjectDetails: {
    ...project,
    versions: [{ ...version, source }],
    settings: { aliases: { stable: '1.0.0' }, retention },
    retention,
    disk_use: { versions: 570_000, previews: 70_000, removed: 0, total: 640_000 },
  },
  Preview: preview,
  PreviewList: { previews: [preview], count: 1 },
  VersionInfo: { product: 'lectern', version: '0.1.0' },
  ClientFile: {
    url: '/-/client.mjs',
    version: '0.1.0',
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    bytes: 330_000,
  },
  UploadResult: {
    ...changed('Published my-project 1.0.0 at /my-project-1.0.0/ with 42 files'),
    url: '/my-project-1.0.0/',
    files_extracted: 42,
    warnings: [
      {
        code: 'missing_styles',
        message: "Pages load styles that are not in the archive: '_static/theme.css'",
        fix: 'Include all files that the builder writes, and replace symbolic links with the files they point to',
      },
    ],
    links: { dead: 3, new: 1, first: [{ page: 'guide/index.html', link: '../install.html#linux' }] },
  },
  DeleteResult: changed('Deleted my-project 1.0.0'),
  RemovedVersion: removed,
  RemovedList: { removed: [removed], count: 1 },
  RestoreResult: { ...changed('Restored my-project 1.0.0 at /my-project-1.0.0/'), url: '/my-project-1.0.0/' },
  TokenInfo: token,
  NewToken: {
    name: 'ci',
    projects: ['my-project'],
    allow_overwrite: true,
    expires: '2027-06-30',
    description: 'Pipeline of my-project',
  },
  NewTokenResult: { ...madeToken, token: 'a-secret-that-is-shown-once' },
  MadeToken: madeToken,
  TokenList: { tokens: [{ ...madeToken, last_used: '2026-03-05' }], count: 1 },
  RevokedToken: { success: true, message: 'Revoked token team-a/ci' },
  Comparison: {
    project: 'my-project',
    before: '1.0.0',
    after: '1.1.0',
    url: '/-/compare/my-project/1.0.0/1.1.0',
    added_count: 1,
    removed_count: 1,
    changed_count: 1,
    unchanged_count: 39,
    complete: true,
    added: [{ path: 'setup.html', url: `${other}/setup.html` }],
    removed: [
      {
        path: 'install.html',
        url: `${site}/install.html`,
        proposed_redirect: '/install.html /setup.html 301',
      },
    ],
    changed: [
      {
        path: 'index.html',
        before_url: `${site}/`,
        after_url: `${other}/`,
        url: '/-/compare/my-project/1.0.0/1.1.0/',
      },
    ],
    more: false,
  },
  DeadLinks: deadLinksExample,
  UnfoundSearches: {
    from: '2026-03-04',
    to: '2026-03-04',
    people: [{ query: 'cross compile', clients: 7 }],
    agents: [{ query: 'rate limit of the API', clients: 5 }],
  },
  Usage: usageExample,
  SettingsResult: {
    success: true,
    message: 'my-project: stable -> 1.0.0',
    project: 'my-project',
    settings: { aliases: { stable: '1.0.0' } },
  },
  Deprecation: { message: 'Use 1.1 instead.' },
  FoundPage: found,
  FoundPages: { results: [found], total: 1, corrections: [], omitted_terms: [], indexing: 0 },
  AliasTarget: { target: '1.0.0' },
  RetentionRules: { keep_per_minor: 3 },
  Failure: {
    success: false,
    error: 'version_exists',
    message: "my-project 1.0.0 already exists, and token 'ci' may not overwrite it",
  },
};
