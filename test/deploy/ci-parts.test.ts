/** The parts that a workflow of GitHub or a pipeline of GitLab names instead of copying them, interpreted as these services do. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { writeTree } from '../client/lectern.js';
import { document, fencesOf } from '../docs/markdown.js';
import { ROOT } from '../support/root.js';
import { type Json, TestServer } from '../support/server.js';
import { HOSTILE, runStep } from './ci-shell.js';
import { textOf } from './deployed.js';

type Inputs = Readonly<Record<string, string>>;

let place: string;
let server: TestServer;
let client: string;
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'lectern-ci-'));
  server = await TestServer.start({ client: true });
  client = createHash('sha256')
    .update(await (await server.get('/-/client.mjs')).text())
    .digest('hex');
});
after(async () => {
  await server.close();
  await rm(place, { recursive: true, force: true });
});

/** A workspace with a built site, and with a client of the build, which must not run. */
const workspace = async () =>
  writeTree(await mkdtemp(join(place, 'workspace-')), {
    'build/html/index.html': 'widgets, built',
    'lectern.mjs': 'console.log("the client of the build")',
  });

const listed = async () => (await server.get('/api/projects')).text();

/** The block of docs/ci.md that uses a part. */
async function documented(word: string): Promise<Json> {
  const fences = fencesOf(await document('docs/ci.md'));
  return parse(fences.find(({ code }) => code.includes(word))?.code ?? assert.fail(word));
}

/**
 * Fails unless an input that a stranger chooses is a word of one command: neither run by the shell, nor divided. A value
 * that ends its own quotes is among them.
 */
async function assertInert(play: (inputs: Inputs) => ReturnType<typeof runStep>): Promise<void> {
  const before = await listed();
  for (const hostile of [
    HOSTILE,
    `" ; ${HOSTILE} #`,
    `' ; ${HOSTILE} #`,
    `x\n${HOSTILE}`,
    '-- --replace',
    '*',
  ]) {
    for (const name of ['path', 'project', 'options', 'sha256']) {
      const { code } = await play({ [name]: hostile });
      assert.notEqual(code, 0, `${name}: ${hostile}`);
    }
  }
  assert.equal(await listed(), before);
}

