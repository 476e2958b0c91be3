// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shells and GitHub have the same marks
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import {
  clientCommands,
  githubWorkflow,
  gitlabJob,
  uploadCommand,
} from '../../../src/adapters/web/help/help-examples.js';
import { MAIN } from '../../support/root.js';
import { TestServer } from '../../support/server.js';

const run = promisify(execFile);

/** The snippets of the help run verbatim against this server. */
describe('The snippets of the help', () => {
  let server: TestServer;
  let work: string;
  before(async () => {
    server = await TestServer.start({ client: true });
    work = await mkdtemp(join(tmpdir(), 'lectern-help-'));
    await mkdir(join(work, 'build/html'), { recursive: true });
    await writeFile(join(work, 'build/html/index.html'), 'hello');
  });
  after(async () => {
    await server.close();
    await rm(work, { recursive: true, force: true });
  });

  // Without --norc, bash reads ~/.bashrc where its input is a socket, as Node's pipes are, and SHLVL is not set.
  const bash = (script: string, cwd: string, env: Record<string, string> = {}) =>
    run('bash', ['--norc', '-ec', script], {
      cwd,
      env: { PATH: process.env.PATH, LECTERN_TOKEN: 'secret-ci', ...env },
    });
  const isPublished = async (version: string) => (await server.get(`/my-project-${version}/`)).status === 200;

  it('publish with curl', async () => {
    await bash(uploadCommand(server.url).join('\n'), work);
    assert.ok(await isPublished('1.0.0'));
  });

  it('publish a tag from GitHub, and fail where the version exists', async () => {
    const { jobs } = parse(githubWorkflow(server.url).join('\n'));
    assert.deepEqual([jobs.publish.needs, jobs.build.env], ['build', undefined]);
    const { run: script, env } = jobs.publish.steps.at(-1);
    assert.equal(env.LECTERN_TOKEN, '${{ secrets.LECTERN_TOKEN }}');
    const github = { GITHUB_ACTIONS: 'true', GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v2.0.0' };
    const given = { ...github, LECTERN_URL: env.LECTERN_URL, CI: 'true' };
    await bash(script, work, given);
    assert.ok(await isPublished('2.0.0'));
    await assert.rejects(
      bash(script, work, given),
      ({ code, stderr }) => code === 4 && /already/.test(stderr),
    );
  });

  it('publish a tag from GitLab', async () => {
    const job = parse(gitlabJob(server.url).join('\n'))['publish-docs'];
    const gitlab = { GITLAB_CI: 'true', CI_COMMIT_TAG: 'v3.0.0', CI: 'true' };
    await bash(job.script.join('\n'), work, { ...gitlab, ...job.variables });
    assert.ok(await isPublished('3.0.0'));
  });

  it('publish with the client', async () => {
    const commands = clientCommands(server.url, undefined)
      .filter((line) => !line.includes('<your token>'))
      .join('\n')
      .replace('lectern push', '"$NODE" "$MAIN" push')
      .replace('build/html', join(work, 'build/html'))
      .replace('1.0.0', '4.0.0');
    const { stdout } = await bash(commands, work, {
      NODE: process.execPath,
      MAIN,
      HOME: work,
    });
    assert.equal(stdout.trim(), `${server.url}/my-project-4.0.0/`);
    assert.ok(await isPublished('4.0.0'));
  });
});
