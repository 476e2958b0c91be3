import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from '../support/root.js';
import { textOf } from './deployed.js';

const GITHUB = '.github/workflows/release.yml';
const GITLAB = '.gitlab-ci.yml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly needs?: readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: object;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface GitlabJob {
  readonly stage: string;
  readonly script: readonly string[];
  readonly id_tokens?: Readonly<Record<string, { readonly aud: string }>>;
}

type Pipeline = {
  readonly stages: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
} & Readonly<Record<string, GitlabJob>>;

/**
 * GitHub's own parser, in a process of its own: its package imports JSON as Node alone refuses to.
 * @returns what is wrong with a workflow, or with an action
 */
function problemsOf(path: string, content: string): readonly string[] {
  const program = `
    import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
    import { parseAction } from '@actions/workflow-parser/actions/action-parser';
    const file = JSON.parse(process.argv[1]);
    const parseFile = file.name === 'action.yml' ? parseAction : parseWorkflow;
    const { context, value } = parseFile(file, new NoOperationTraceWriter());
    if (parseFile === parseWorkflow) await convertWorkflowTemplate(context, value, undefined, { errorPolicy: 1 });
    console.log(JSON.stringify(context.errors.getErrors().map(({ message }) => message)));
  `;
  const words = [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    program,
    JSON.stringify({ name: path, content }),
  ];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

/** A file without its comments and without the block that holds its variables. */
function withoutVariables(text: string, block: string): string {
  return text.replace(/^ *#.*\n/gm, '').replace(new RegExp(`^${block}:\\n(?: .*\\n)+`, 'm'), '');
}

describe('The workflows', () => {
  it('are valid for GitHub: names of keys, expressions, needed jobs', async () => {
    for (const path of [GITHUB, 'deploy/ci/github/documentation.yml']) {
      assert.deepEqual(problemsOf(path, await textOf(ROOT, path)), []);
    }
    const wrong = (await textOf(ROOT, GITHUB))
      .replace('timeout-minutes', 'timeout-minute')
      .replace('vars.IMAGE_USER', 'var.IMAGE_USER')
      .replace('[npm, container]', '[npm, image]');
    assert.deepEqual(
      problemsOf(GITHUB, wrong).map((problem) => problem.replace(/^\S+ \(.*?\): /, '')),
      [
        "Unrecognized named-value: 'var'",
        "Unexpected value 'timeout-minute'",
        "Job 'page' depends on unknown job 'image'.",
      ],
    );
  });
});

describe('The action', () => {
  it('is valid for GitHub: names of keys, expressions', async () => {
    const action = await textOf(ROOT, 'action.yml');
    assert.deepEqual(problemsOf('action.yml', action), []);
    const wrong = action
      .replace('inputs.url', 'input.url')
      .replace('  using: composite', '  using: composite\n  shell: bash');
    assert.deepEqual(
      problemsOf('action.yml', wrong).map((problem) => problem.replace(/^\S+ \(.*?\): /, '')),
      ["Unexpected value 'shell'", "Unrecognized named-value: 'input'"],
    );
  });
});

describe('The release on GitHub and on GitLab', () => {
  let github: string;
  let gitlab: string;
  let workflow: Workflow;
  let pipeline: Pipeline;
  before(async () => {
    [github, gitlab] = await Promise.all([textOf(ROOT, GITHUB), textOf(ROOT, GITLAB)]);
    workflow = parse(github);
    pipeline = parse(gitlab);
  });

  const scriptsOf = (text: string) =>
    [...text.matchAll(/(?:scripts\/[\w./-]+\.(?:mjs|sh)|\.ci\/run)/g)].map(([path]) => path);

  it('runs the same scripts, which exist and are executable', async () => {
    const scripts = scriptsOf(withoutVariables(github, 'env'));
    assert.deepEqual(scripts, [
      '.ci/run',
      'scripts/release.mjs',
      'scripts/release/npm.sh',
      'scripts/release/image.sh',
    ]);
    assert.deepEqual(scriptsOf(withoutVariables(gitlab, 'variables')), scripts);
    for (const script of scripts) {
      await access(join(ROOT, script), script.endsWith('.mjs') ? constants.R_OK : constants.X_OK);
    }
  });

  it('keeps each external name among its variables, and nowhere else', async () => {
    const ownOfGitlab = ['GIT_DEPTH', 'IMAGE_PASSWORD'];
    assert.deepEqual(
      Object.keys(pipeline.variables).filter((name) => !ownOfGitlab.includes(name)),
      Object.keys(workflow.env),
    );
    const jobs = withoutVariables(github, 'env') + withoutVariables(gitlab, 'variables');
    for (const name of ['https://', 'ghcr.io', 'CI_REGISTRY', 'CI_PROJECT_URL']) {
      assert.ok(!jobs.includes(name), name);
    }
  });

  it('is made by a tag of a release, and by no tag that moves, such as the v1 of the action', () => {
    const [pattern = ''] = parse(github).on.push.tags as readonly string[];
    const ofGithub = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
    const [, expression = ''] = /=~ \/(.+)\/$/m.exec(parse(gitlab).workflow.rules[0].if) ?? [];
    for (const isRelease of [ofGithub, new RegExp(expression)]) {
      assert.deepEqual(
        ['v1.2.3', 'v1.2.3-rc.1', 'v1', 'v1.2', 'next'].map((tag) => isRelease.test(tag)),
        [true, true, false, false, false],
      );
    }
  });

  it('builds the image on the base named by the Dockerfile', async () => {
    const base = /^ARG BASE=(.*)$/m.exec(await textOf(ROOT, 'deploy/docker/Dockerfile'))?.[1];
    assert.equal(workflow.env.BASE, base);
    assert.equal(pipeline.variables.BASE, base);
  });

  it('publishes after the tests only, and creates the release page last', () => {
    assert.deepEqual(workflow.jobs.npm?.needs, ['tests', 'package']);
    assert.deepEqual(workflow.jobs.container?.needs, ['tests', 'package']);
    assert.deepEqual(workflow.jobs.page?.needs, ['npm', 'container']);
    const stageOf = (job: string) => pipeline.stages.indexOf(pipeline[job]?.stage ?? '');
    assert.deepEqual(['tests', 'package', 'npm', 'container', 'page'].map(stageOf), [0, 0, 1, 1, 2]);
  });

  it('grants an identity to publishing jobs only, and write access to writing jobs only', () => {
    assert.deepEqual(workflow.permissions, {});
    assert.deepEqual(
      Object.entries(workflow.jobs).map(([name, { permissions }]) => [name, permissions]),
      [
        ['tests', { contents: 'read' }],
        ['package', { contents: 'read' }],
        ['npm', { contents: 'read', 'id-token': 'write' }],
        ['container', { contents: 'read', packages: 'write', 'id-token': 'write' }],
        ['page', { contents: 'write' }],
      ],
    );
    const withTokens = Object.keys(pipeline).filter((name) => (pipeline[name] as GitlabJob).id_tokens);
    assert.deepEqual(withTokens, ['npm', 'container']);
  });

  it('pins every action to a commit, with its version beside it', () => {
    const used = github.match(/uses: .*/g) ?? [];
    assert.ok(used.length > 5);
    for (const line of used) assert.match(line, /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const versions = new Map<string, string>();
    for (const [, action = '', version = ''] of github.matchAll(/uses: (\S+)@(.*)/g)) {
      assert.equal(versions.get(action) ?? version, version);
      versions.set(action, version);
    }
  });

  it('runs no code of dependencies in a job that can publish', () => {
    for (const name of ['npm', 'container', 'page']) {
      const commands = (workflow.jobs[name]?.steps ?? []).map(({ run = '' }) => run);
      for (const command of [...commands, ...(pipeline[name]?.script ?? [])]) {
        assert.doesNotMatch(command, /npm (?:ci|install|run)|npx|node /);
      }
    }
  });

  it('writes no variable of GitHub into a command, which would run its text', () => {
    for (const { steps } of Object.values(workflow.jobs)) {
      for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/);
    }
  });
});
