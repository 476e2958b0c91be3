import assert from 'node:assert/strict';
import { access, chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { JobTokenRegistry } from '../../src/adapters/issuers/job-token-registry.js';
import { JsonTokenRegistry } from '../../src/adapters/json/index.js';
import { writeTree } from '../client/lectern.js';
import { document, fencesOf } from '../docs/markdown.js';
import { TestIssuer } from '../support/issuer.js';
import { ROOT } from '../support/root.js';
import { type Json, TestServer } from '../support/server.js';
import { HOSTILE, runStep, type Step } from './ci-shell.js';

/** The recipe of a language in the document, by a word that no other has. */
async function documented(language: string, word: string): Promise<string> {
  const fences = fencesOf(await document('docs/ci.md'));
  const found = fences.find((fence) => fence.language === language && fence.code.includes(word));
  return found?.code ?? assert.fail(`docs/ci.md has no ${language} with ${word}`);
}

const recipe = (path: string) => readFile(join(ROOT, 'deploy/ci', path), 'utf8');

/** Build that a dependency has taken over: it must get no token, and leaves a client of its own. */
const MAKE = `#!/bin/sh
if env | grep -q secret-ci; then echo 'the build has the token' >&2; exit 98; fi
mkdir -p build/html
printf 'widgets, built' >build/html/index.html
printf 'console.log("the client of the build")' >lectern.mjs
printf 'registry=http://127.0.0.1:9/\\n' >.npmrc
`;
const GH = '#!/bin/sh\nprintf "%s\\n" "$@" >said\ncat comment.md >>said\n';

const AUDIENCE = 'https://docs.example.org';

let server: TestServer;
/** A server that trusts the jobs of an issuer, which takes the place of GitHub and GitLab. */
let trusting: TestServer;
let issuer: TestIssuer;
let place: string;
let workspaces = 0;
before(async () => {
  server = await TestServer.start({ client: true });
  place = await mkdtemp(join(tmpdir(), 'lectern-ci-'));
  issuer = await TestIssuer.start(await mkdtemp(join(place, 'issuer-')));
  const entry = {
    issuer: issuer.url,
    audience: AUDIENCE,
    claims: { repository: 'acme/widgets' },
    projects: ['{repository}'],
  };
  const tokens = JsonTokenRegistry.parse(JSON.stringify({ tokens: {}, trusted_issuers: { entry } }));
  const registry = new JobTokenRegistry(tokens, { ca: issuer.certificate.pem });
  trusting = await TestServer.start({ client: true, tokens: registry });
  // Answers a job as GitHub does. The audience is the address of the server, which these tests do not have at docs.example.org.
  issuer.instead.set('/identity', async (response, request) => {
    const { searchParams } = new URL(request.url ?? '', issuer.url);
    const isAsked =
      request.headers.authorization === 'Bearer of the job' && searchParams.get('audience') === trusting.url;
    if (!isAsked) return void response.writeHead(401).end();
    response.end(JSON.stringify({ value: await issuer.sign(issuer.claims(AUDIENCE)) }));
  });
  await writeTree(join(place, 'tools'), { make: MAKE, gh: GH });
  for (const tool of ['make', 'gh']) await chmod(join(place, 'tools', tool), 0o755);
});
after(async () => {
  await server.close();
  await trusting.close();
  await issuer.close();
  await rm(place, { recursive: true, force: true });
});

/** A workspace of its own: empty, or with what another job has built. */
async function workspace(built?: string): Promise<string> {
  workspaces += 1;
  const directory = await writeTree(join(place, `workspace ${workspaces}`), {});
  if (built !== undefined) {
    await cp(join(built, 'build/html'), join(directory, 'build/html'), { recursive: true });
  }
  return directory;
}

const run = (step: Step) => runStep(place, step);

async function succeeds(step: Step): Promise<string> {
  const { code, out, notes } = await run(step);
  assert.equal(code, 0, notes);
  return out;
}

const listed = async () => (await server.get('/api/projects')).text();

describe('The GitHub workflow', () => {
  let jobs: Json;
  let workflow: Json;
  before(async () => {
    workflow = parse(await recipe('github/documentation.yml'));
    jobs = workflow.jobs;
  });

  const TAG = {
    event_name: 'push',
    ref: 'refs/tags/v1.0.0',
    repository: 'acme/widgets',
    event: {},
    env: { GITHUB_EVENT_NAME: 'push', GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.0.0' },
  };
  const pullRequest = (action: string, repository = 'acme/widgets') => ({
    event_name: 'pull_request',
    repository: 'acme/widgets',
    token: 'of GitHub',
    event: { action, number: 7, pull_request: { head: { repo: { full_name: repository } } } },
    env: {
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_REF_TYPE: 'branch',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_REF_NAME: '7/merge',
      GITHUB_HEAD_REF: HOSTILE,
    },
  });
  type Event = typeof TAG | ReturnType<typeof pullRequest>;

  /** The expressions of GitHub that the workflow uses are such of JavaScript. */
  const evaluated = (expression: string, github: Event, secrets: object = { LECTERN_TOKEN: 'secret-ci' }) =>
    runInNewContext(expression, { github, secrets });
  const runsFor = (github: Event) =>
    Object.keys(jobs).filter((name) => evaluated(jobs[name].if ?? 'true', github) as boolean);

  /** Server that a job publishes to, and its credentials. */
  interface Place {
    readonly server: () => TestServer;
    readonly secrets: object;
    readonly identity?: () => Readonly<Record<string, string>>;
  }
  const WITH_SECRET: Place = { server: () => server, secrets: { LECTERN_TOKEN: 'secret-ci' } };
  const WITH_IDENTITY: Place = {
    server: () => trusting,
    secrets: {},
    identity: () => ({
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/identity?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
      NODE_EXTRA_CA_CERTS: issuer.certificate.file,
    }),
  };

  /** Runs the scripts of a job, with the environment that the workflow gives each of them. */
  async function play(job: string, github: Event, cwd: string, to: Place = WITH_SECRET): Promise<void> {
    // GitHub gives an identity to a job that may have one.
    const identity = jobs[job].permissions?.['id-token'] === 'write' ? to.identity?.() : undefined;
    for (const step of jobs[job].steps as Json[]) {
      if (step.run === undefined || !evaluated(step.if ?? 'true', github)) continue;
      assert.doesNotMatch(step.run, /\$\{\{/);
      const own = Object.entries((step.env ?? {}) as Record<string, string>).map(([name, value]) => {
        const [, expression] = /^\$\{\{ (.+) \}\}$/.exec(value) ?? assert.fail(value);
        return [name, String(evaluated(expression ?? '', github, to.secrets) ?? '')];
      });
      const env = {
        GITHUB_ACTIONS: 'true',
        ...github.env,
        ...identity,
        LECTERN_URL: to.server().url,
        ...Object.fromEntries(own),
      };
      await succeeds({ script: step.run, cwd, env, shell: ['bash', '-e'] });
    }
  }

  async function playAll(github: Event, to: Place = WITH_SECRET): Promise<string> {
    const built = await workspace();
    await play('build', github, built, to);
    const publishing = await workspace(built);
    await play('publish', github, publishing, to);
    return publishing;
  }

  it('runs for tags and pull requests, and publishes no fork', () => {
    assert.deepEqual(Object.keys(workflow.on), ['push', 'pull_request']);
    assert.deepEqual(workflow.on.push, { tags: ['**'] });
    assert.deepEqual(runsFor(TAG), ['build', 'publish']);
    assert.deepEqual(runsFor(pullRequest('synchronize')), ['build', 'publish']);
    assert.deepEqual(runsFor(pullRequest('synchronize', 'stranger/widgets')), ['build']);
    // The job that publishes needs the one that builds, which is skipped.
    assert.deepEqual(runsFor(pullRequest('closed')), ['publish', 'delete']);
    assert.equal(jobs.publish.needs, 'build');
    assert.deepEqual(runsFor(pullRequest('closed', 'stranger/widgets')), []);
  });

  it('builds in a job without secrets and rights, whose code the publishing job never runs', () => {
    assert.deepEqual(workflow.permissions, { contents: 'read' });
    const { build, publish } = jobs;
    assert.equal(build.permissions, undefined);
    assert.doesNotMatch(JSON.stringify(build), /secrets|token/);
    assert.equal(build.steps[0].with['persist-credentials'], false);
    const kept = build.steps.at(-1);
    const fetched = publish.steps[0];
    assert.match(kept.uses, /^actions\/upload-artifact@/);
    assert.match(fetched.uses, /^actions\/download-artifact@/);
    assert.deepEqual(fetched.with, { name: kept.with.name, path: kept.with.path });
    assert.doesNotMatch(JSON.stringify([publish, jobs.delete]), /actions\/checkout/);
  });

  it('publishes the version of a tag', async () => {
    await playAll(TAG);
    assert.equal(await (await server.get('/widgets-1.0.0/')).text(), 'widgets, built');
  });

  it("publishes by the job's identity without a secret, an identity unavailable to the build job", async () => {
    await playAll(TAG, WITH_IDENTITY);
    assert.equal(await (await trusting.get('/widgets-1.0.0/')).text(), 'widgets, built');
    assert.deepEqual(
      Object.keys(jobs).filter((job) => jobs[job].permissions?.['id-token'] === 'write'),
      ['publish', 'delete'],
    );
    await playAll(pullRequest('opened'), WITH_IDENTITY);
    assert.equal(await (await trusting.get('/widgets~pr-7/')).text(), 'widgets, built');
    await play('delete', pullRequest('closed'), await workspace(), WITH_IDENTITY);
    assert.equal((await trusting.get('/widgets~pr-7/')).status, 404);
  });

  it('publishes the preview of a pull request, comments it once, and deletes it at the end, twice if necessary', async () => {
    const opened = await playAll(pullRequest('opened'));
    assert.equal(await (await server.get('/widgets~pr-7/')).text(), 'widgets, built');
    const said = await readFile(join(opened, 'said'), 'utf8');
    assert.ok(
      said.startsWith(
        `pr\ncomment\n7\n--body-file\ncomment.md\nDocumentation of \`widgets~pr-7\`: <${server.url}/widgets~pr-7/>\n`,
      ),
      said,
    );
    const pushed = await playAll(pullRequest('synchronize'));
    await assert.rejects(access(join(pushed, 'said')), /ENOENT/);
    for (let time = 0; time < 2; time += 1) {
      await play('delete', pullRequest('closed'), await workspace());
      assert.equal((await server.get('/widgets~pr-7/')).status, 404);
    }
  });
});

describe('The GitLab jobs', () => {
  let jobs: Json;
  before(async () => {
    jobs = parse(await recipe('gitlab/documentation.yml'));
  });

  const TAG = { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_TAG: 'v2.0.0', CI_COMMIT_REF_NAME: 'v2.0.0' };
  const BRANCH = { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: HOSTILE, CI_COMMIT_REF_NAME: HOSTILE };
  const mergeRequest = (project: string) => ({
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_IID: '8',
    CI_MERGE_REQUEST_PROJECT_ID: '1',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: project,
    CI_COMMIT_REF_NAME: HOSTILE,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: HOSTILE,
  });

  /** The conditions of GitLab that the jobs use are such of JavaScript, with another way to write variables. */
  const runsFor = (env: Readonly<Record<string, string>>) =>
    Object.keys(jobs).filter((name) =>
      jobs[name].rules.some((rule: Json) =>
        runInNewContext(rule.if.replace(/\$(\w+)/g, 'env.$1'), { env: { ...env } }),
      ),
    );
  const scriptOf = (job: string): string => [jobs[job].script].flat().join('\n');
  const envFor = (env: Readonly<Record<string, string>>) => ({
    GITLAB_CI: 'true',
    LECTERN_URL: server.url,
    LECTERN_TOKEN: 'secret-ci',
    ...env,
  });

  async function play(job: string, env: Readonly<Record<string, string>>): Promise<string> {
    const built = await workspace();
    await succeeds({ script: scriptOf('build-docs'), cwd: built, env: { GITLAB_CI: 'true', ...env } });
    const cwd = await workspace(built);
    const script = scriptOf(jobs[job].script === undefined ? jobs[job].extends : job);
    await succeeds({ script, cwd, env: envFor(env) });
    return readFile(join(cwd, 'lectern.env'), 'utf8');
  }

  it('run for tags and merge requests, and publish no fork', () => {
    assert.deepEqual(runsFor(TAG), ['build-docs', 'publish-docs']);
    assert.deepEqual(runsFor(mergeRequest('1')), ['build-docs', 'preview-docs', 'delete-docs-preview']);
    assert.deepEqual(runsFor(mergeRequest('2')), ['build-docs']);
    assert.deepEqual(runsFor(BRANCH), []);
  });

  it('have the token only in jobs with an environment, which build nothing', () => {
    const { 'build-docs': build, ...others } = jobs;
    assert.equal(build.environment, undefined);
    for (const job of Object.values(others) as Json[]) assert.match(job.environment.name, /^docs\//);
    const { 'preview-docs': preview, 'delete-docs-preview': remove } = jobs;
    assert.equal(preview.environment.on_stop, 'delete-docs-preview');
    assert.equal(remove.environment.name, preview.environment.name);
    assert.equal(remove.resource_group, preview.resource_group);
  });

  it('publish the version of a tag, and report its address as the environment', async () => {
    assert.equal(await play('publish-docs', TAG), `LECTERN_SITE_URL=${server.url}/widgets-2.0.0/\n`);
    assert.equal(await (await server.get('/widgets-2.0.0/')).text(), 'widgets, built');
  });

  it('publish the preview of a merge request, and delete it at the end, twice if necessary', async () => {
    const env = mergeRequest('1');
    for (let time = 0; time < 2; time += 1) {
      assert.equal(await play('preview-docs', env), `LECTERN_SITE_URL=${server.url}/widgets~mr-8/\n`);
    }
    assert.equal(await (await server.get('/widgets~mr-8/')).text(), 'widgets, built');
    const script = scriptOf('delete-docs-preview');
    for (let time = 0; time < 2; time += 1) {
      await succeeds({ script, cwd: await workspace(), env: envFor(env) });
      assert.equal((await server.get('/widgets~mr-8/')).status, 404);
    }
  });

  it("publish by the job's identity without a secret, an identity unavailable to the build job", async () => {
    const { 'build-docs': build, 'publish-docs': publish, 'delete-docs-preview': remove } = jobs;
    assert.equal(build.id_tokens, undefined);
    const { aud } = publish.id_tokens.LECTERN_ID_TOKEN;
    assert.equal(aud, publish.variables.LECTERN_URL);
    assert.deepEqual(remove.id_tokens, publish.id_tokens);
    const identity = {
      LECTERN_URL: trusting.url,
      LECTERN_TOKEN: '',
      LECTERN_ID_TOKEN: await issuer.sign(issuer.claims(aud)),
    };
    assert.equal(
      await play('publish-docs', { ...TAG, ...identity }),
      `LECTERN_SITE_URL=${trusting.url}/widgets-2.0.0/\n`,
    );
    assert.equal(await (await trusting.get('/widgets-2.0.0/')).text(), 'widgets, built');
    await play('preview-docs', { ...mergeRequest('1'), ...identity });
    const script = scriptOf('delete-docs-preview');
    const env = envFor({ ...mergeRequest('1'), ...identity });
    await succeeds({ script, cwd: await workspace(), env });
    assert.equal((await trusting.get('/widgets~mr-8/')).status, 404);
  });

  it('publish nothing for a branch: the client requires a version', async () => {
    const before = await listed();
    const built = await workspace();
    await writeTree(built, { 'build/html/index.html': 'x' });
    const { code, notes } = await run({ script: scriptOf('publish-docs'), cwd: built, env: envFor(BRANCH) });
    assert.equal(code, 2);
    assert.match(notes, /^lectern: no version found in manifests or the repository: add --version$/m);
    assert.equal(await listed(), before);
  });
});

describe('The Jenkins stage', () => {
  let stage: string;
  before(async () => {
    stage = await documented('groovy', 'unstash');
  });

  const PULL_REQUEST = { CHANGE_ID: '9', BRANCH_NAME: 'PR-9', CHANGE_BRANCH: HOSTILE };

  it('runs for tags and pull requests, and for no fork', () => {
    const [, condition = ''] = /expression \{ (.+?) \} \}/.exec(stage) ?? [];
    const publishes = (env: object) => Boolean(runInNewContext(condition, { env }));
    assert.equal(publishes({ TAG_NAME: 'v3.0.0', BRANCH_NAME: 'v3.0.0' }), true);
    assert.equal(publishes(PULL_REQUEST), true);
    assert.equal(publishes({ ...PULL_REQUEST, CHANGE_FORK: 'stranger' }), false);
    assert.equal(publishes({ BRANCH_NAME: HOSTILE }), false);
  });

  it('begins with an empty workspace, and checks out nothing', () => {
    assert.match(stage, /steps \{\s+deleteDir\(\)\s+unstash 'documentation'/);
    assert.doesNotMatch(stage, /checkout/);
  });

  for (const [what, env, address] of [
    ['a tag', { TAG_NAME: 'v3.0.0', BRANCH_NAME: 'v3.0.0' }, '/widgets-3.0.0/'],
    ['a pull request', PULL_REQUEST, '/widgets~pr-9/'],
  ] as const) {
    it(`publishes ${what}`, async () => {
      const common = { JENKINS_URL: 'https://ci.example.org/', ...env };
      const built = await workspace();
      const shell = ['sh', '-xe'];
      await succeeds({ script: 'make html', cwd: built, env: common, shell });
      const cwd = await workspace(built);
      const own = { ...common, LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
      const said: string[] = [];
      for (const [, script = ''] of stage.matchAll(/\bsh '([^']+)'/g))
        said.push(await succeeds({ script, cwd, env: own, shell }));
      assert.equal(said.join(''), `${server.url}${address}\n`);
      assert.equal(await (await server.get(address)).text(), 'widgets, built');
    });
  }
});

describe('The Woodpecker steps', () => {
  let workflow: Json;
  before(async () => {
    workflow = parse(await documented('yaml', 'from_secret'));
  });

  it('run for tags only, since a pull request brings its own workflow, with the token in the last step', () => {
    assert.deepEqual(workflow.when, { event: 'tag' });
    assert.deepEqual(
      workflow.steps.map((step: Json) => JSON.stringify(step).includes('lectern_token')),
      [false, true],
    );
    assert.deepEqual(workflow.steps[0].commands, ['make html']);
  });

  it("publish the version of a tag, with the server's client in place of one left by the build", async () => {
    const cwd = await workspace();
    const values: Record<string, string> = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
    let out = '';
    for (const { commands, environment = {} } of workflow.steps) {
      // Woodpecker would fill these in by itself, before the shell sees them.
      assert.doesNotMatch(commands.join('\n'), /\$\{/);
      const own = Object.fromEntries(Object.keys(environment).map((name) => [name, values[name] ?? '']));
      const env = { CI: 'woodpecker', CI_PIPELINE_EVENT: 'tag', CI_COMMIT_TAG: 'v4.0.0', ...own };
      out = await succeeds({ script: commands.join('\n'), cwd, env });
    }
    assert.equal(out, `${server.url}/widgets-4.0.0/\n`);
    assert.equal(await (await server.get('/widgets-4.0.0/')).text(), 'widgets, built');
  });
});
