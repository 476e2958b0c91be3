import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { writeTree } from '../client/lectern.js';
import { ROOT } from '../support/root.js';
import { type Json, TestServer } from '../support/server.js';
import { assertInstalledAsLocked, packLectern } from '../support/tarball.js';

const execute = promisify(execFile);
const recipe = (path: string) => readFile(join(ROOT, 'deploy/ci', path), 'utf8');

let server: TestServer;
let place: string;
let tarball: string;
let cache: string;
let checkouts = 0;
/** Stands before npm, which must never have the token; nor may a package's scripts run. */
const CHECK = `#!/bin/sh
if env | grep -q secret-ci; then echo 'npm has the token' >&2; exit 98; fi
if [ -e .npmrc ]; then echo 'npm reads what the build has left' >&2; exit 96; fi
case "$1 $*" in
  'pack '*' --ignore-scripts '* | 'ci '*' --omit=dev --ignore-scripts '*) ;;
  *) echo "npm $*" >&2; exit 97 ;;
esac
`;
/**
 * Stands for a build that a dependency has taken over: it must have no token, and leaves what sends npm to another registry,
 * and a client of its own.
 */
const MAKE = `#!/bin/sh
if env | grep -q secret-ci; then echo 'the build has the token' >&2; exit 98; fi
mkdir -p build/html .lectern-client/package/dist
printf 'widgets, built' >build/html/index.html
printf 'registry=http://127.0.0.1:9/\\nproxy=http://127.0.0.1:9/\\n' >.npmrc
printf 'console.log("the client of the build")' >.lectern-client/package/dist/main.js
`;
before(async () => {
  server = await TestServer.start();
  place = await mkdtemp(join(tmpdir(), 'lectern-ci-'));
  const real = (await execute('sh', ['-c', 'command -v npm'])).stdout.trim();
  await writeTree(join(place, 'checked'), { npm: `${CHECK}exec "${real}" "$@"\n` });
  await chmod(join(place, 'checked/npm'), 0o755);
  await writeTree(join(place, 'checked'), { make: MAKE });
  await chmod(join(place, 'checked/make'), 0o755);
  cache = (await execute('npm', ['config', 'get', 'cache'])).stdout.trim();
  tarball = await withInstallScripts((await packLectern(place)).path);
});

