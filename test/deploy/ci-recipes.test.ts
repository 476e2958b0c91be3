import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { writeTree } from '../client/lectern.js';
import { MAIN, ROOT } from '../support/root.js';
import { type Json, TestServer } from '../support/server.js';

const recipe = (path: string) => readFile(join(ROOT, 'deploy/ci', path), 'utf8');

let server: TestServer;
let place: string;
let cache: string;
let tarball: string;
let checkouts = 0;
/** Stands for npx where npm has nothing to prove: the package that it names counts as installed. */
const INSTALLED = `#!/bin/sh
[ "$1 $2 $4" = '--yes --package lectern' ] && [ -f "$3" ] || exit 99
shift 4
exec "${process.execPath}" "${MAIN}" "$@"
`;
before(async () => {
  server = await TestServer.start();
  place = await mkdtemp(join(tmpdir(), 'lectern-ci-'));
  const npm = async (...args: string[]) =>
    (await promisify(execFile)('npm', args, { cwd: ROOT })).stdout.trim();
  await writeTree(join(place, 'installed'), { npx: INSTALLED });
  await chmod(join(place, 'installed/npx'), 0o755);
  tarball = join(place, await npm('pack', '--silent', '--ignore-scripts', '--pack-destination', place));
  // npx keeps what it has installed beside npm's downloads: those are wanted, that is not.
  cache = join(place, 'npm');
  await mkdir(cache);
  const downloads = join(await npm('config', 'get', 'cache'), '_cacache');
  await mkdir(downloads, { recursive: true });
  await symlink(downloads, join(cache, '_cacache'));
});
after(async () => {
  await server.close();
  await rm(place, { recursive: true, force: true });
});

/** A fresh checkout of a project whose documentation has been built. */
async function checkout(version: string): Promise<string> {
  checkouts += 1;
  return writeTree(join(place, `checkout ${checkouts}`), {
    'pyproject.toml': `[project]\nname = "widgets"\nversion = "${version}"\n`,
    'build/html/index.html': `widgets ${version}`,
  });
}

/** Runs a script as the service would, with nothing but what the service gives it. */
async function run(shell: readonly string[], script: string, cwd: string, env: NodeJS.ProcessEnv) {
  const [program = '', ...options] = shell;
  const child = spawn(program, [...options, '-c', script], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: place,
      CI: 'true',
      npm_config_cache: cache,
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, notes] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, notes };
}

/** What every recipe has to know of the server. */
const access = () => ({
  LECTERN_URL: server.url,
  LECTERN_TOKEN: 'secret-ci',
  LECTERN_PACKAGE: tarball,
});

