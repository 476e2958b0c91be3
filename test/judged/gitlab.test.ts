/** GitLab's JSON schema for pipelines, and its includes with inputs, as gitlab-ci-local from npm has them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { writeTree } from '../client/lectern.js';
import { document, fencesOf } from '../docs/markdown.js';
import { skipUnless, succeeds } from '../support/needs.js';

const run = promisify(execFile);
/** It needs Node 22, and is fetched for each run, since nothing else needs it. */
const GITLAB = ['-y', '-p', 'node@24', '-p', 'gitlab-ci-local@4.75.1', 'gitlab-ci-local'];
const MAX_MS = 120_000;

const needsGitlab = skipUnless(
  await succeeds('npx', ...GITLAB, '--version'),
  'npm cannot fetch gitlab-ci-local here',
);

const text = async (path: string) => (await document(path)).text;

describe('The files for GitLab, in its schema', { ...needsGitlab, timeout: 5 * MAX_MS }, () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-gitlab-'));
    await git('init', '--quiet');
    await git('remote', 'add', 'origin', 'https://gitlab.example.org/acme/widgets.git');
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
    await git(...identity, 'commit', '--quiet', '--allow-empty', '--message', 'A commit');
  });
  after(() => rm(place, { recursive: true, force: true }));

  const git = (...words: readonly string[]) => run('git', words, { cwd: place });

  /** Returns the whole pipeline, with what it includes. @throws with what is wrong in stderr */
  async function preview(pipeline: string, files: Readonly<Record<string, string>> = {}) {
    await writeTree(place, { '.gitlab-ci.yml': pipeline, ...files });
    // Only files that git knows are included.
    await git('add', '--all');
    const words = [...GITLAB, '--preview', '--home', join(place, 'home')];
    const { stdout } = await run('npx', words, { cwd: place, timeout: MAX_MS });
    return parse(stdout.slice(stdout.indexOf('---\n')));
  }

  it('are valid: the pipeline of a release, and the jobs to copy', async () => {
    const release = await preview(await text('.gitlab-ci.yml'));
    assert.deepEqual(release.npm.script, ['scripts/release/npm.sh']);
    const copied = await preview(await text('deploy/ci/gitlab/documentation.yml'));
    assert.equal(copied['preview-docs'].stage, 'deploy');
  });

  it('are valid: the component as docs/ci.md includes it, with its inputs filled in', async () => {
    const fences = fencesOf(await document('docs/ci.md'));
    const { include } = parse(
      fences.find(({ code }) => code.includes('- component:'))?.code ?? assert.fail(),
    );
    const [{ inputs }] = include;
    const pipeline = stringify({ include: [{ local: 'templates/lectern.yml', inputs }] });
    const template = { 'templates/lectern.yml': await text('templates/lectern.yml') };
    const job = (await preview(pipeline, template))['publish-docs'];
    assert.deepEqual(job.variables, {
      GIT_STRATEGY: 'none',
      LECTERN_URL: inputs.url,
      LECTERN_SITE: inputs.path,
      LECTERN_PROJECT: inputs.project,
      LECTERN_OPTIONS: '--skip-existing',
      LECTERN_CLIENT: '',
    });
    assert.equal(job.id_tokens.LECTERN_ID_TOKEN.aud, inputs.url);
    assert.doesNotMatch(JSON.stringify(job), /\[\[/);

    const { project: _, ...fewer } = inputs;
    const without = stringify({ include: [{ local: 'templates/lectern.yml', inputs: fewer }] });
    await assert.rejects(preview(without, template), /project/);
  });

  it('are invalid with an unknown key', async () => {
    const wrong = (await text('.gitlab-ci.yml')).replace('id_tokens:', 'id_token:');
    await assert.rejects(preview(wrong), /id_token/);
  });
});