describe('The GitHub action', () => {
  let text: string;
  let action: Json;
  before(async () => {
    text = await textOf(ROOT, 'action.yml');
    action = parse(text);
  });

  /** Runs the steps in bash with GitHub's options, and with the inputs as `uses` gives them. */
  async function play(inputs: Inputs, job: Readonly<Record<string, string>> = {}) {
    const given = { path: 'build/html', url: server.url, token: 'secret-ci', project: 'widgets', ...inputs };
    const cwd = await workspace();
    const [step, ...others] = action.runs.steps as Json[];
    assert.deepEqual(others, []);
    assert.equal(step.shell, 'bash');
    const givenFor = (expression: string) => {
      const [, name = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? assert.fail(expression);
      assert.ok(name in action.inputs, name);
      return (given as Inputs)[name] ?? action.inputs[name].default ?? '';
    };
    const env = Object.entries(step.env as Inputs).map(([name, value]) => [name, givenFor(value)]);
    const shell = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'];
    const variables = { GITHUB_ACTIONS: 'true', ...job, ...Object.fromEntries(env) };
    return runStep(place, { script: step.run, cwd, env: variables, shell });
  }

  const TAG = { GITHUB_EVENT_NAME: 'push', GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.0.0' };

  it('has 20 lines at most, and no expression in what its shell runs', () => {
    assert.ok(text.trimEnd().split('\n').length <= 20);
    assert.equal(action.runs.using, 'composite');
    for (const { run } of action.runs.steps) assert.doesNotMatch(run, /\$\{\{/);
  });

  it('publishes a tag, and the same tag again', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { code, out, notes } = await play({ url: `${server.url}/` }, TAG);
      assert.deepEqual([code, out], [0, `${server.url}/widgets-1.0.0/\n`], notes);
    }
    assert.equal(await (await server.get('/widgets-1.0.0/')).text(), 'widgets, built');
  });

  it('takes options that are on lines of their own', async () => {
    const tag = { ...TAG, GITHUB_REF_NAME: 'v1.0.1' };
    const { code, notes } = await play({ options: '--skip-existing\n--dry-run\n' }, tag);
    assert.equal(code, 0, notes);
    assert.match(notes, /^Nothing was published\./m);
    assert.equal((await server.get('/widgets-1.0.1/')).status, 404);
  });

  it('publishes the preview of a pull request whose branch has a hostile name', async () => {
    const { code, notes } = await play(
      { options: '--skip-existing --expires 2d', sha256: client },
      { GITHUB_REF: 'refs/pull/7/merge', GITHUB_REF_NAME: '7/merge', GITHUB_HEAD_REF: HOSTILE },
    );
    assert.equal(code, 0, notes);
    assert.equal(await (await server.get('/widgets~pr-7/')).text(), 'widgets, built');
  });

  it('runs no client with another hash, and no server without one', async () => {
    const before = await listed();
    const other = await play({ sha256: '0'.repeat(64) }, TAG);
    assert.equal(other.code, 1);
    assert.match(other.out, /lectern\.mjs: FAILED/);
    const nowhere = await play({ url: `${server.url}/nowhere` }, TAG);
    assert.equal(nowhere.code, 22);
    assert.equal(await listed(), before);
  });

  it('runs nothing that an input contains', () =>
    assertInert((inputs) => play(inputs, { ...TAG, GITHUB_REF_NAME: 'v9.9.9' })));

  it('has every input that docs/ci.md gives it, and all required ones there', async () => {
    const { publish } = await documented('/lectern@v1');
    const given = publish.steps.find(({ uses = '' }) => uses.includes('/lectern@v1')).with;
    for (const name of Object.keys(given)) assert.ok(name in action.inputs, name);
    for (const [name, { required }] of Object.entries<Json>(action.inputs))
      if (required) assert.ok(name in given);
  });
});

describe('The GitLab component', () => {
  let spec: Json;
  let template: string;
  before(async () => {
    const text = await textOf(ROOT, 'templates/lectern.yml');
    spec = (parseAllDocuments(text)[0] ?? assert.fail()).toJS().spec;
    template = text.slice(text.indexOf('\n---\n') + 5);
  });

  /** GitLab writes an input into the text of the template, as the inside of a string that is between quotes. */
  function jobWith(inputs: Inputs): Json {
    const given = { path: 'build/html', url: server.url, project: 'widgets', ...inputs };
    const text = template.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
      const input = spec.inputs[name] ?? assert.fail(name);
      const value = (given as Inputs)[name] ?? input.default ?? assert.fail(`${name} is not given`);
      return JSON.stringify(value).slice(1, -1);
    });
    const jobs = parse(text);
    return jobs[inputs.job ?? 'publish-docs'] ?? assert.fail(text);
  }

  async function play(inputs: Inputs, job: Readonly<Record<string, string>> = TAG) {
    const cwd = await workspace();
    const { script, variables } = jobWith(inputs);
    const env = { GITLAB_CI: 'true', LECTERN_TOKEN: 'secret-ci', ...job, ...variables };
    const done = await runStep(place, {
      script: script.join('\n'),
      cwd,
      env,
      shell: ['bash', '-eo', 'pipefail'],
    });
    const site = await readFile(join(cwd, 'lectern.env'), 'utf8').catch(() => undefined);
    return { ...done, site };
  }

  const TAG = { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_TAG: 'v2.0.0', CI_COMMIT_REF_NAME: 'v2.0.0' };

  it('publishes a tag, the same tag again, and reports the address', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { code, site, notes } = await play({ url: `${server.url}/` });
      assert.deepEqual([code, site], [0, `LECTERN_SITE_URL=${server.url}/widgets-2.0.0/\n`], notes);
    }
    assert.equal(await (await server.get('/widgets-2.0.0/')).text(), 'widgets, built');
  });

  it('publishes the preview of a merge request whose branch has a hostile name', async () => {
    const job = {
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_MERGE_REQUEST_IID: '8',
      CI_COMMIT_REF_NAME: HOSTILE,
    };
    const { code, notes } = await play({ sha256: client, options: '--expires 2d' }, job);
    assert.equal(code, 0, notes);
    assert.equal(await (await server.get('/widgets~mr-8/')).text(), 'widgets, built');
  });

  it('runs no client with another hash', async () => {
    const before = await listed();
    const { code, out } = await play({ sha256: '0'.repeat(64) });
    assert.equal(code, 1);
    assert.match(out, /lectern\.mjs: FAILED/);
    assert.equal(await listed(), before);
  });

  it('runs nothing that an input contains', () =>
    assertInert((inputs) => play(inputs, { ...TAG, CI_COMMIT_TAG: 'v9.9.9' })));

  it("has the server's address as the audience of its identity, and runs in the named stage and image", () => {
    const job = jobWith({ job: 'docs', stage: 'pages', image: 'node:22' });
    assert.deepEqual([job.stage, job.image], ['pages', 'node:22']);
    assert.equal(job.id_tokens.LECTERN_ID_TOKEN.aud, server.url);
    assert.equal(job.variables.GIT_STRATEGY, 'none');
  });

  it('runs when the copied jobs publish', async () => {
    const copied = parse(await textOf(ROOT, 'deploy/ci/gitlab/documentation.yml'));
    assert.deepEqual(jobWith({}).rules, [...copied['publish-docs'].rules, ...copied['preview-docs'].rules]);
  });

  it('has every input that docs/ci.md gives it, and all without a default there', async () => {
    const { include } = await documented('/lectern/lectern@');
    const given = include[0].inputs;
    for (const name of Object.keys(given)) assert.ok(name in spec.inputs, name);
    for (const [name, input] of Object.entries<Json>(spec.inputs))
      if (!('default' in input)) assert.ok(name in given);
  });
});