describe('The GitHub action', () => {
  async function action(cwd: string, inputs: Readonly<Record<string, string>>, through = 'installed') {
    const { inputs: declared, runs } = parse(await recipe('github/action.yml')) as Json;
    const [step] = runs.steps;
    assert.doesNotMatch(step.run, /\$\{\{/);
    const env: NodeJS.ProcessEnv = {};
    for (const [name, value] of Object.entries(step.env as Record<string, string>)) {
      const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
      assert.ok(input in declared, value);
      env[name] = inputs[input] ?? declared[input].default ?? assert.fail(`the input ${input} is required`);
    }
    const output = join(cwd, 'output');
    const shell = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'];
    const result = await run(shell, step.run, cwd, {
      ...env,
      GITHUB_OUTPUT: output,
      PATH: `${join(place, through)}:${process.env.PATH}`,
    });
    return { ...result, output: await readFile(output, 'utf8').catch(() => '') };
  }
  const inputs = () => ({ path: 'build/html', url: server.url, token: 'secret-ci', package: tarball });

  it('publishes what it guesses, and gives the address to the steps after it', async () => {
    const { code, notes, output } = await action(await checkout('1.0.0'), inputs(), 'npm');
    assert.equal(code, 0, notes);
    assert.equal(output, `url=${server.url}/widgets-1.0.0/\n`);
    assert.equal(await (await server.get('/widgets-1.0.0/')).text(), 'widgets 1.0.0');
  });

  it('fails for a version that is there, unless it is told to skip it', async () => {
    await server.upload('widgets-1.1.0-docs.zip', { 'index.html': 'first' });
    const refused = await action(await checkout('1.1.0'), inputs());
    assert.equal(refused.code, 4, refused.notes);
    assert.equal(refused.output, '');
    const skipped = await action(await checkout('1.1.0'), { ...inputs(), 'skip-existing': 'true' });
    assert.equal(skipped.code, 0, skipped.notes);
    assert.equal(await (await server.get('/widgets-1.1.0/')).text(), 'first');
  });

  it('hands on project and version as they are, whatever a shell would make of them', async () => {
    const given = { ...inputs(), project: 'named', version: '2.0.0' };
    assert.equal((await action(await checkout('1.0.0'), given)).code, 0);
    assert.equal((await server.get('/named-2.0.0/')).status, 200);
    const cwd = await checkout('1.0.0');
    const hostile = await action(cwd, { ...inputs(), version: '"; touch here; $(touch here) #' });
    assert.equal(hostile.code, 2, hostile.notes);
    await assert.rejects(readFile(join(cwd, 'here')), /ENOENT/);
  });

  it('publishes nothing in a dry run', async () => {
    const { code, notes } = await action(await checkout('9.0.0'), { ...inputs(), 'dry-run': 'true' });
    assert.equal(code, 0, notes);
    assert.equal((await server.get('/widgets-9.0.0/')).status, 404);
  });
});

describe('The GitLab component', () => {
  it('publishes what it guesses, and says where for the environment', async () => {
    const [header, body] = parseAllDocuments(await recipe('gitlab/templates/publish.yml')).map((part) =>
      part.toJS(),
    ) as [Json, Json];
    const given: Record<string, string> = { path: 'build/html', url: server.url, package: tarball };
    const job = body['publish-docs'];
    const env: Record<string, string> = { LECTERN_TOKEN: 'secret-ci' };
    for (const [name, value] of Object.entries(job.variables)) {
      env[name] = String(value).replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, input: string) =>
        String(given[input] ?? header.spec.inputs[input].default),
      );
    }
    const script = job.script.join('\n');
    assert.doesNotMatch(script, /\$\[\[/);
    const cwd = await checkout('3.0.0');
    const { code, notes } = await run(['sh', '-e'], script, cwd, env);
    assert.equal(code, 0, notes);
    assert.equal(
      await readFile(join(cwd, 'lectern.env'), 'utf8'),
      `LECTERN_SITE_URL=${server.url}/widgets-3.0.0/\n`,
    );
    assert.equal(await (await server.get('/widgets-3.0.0/')).text(), 'widgets 3.0.0');
  });
});

describe('The Jenkins stage', () => {
  it('publishes what it guesses', async () => {
    const [, script = ''] = /\bsh '''(.*?)'''/s.exec(await recipe('jenkins/Jenkinsfile')) ?? [];
    const { code, out, notes } = await run(['sh', '-xe'], script, await checkout('4.0.0'), access());
    assert.equal(code, 0, notes);
    assert.equal(out, `${server.url}/widgets-4.0.0/\n`);
    assert.doesNotMatch(notes, /secret-ci/);
  });
});

describe('The Woodpecker step', () => {
  it('publishes what it guesses', async () => {
    const { steps } = parse(await recipe('woodpecker/publish-docs.yaml')) as Json;
    const [{ commands, environment }] = steps;
    assert.deepEqual(Object.keys(environment).sort(), Object.keys(access()).sort());
    // Woodpecker would fill these in by itself, before the shell sees them.
    assert.doesNotMatch(commands.join('\n'), /\$\{/);
    const script = commands.join('\n');
    const { code, out, notes } = await run(['sh', '-e'], script, await checkout('5.0.0'), access());
    assert.equal(code, 0, notes);
    assert.equal(out, `${server.url}/widgets-5.0.0/\n`);
  });
});
