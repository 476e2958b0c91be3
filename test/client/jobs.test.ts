import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { ClientError, namesOfJob, sourceOfCiJob } from '../../src/adapters/cli/client/index.js';
import { type Json, TestServer } from '../support/server.js';
import { zipOf } from '../support/zip-writer.js';
import { lectern, workplace, writeTree } from './lectern.js';

type Environment = Readonly<Record<string, string>>;

const github: Environment = { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/widgets' };
const gitlab: Environment = { CI: 'true', GITLAB_CI: 'true', CI_PROJECT_NAME: 'widgets' };
const jenkins: Environment = { JENKINS_URL: 'https://ci.example.org/', JENKINS_HOME: '/var/jenkins' };
const woodpecker: Environment = { CI: 'woodpecker', CI_REPO: 'acme/widgets' };
const tagOnGithub = { GITHUB_EVENT_NAME: 'push', GITHUB_REF_TYPE: 'tag', GITHUB_REF: 'refs/tags/v1.2.0' };
const branchOnGithub = { GITHUB_EVENT_NAME: 'push', GITHUB_REF_TYPE: 'branch' };
const HOSTILE = 'feature/$(id)';

const VERSIONS: readonly [what: string, env: Environment, version: string, source: string][] = [
  ['GitHub', { ...github, ...tagOnGithub, GITHUB_REF_NAME: 'v1.2.0' }, '1.2.0', 'the tag of this GitHub job'],
  ['GitLab', { ...gitlab, CI_COMMIT_TAG: '1.2.0' }, '1.2.0', 'the tag of this GitLab job'],
  ['Jenkins', { ...jenkins, TAG_NAME: 'v2' }, '2', 'the tag of this Jenkins job'],
  [
    'Jenkins without an address of its own',
    { JENKINS_HOME: '/var/jenkins', TAG_NAME: 'v2' },
    '2',
    'the tag of this Jenkins job',
  ],
  [
    'Woodpecker',
    { ...woodpecker, CI_COMMIT_TAG: 'version-3', CI_COMMIT_PULL_REQUEST: '' },
    'version-3',
    'the tag of this Woodpecker job',
  ],
];

const PREVIEWS: readonly [what: string, env: Environment, preview: string, source: string][] = [
  [
    'GitHub',
    {
      ...github,
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_REF_TYPE: 'branch',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_REF_NAME: '7/merge',
      GITHUB_HEAD_REF: HOSTILE,
    },
    'pr-7',
    'the pull request of this GitHub job',
  ],
  [
    'Forgejo',
    { ...github, GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/7/head' },
    'pr-7',
    'the pull request of this GitHub job',
  ],
  [
    'GitLab',
    { ...gitlab, CI_MERGE_REQUEST_IID: '8', CI_COMMIT_REF_NAME: HOSTILE },
    'mr-8',
    'the merge request of this GitLab job',
  ],
  [
    'Jenkins',
    { ...jenkins, CHANGE_ID: '9', BRANCH_NAME: 'PR-9', CHANGE_BRANCH: HOSTILE },
    'pr-9',
    'the pull request of this Jenkins job',
  ],
  [
    'Woodpecker',
    { ...woodpecker, CI_PIPELINE_EVENT: 'pull_request', CI_COMMIT_PULL_REQUEST: '10' },
    'pr-10',
    'the pull request of this Woodpecker job',
  ],
  [
    'Jenkins that builds a tag as well',
    { ...jenkins, CHANGE_ID: '9', TAG_NAME: 'v1.0' },
    'pr-9',
    'the pull request of this Jenkins job',
  ],
];

describe('A job', () => {
  for (const [what, env, value, source] of VERSIONS) {
    it(`publishes the version of a tag, without the v before a number: ${what}`, () => {
      assert.deepEqual(namesOfJob(env), { version: { value, source } });
    });
  }

  for (const [what, env, value, source] of PREVIEWS) {
    it(`publishes the preview of a pull or merge request: ${what}`, () => {
      assert.deepEqual(namesOfJob(env), { preview: { value, source } });
    });
  }

  for (const [what, env] of [
    [
      'GitHub',
      { ...github, ...branchOnGithub, GITHUB_REF: `refs/heads/${HOSTILE}`, GITHUB_REF_NAME: HOSTILE },
    ],
    ['GitLab', { ...gitlab, CI_COMMIT_BRANCH: HOSTILE, CI_COMMIT_REF_NAME: HOSTILE }],
    ['Jenkins', { ...jenkins, BRANCH_NAME: HOSTILE }],
    [
      'Woodpecker',
      { ...woodpecker, CI_COMMIT_BRANCH: HOSTILE, CI_COMMIT_TAG: '', CI_COMMIT_PULL_REQUEST: '' },
    ],
    ['another service', { CI: 'true', BUILDKITE_TAG: 'v1.0' }],
    ['no job, though variables have such names', { TAG_NAME: 'v1.0', CHANGE_ID: '1', CI_COMMIT_TAG: 'v1.0' }],
  ] as const) {
    it(`names neither a version nor a preview for a branch: ${what}`, () => {
      assert.deepEqual(namesOfJob(env), {});
    });
  }

  for (const event of ['pull_request_target', 'pull_request']) {
    it(`names no version for the event ${event} of a branch, but offers a preview`, () => {
      const env = { ...github, GITHUB_EVENT_NAME: event, GITHUB_REF: 'refs/heads/main' };
      assert.throws(
        () => namesOfJob(env),
        (error) => error instanceof ClientError && /add --preview pr-<number>$/.test(error.message),
      );
    });
  }
});

const COMMIT = '2c26b46b68ffc68ff99b453c1d30413413422d70';
const onGithub = { GITHUB_SHA: COMMIT, GITHUB_REF: 'refs/tags/v1.2.0', GITHUB_RUN_ID: '42' };

describe('The source of a job', () => {
  for (const [what, env, source] of [
    [
      'GitHub',
      { ...github, ...onGithub },
      { repository: 'acme/widgets', commit: COMMIT, ref: 'refs/tags/v1.2.0', run: '42' },
    ],
    [
      'GitLab',
      {
        ...gitlab,
        CI_PROJECT_PATH: 'acme/tools/widgets',
        CI_COMMIT_SHA: COMMIT,
        CI_COMMIT_REF_NAME: 'main',
        CI_JOB_ID: '7',
      },
      { repository: 'acme/tools/widgets', commit: COMMIT, ref: 'main', run: '7' },
    ],
    [
      'Jenkins',
      {
        ...jenkins,
        GIT_URL: 'https://ci:hunter2@git.example.org:8443/acme/widgets.git',
        GIT_COMMIT: COMMIT,
        GIT_BRANCH: 'origin/main',
        BUILD_NUMBER: '8',
      },
      { repository: 'git.example.org/acme/widgets', commit: COMMIT, ref: 'origin/main', run: '8' },
    ],
    [
      'Jenkins with SSH',
      { ...jenkins, GIT_URL: 'git@git.example.org:acme/widgets.git', BRANCH_NAME: 'main' },
      { repository: 'git.example.org/acme/widgets', ref: 'main' },
    ],
    [
      'Jenkins with an address of SSH',
      { ...jenkins, GIT_URL: 'ssh://git@git.example.org:2222/acme/widgets' },
      { repository: 'git.example.org/acme/widgets' },
    ],
    ['Jenkins with a directory', { ...jenkins, GIT_URL: '/srv/git/widgets.git' }, {}],
    [
      'Woodpecker',
      {
        ...woodpecker,
        CI_COMMIT_SHA: COMMIT,
        CI_COMMIT_REF: 'refs/heads/main',
        CI_PIPELINE_NUMBER: '9',
      },
      { repository: 'acme/widgets', commit: COMMIT, ref: 'refs/heads/main', run: '9' },
    ],
    [
      'a branch with a name that no server takes',
      { ...github, ...onGithub, GITHUB_REF: `refs/heads/${HOSTILE}` },
      { repository: 'acme/widgets', commit: COMMIT, run: '42' },
    ],
    ['another service', { CI: 'true', BUILDKITE_COMMIT: COMMIT, GITHUB_SHA: COMMIT }, {}],
    ['no job, though variables have such names', { GITHUB_SHA: COMMIT, CI_COMMIT_SHA: COMMIT }, {}],
  ] as const) {
    it(`is read from its variables: ${what}`, () => {
      assert.deepEqual(sourceOfCiJob(env), source);
    });
  }
});

describe('lectern push in a job', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const TAG: Environment = { ...github, ...tagOnGithub, GITHUB_REF_NAME: 'v1.2.0' };
  const REQUEST: Environment = { ...gitlab, CI_MERGE_REQUEST_IID: '8', CI_COMMIT_REF_NAME: HOSTILE };

  /** Pushes a site from a directory whose manifest says version 0.9 of the project. */
  async function push(context: TestContext, project: string, env: Environment, ...args: readonly string[]) {
    const cwd = await writeTree(await workplace(context), {
      'package.json': JSON.stringify({ name: project, version: '0.9' }),
      'site/index.html': project,
    });
    const own = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci', ...env };
    return lectern(['push', 'site', ...args], { cwd, env: own });
  }

  for (const [project, env, args, address, source] of [
    ['tagged', TAG, [], '/tagged-1.2.0/', 'version from the tag of this GitHub job'],
    ['requested', REQUEST, [], '/requested~mr-8/', 'preview from the merge request of this GitLab job'],
    ['on-branch', { ...github, ...branchOnGithub }, [], '/on-branch-0.9/', 'from package.json'],
    ['given', TAG, ['--version', '3.0'], '/given-3.0/', 'version from --version'],
    ['given', REQUEST, ['--version', '4.0'], '/given-4.0/', 'version from --version'],
    ['given', TAG, ['--preview', 'try'], '/given~try/', 'preview from --preview'],
    [
      'unnumbered',
      { ...github, GITHUB_EVENT_NAME: 'pull_request_target' },
      ['--preview', 'pr-1'],
      '/unnumbered~pr-1/',
      'preview from --preview',
    ],
  ] as const) {
    it(`publishes ${address}, ${source}`, async (context) => {
      const { code, out, notes } = await push(context, project, env, ...args);
      assert.equal(code, 0, notes);
      assert.equal(out, `${server.url}${address}\n`);
      assert.match(notes, new RegExp(`\\(.*${source}\\)$`, 'm'));
    });
  }

  it('sends the commit being built', async (context) => {
    // Everybody may see it then.
    const cwd = await writeTree(await workplace(context), {
      'site/index.html': 'told',
      'site/docinfo.yaml': 'source: public',
    });
    const own = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
    const sourcesAfter = async (version: string, env: Environment) => {
      const args = ['push', 'site', '--project', 'told', '--version', version];
      const { code, notes } = await lectern(args, { cwd, env: { ...own, ...env } });
      assert.equal(code, 0, notes);
      const { versions } = (await (await server.get('/api/projects/told')).json()) as Json;
      return versions.at(-1).source;
    };
    assert.deepEqual(await sourcesAfter('1.0', { ...github, ...onGithub, GITHUB_REF: HOSTILE }), {
      told_by: 'client',
      repository: 'acme/widgets',
      commit: COMMIT,
      run: '42',
    });
    assert.equal(await sourcesAfter('2.0', {}), undefined);
  });

  it("prefers the version in an archive's name to the tag", async (context) => {
    const cwd = await writeTree(await workplace(context), {
      'named-5.0-docs.zip': zipOf({ 'index.html': 'x' }),
    });
    const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci', ...TAG };
    const { out, notes } = await lectern(['push', 'named-5.0-docs.zip'], { cwd, env });
    assert.equal(out, `${server.url}/named-5.0/\n`, notes);
  });

  for (const [what, env, sentence] of [
    [
      'a tag that is no version',
      { ...gitlab, CI_COMMIT_TAG: 'docs/1.0' },
      /version 'docs\/1\.0' \(from the tag of this GitLab job\) cannot be published: .*; use docs_1\.0$/m,
    ],
    [
      'a tag with a command in it',
      { ...gitlab, CI_COMMIT_TAG: HOSTILE },
      /version 'feature\/\$\(id\)' \(from the tag of this GitLab job\) cannot be published/,
    ],
    [
      'a pull request without a number',
      { ...github, GITHUB_EVENT_NAME: 'pull_request_target', GITHUB_REF: 'refs/heads/main' },
      /^lectern: this GitHub job is for a pull request .*: add --preview pr-<number>$/m,
    ],
  ] as const) {
    it(`is refused for ${what}, and changes nothing`, async (context) => {
      const before = await (await server.get('/api/projects')).text();
      const { code, out, notes } = await push(context, 'refused', env);
      assert.deepEqual({ code, out }, { code: 2, out: '' }, notes);
      assert.match(notes, sentence);
      assert.equal(await (await server.get('/api/projects')).text(), before);
    });
  }
});