/** The tarball, with scripts that leave a file: what the package of a careless or hostile registry would bring. */
async function withInstallScripts(original: string): Promise<string> {
  const directory = join(place, 'repacked');
  await mkdir(directory);
  await execute('tar', ['-xzf', original, '-C', directory]);
  const path = join(directory, 'package/package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  const script = `touch '${join(place, 'a script has run')}'`;
  manifest.scripts = { preinstall: script, install: script, postinstall: script, prepare: script };
  await writeFile(path, JSON.stringify(manifest));
  const repacked = join(directory, basename(original));
  await execute('tar', ['-czf', repacked, '-C', directory, 'package']);
  return repacked;
}

/** Each recipe has installed what the lock names, and nothing of it has run. */
async function assertInstalled(client: string): Promise<void> {
  await assertInstalledAsLocked(join(client, 'package'));
  await assert.rejects(access(join(place, 'a script has run')), /ENOENT/);
}
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
      PATH: `${join(place, 'checked')}:${process.env.PATH}`,
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
const given = () => ({
  LECTERN_URL: server.url,
  LECTERN_TOKEN: 'secret-ci',
  LECTERN_PACKAGE: tarball,
});

describe('The GitHub action', () => {
  /** RUNNER_TEMP of all runs: the steps before the last are tried once. */
  const temp = () => join(place, 'temp');
  let isInstalled = false;
  async function action(cwd: string, inputs: Readonly<Record<string, string>>) {
    const { inputs: declared, runs } = parse(await recipe('github/action.yml')) as Json;
    const output = join(cwd, 'output');
    const shell = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'];
    let result = { code: 0 as number | null, out: '', notes: '' };
    for (const step of isInstalled ? runs.steps.slice(-1) : runs.steps) {
      assert.doesNotMatch(step.run, /\$\{\{/);
      const env: NodeJS.ProcessEnv = {};
      for (const [name, value] of Object.entries(step.env as Record<string, string>)) {
        const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
        assert.ok(input in declared, value);
        env[name] = inputs[input] ?? declared[input].default ?? assert.fail(`the input ${input} is required`);
      }
      await mkdir(temp(), { recursive: true });
      result = await run(shell, step.run, cwd, {
        ...env,
        GITHUB_OUTPUT: output,
        RUNNER_TEMP: temp(),
      });
      if (result.code !== 0) break;
      isInstalled = true;
    }
    return { ...result, output: await readFile(output, 'utf8').catch(() => '') };
  }
  const inputs = () => ({ path: 'build/html', url: server.url, token: 'secret-ci', package: tarball });

  it('publishes what it guesses, and gives the address to the steps after it', async () => {
    const cwd = await checkout('1.0.0');
    const { code, notes, output } = await action(cwd, inputs());
    assert.equal(code, 0, notes);
    assert.equal(output, `url=${server.url}/widgets-1.0.0/\n`);
    assert.equal(await (await server.get('/widgets-1.0.0/')).text(), 'widgets 1.0.0');
    assert.deepEqual((await readdir(join(temp(), 'lectern'))).sort(), [basename(tarball), 'package']);
    await assertInstalled(join(temp(), 'lectern'));
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

  it('replaces a version when it is told to', async () => {
    await server.upload('widgets-1.2.0-docs.zip', { 'index.html': 'first' });
    const given = { ...inputs(), token: 'secret-admin', replace: 'true' };
    const { code, notes } = await action(await checkout('1.2.0'), given);
    assert.equal(code, 0, notes);
    assert.equal(await (await server.get('/widgets-1.2.0/')).text(), 'widgets 1.2.0');
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

describe('The GitHub workflow for previews', () => {
  /** A text of the workflow, for a pull request of this action. */
  function evaluated(text: string, action: string, site: string): string {
    const values: Readonly<Record<string, string>> = {
      "github.event.action == 'closed'": String(action === 'closed'),
      'github.event.number': '7',
      'github.token': 'of GitHub',
      'github.repository': 'acme/widgets',
      'steps.docs.outputs.url': site,
      'secrets.LECTERN_TOKEN': 'secret-ci',
    };
    return text
      .replace(/\$\{\{ (.+?) \}\}/g, (_, name: string) => values[name] ?? assert.fail(name))
      .replace('https://docs.example.org', server.url)
      .replace(/^https:.*\.tgz$/, tarball);
  }

  it('builds in a job without secrets and rights, whose artifact the job with the token publishes', async () => {
    const { jobs, permissions } = parse(await recipe('github/preview.yml')) as Json;
    assert.deepEqual(Object.keys(jobs), ['build', 'preview']);
    const { build, preview } = jobs;
    assert.deepEqual(permissions, { contents: 'read' });
    assert.equal(build.permissions, undefined);
    assert.doesNotMatch(JSON.stringify(build), /secrets|token/);
    assert.match(build.if, /github\.event\.action != 'closed'/);
    assert.ok(build.steps.some((step: Json) => step.run === 'make html'));
    for (const { steps } of [build, preview]) assert.equal(steps[0].with['persist-credentials'], false);
    const kept = build.steps.at(-1);
    const fetched = preview.steps[1];
    assert.match(kept.uses, /^actions\/upload-artifact@/);
    assert.match(fetched.uses, /^actions\/download-artifact@/);
    assert.equal(kept.with.path, 'build/html');
    assert.deepEqual(fetched.with, { name: kept.with.name, path: preview.steps[2].with.path });
    assert.equal(preview.needs, 'build');
    // A failed build publishes nothing; a closed pull request has none.
    assert.match(preview.if, /needs\.build\.result == 'success' \|\| github\.event\.action == 'closed'/);
    // Of the checkout, only the action runs.
    assert.deepEqual(
      preview.steps.map(
        ({ uses = '', run = '' }: Json) => uses.split('@')[0] || run.trim().split('\n').at(-1).slice(0, 13),
      ),
      ['actions/checkout', 'actions/download-artifact', './.github/actions/lectern', 'gh pr comment'],
    );
  });

  it('publishes on each push, comments the address, and deletes at the end, twice if need be', async () => {
    const { jobs } = parse(await recipe('github/preview.yml')) as Json;
    const [checkout_, fetched, publish, comment] = jobs.preview.steps as Json[];
    assert.match(checkout_.uses, /^actions\/checkout@/);
    assert.equal(fetched.if, "github.event.action != 'closed'");
    const { inputs: declared, runs } = parse(await recipe('github/action.yml')) as Json;
    assert.deepEqual(
      Object.keys(publish.with).filter((name) => !(name in declared)),
      [],
    );
    const cwd = await checkout('7.0.0');
    const output = join(cwd, 'output');
    const act = async (action: string, steps: readonly Json[]) => {
      for (const step of steps) {
        const env: NodeJS.ProcessEnv = {};
        for (const [name, value] of Object.entries(step.env as Record<string, string>)) {
          const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
          env[name] = evaluated(String(publish.with[input] ?? declared[input].default), action, '');
        }
        const shell = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'];
        const temp = join(cwd, 'temp');
        await mkdir(temp, { recursive: true });
        const { code, notes } = await run(shell, step.run, cwd, {
          ...env,
          GITHUB_OUTPUT: output,
          RUNNER_TEMP: temp,
        });
        assert.equal(code, 0, notes);
      }
    };
    const [install, push] = runs.steps as [Json, Json];
    await act('opened', [install, push]);
    const site = `${server.url}/widgets~pr-7/`;
    assert.equal(await readFile(output, 'utf8'), `url=${site}\n`);
    await writeTree(cwd, { 'build/html/index.html': 'pushed again' });
    await act('synchronize', [push]);
    assert.equal(await (await fetch(site)).text(), 'pushed again');
    const { expires_at } = await server.json('/api/previews/widgets/pr-7');
    assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 30 * 24 * 3_600_000) < 60_000);

    await writeTree(cwd, { 'tools/gh': '#!/bin/sh\nprintf "%s\\n" "$@" >comment\n' });
    await chmod(join(cwd, 'tools/gh'), 0o755);
    const env = Object.fromEntries(
      Object.entries(comment.env as Record<string, string>).map(([name, value]) => [
        name,
        evaluated(value, 'opened', site),
      ]),
    );
    const PATH = `${join(cwd, 'tools')}:${process.env.PATH}`;
    assert.equal((await run(['bash', '-e'], comment.run, cwd, { ...env, PATH })).code, 0);
    const changes = `${server.url}/-/compare/widgets?after=~pr-7`;
    const said = `The documentation of this pull request is at ${site}, and what it changes at ${changes}`;
    assert.equal(await readFile(join(cwd, 'comment'), 'utf8'), `pr\ncomment\n7\n--body\n${said}\n`);
    assert.equal((await fetch(changes)).status, 200);

    await act('closed', [push]);
    assert.equal((await fetch(site)).status, 404);
    await act('closed', [push]);
  });
});

describe('The GitLab component for previews', () => {
  it('publishes on each push, says where, and deletes at the end, twice if need be', async () => {
    const [header, body] = parseAllDocuments(await recipe('gitlab/templates/preview.yml')).map((part) =>
      part.toJS(),
    ) as [Json, Json];
    const given: Record<string, string> = {
      path: 'build/html',
      url: server.url,
      package: tarball,
      project: 'widgets',
    };
    const base = body['.lectern-preview'];
    const env: Record<string, string> = { LECTERN_TOKEN: 'secret-ci', CI_MERGE_REQUEST_IID: '8' };
    for (const [name, value] of Object.entries(base.variables)) {
      env[name] = String(value).replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, input: string) =>
        String(given[input] ?? header.spec.inputs[input].default),
      );
    }
    const cwd = await checkout('8.0.0');
    const act = async (lines: readonly string[]) => {
      const script = lines.join('\n');
      assert.doesNotMatch(script, /\$\[\[/);
      const { code, notes } = await run(['sh', '-e'], script, cwd, env);
      assert.equal(code, 0, notes);
    };
    const { 'preview-docs': publish, 'delete-docs-preview': remove } = body;
    assert.equal(publish.extends, '.lectern-preview');
    assert.equal(publish.environment.on_stop, 'delete-docs-preview');
    assert.equal(remove.environment.name, publish.environment.name);
    // The scope of the variable with the token.
    assert.match(publish.environment.name, /^docs\//);
    await act(base.before_script);
    await act(publish.script);
    await writeTree(cwd, { 'build/html/index.html': 'pushed again' });
    await act(publish.script);
    const site = `${server.url}/widgets~mr-8/`;
    assert.equal(await readFile(join(cwd, 'lectern.env'), 'utf8'), `LECTERN_SITE_URL=${site}\n`);
    assert.equal(await (await fetch(site)).text(), 'pushed again');
    await act(remove.script);
    assert.equal((await fetch(site)).status, 404);
    await act(remove.script);
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
    // The scope of the variable with the token.
    assert.match(job.environment.name, /^docs\//);
    const cwd = await checkout('3.0.0');
    const { code, notes } = await run(['sh', '-e'], script, cwd, env);
    assert.equal(code, 0, notes);
    assert.equal(
      await readFile(join(cwd, 'lectern.env'), 'utf8'),
      `LECTERN_SITE_URL=${server.url}/widgets-3.0.0/\n`,
    );
    assert.equal(await (await server.get('/widgets-3.0.0/')).text(), 'widgets 3.0.0');
    await assertInstalled(join(cwd, '.lectern-client'));

    await writeTree(cwd, { 'build/html/index.html': 'again' });
    const pushing = script.slice(script.indexOf('set -- '));
    assert.equal((await run(['sh', '-e'], pushing, cwd, env)).code, 4);
    assert.equal(await (await server.get('/widgets-3.0.0/')).text(), 'widgets 3.0.0');
    const replacing = { ...env, LECTERN_REPLACE: 'true', LECTERN_TOKEN: 'secret-admin' };
    assert.equal((await run(['sh', '-e'], pushing, cwd, replacing)).code, 0);
    assert.equal(await (await server.get('/widgets-3.0.0/')).text(), 'again');
  });
});

describe('The Jenkins stages', () => {
  it('build without the token, and publish what is guessed in a workspace of their own', async () => {
    const [build = '', publish = ''] = (await recipe('jenkins/Jenkinsfile')).split("stage('Publish");
    assert.match(build, /agent none\n/);
    assert.match(build, /agent \{ label 'build' \}/);
    assert.match(
      publish,
      /agent \{ label 'publish' \}\s+steps \{\s+deleteDir\(\)\s+checkout scm\s+unstash 'documentation'/,
    );
    assert.match(build, /stash name: 'documentation', includes: 'build\/html\/\*\*'/);
    const [before = '', within = ''] = publish.split('withCredentials(');
    const scriptIn = (part: string) => /\bsh '''(.*?)'''/s.exec(part)?.[1] ?? '';
    const { LECTERN_TOKEN, ...open } = given();
    const building = /\bsh '([^']+)'/.exec(build)?.[1] ?? '';
    assert.equal((await run(['sh', '-xe'], building, await checkout('4.0.0'), open)).code, 0);
    const cwd = await checkout('4.0.0');
    const installing = await run(['sh', '-xe'], scriptIn(before), cwd, open);
    assert.equal(installing.code, 0, installing.notes);
    const { code, out, notes } = await run(['sh', '-xe'], scriptIn(within), cwd, { ...open, LECTERN_TOKEN });
    assert.equal(code, 0, notes);
    assert.equal(out, `${server.url}/widgets-4.0.0/\n`);
    assert.doesNotMatch(notes, /secret-ci/);
    await assertInstalled(join(cwd, '.lectern-client'));
  });
});

describe('The Woodpecker steps', () => {
  it('publish what is guessed, with a client that nothing of the build has chosen', async () => {
    const { steps } = parse(await recipe('woodpecker/publish-docs.yaml')) as Json;
    const values: Record<string, string> = given();
    const cwd = await checkout('5.0.0');
    let result = { code: null as number | null, out: '', notes: '' };
    for (const { commands, environment = {} } of steps) {
      // Woodpecker would fill these in by itself, before the shell sees them.
      assert.doesNotMatch(commands.join('\n'), /\$\{/);
      const env = Object.fromEntries(Object.keys(environment).map((name) => [name, values[name]]));
      result = await run(['sh', '-e'], commands.join('\n'), cwd, env);
      assert.equal(result.code, 0, result.notes);
    }
    const { code, out, notes } = result;
    assert.equal(code, 0, notes);
    assert.equal(out, `${server.url}/widgets-5.0.0/\n`);
    assert.equal(await (await server.get('/widgets-5.0.0/')).text(), 'widgets, built');
    await assertInstalled(join(cwd, '.lectern-client'));
  });

  it('have the token in the last one only', async () => {
    const { steps } = parse(await recipe('woodpecker/publish-docs.yaml')) as Json;
    assert.deepEqual(
      steps.map((step: Json) => JSON.stringify(step).includes('lectern_token')),
      [false, false, true],
    );
    assert.deepEqual(steps[0].commands, ['make html']);
  });
});
