import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { validate } from 'dockerfile-utils';
import { SERVE_OPTIONS } from '../../src/adapters/cli/options/serve-option-table.js';
import { ROOT } from '../support/root.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { assertOptions, assertVariables, MIN_STOPPING_SECONDS, textOf } from './deployed.js';
import { type Instruction, parseDockerfile, type Stage } from './dockerfile.js';

const SYSTEMD = join(ROOT, 'deploy/systemd');
const DOCKER = join(ROOT, 'deploy/docker');

/** The values of each key of a unit, over all its sections. */
async function unitOf(name: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const values = new Map<string, string[]>();
  for (const line of (await textOf(SYSTEMD, name)).split('\n')) {
    if (line === '' || line.startsWith('#') || /^\[\w+\]$/.test(line)) continue;
    const [, key = '', value = ''] =
      /^(\w+)=(.*)$/.exec(line) ?? assert.fail(`not a line of a unit: ${line}`);
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

describe('The units of systemd', () => {
  it('start the program of the unpacked package, with existing options', async () => {
    const unit = await unitOf('lectern.service');
    const [program = '', command, ...options] = unit.get('ExecStart')?.[0]?.split(' ') ?? [];
    const { bin } = JSON.parse(await textOf(ROOT, 'package.json')) as { bin: Record<string, string> };
    assert.equal(program, `/opt/lectern/${bin.lectern}`);
    assert.equal(command, 'serve');
    assertOptions(options);
    const set = (unit.get('Environment') ?? []).map((entry) => entry.split('='));
    assertVariables(set.map(([name = '']) => name));
    const example = await unitOf('lectern.env');
    assertVariables(example.keys());
    assert.ok(example.has('LECTERN_PUBLIC_URL'));
    const { LECTERN_DOCS: docs = '', LECTERN_TOKENS: tokens } = Object.fromEntries(set);
    assert.equal(dirname(docs), `/var/lib/${unit.get('StateDirectory')?.[0]}`);
    assert.equal(tokens, `%d/${unit.get('LoadCredential')?.[0]?.split(':')[0]}`);
  });

  it('give a stopping server its full grace period, and do not restart after a configuration error', async () => {
    const unit = await unitOf('lectern.service');
    assert.ok(Number(unit.get('TimeoutStopSec')) >= MIN_STOPPING_SECONDS);
    assert.deepEqual(unit.get('Restart'), ['on-failure']);
    assert.deepEqual(unit.get('RestartPreventExitStatus'), ['2']);
  });

  it("have the named user, and Lectern's default address", async () => {
    const unit = await unitOf('lectern.service');
    const users = (await textOf(SYSTEMD, 'lectern.sysusers')).split('\n').filter((line) => /^u /.test(line));
    assert.deepEqual(
      users.map((line) => line.split(' ')[1]),
      unit.get('User'),
    );
    const { host, port } = SERVE_OPTIONS;
    assert.deepEqual((await unitOf('lectern.socket')).get('ListenStream'), [
      `${host.default}:${port.default}`,
    ]);
  });

  it('are adapted for an object store where they would block Lectern', async () => {
    const unit = await unitOf('lectern.service');
    const change = await unitOf('object-store.conf');
    const set = [...(unit.get('Environment') ?? []), ...(change.get('Environment') ?? [])];
    const variables = set.map((entry) => entry.split('=')[0] ?? '');
    assertVariables(variables);
    // Exactly one of both is given.
    assert.ok(variables.includes(change.get('UnsetEnvironment')?.[0] ?? ''));
    assert.deepEqual(change.get('UnsetEnvironment'), ['LECTERN_DOCS']);
    assert.ok(set.includes(`LECTERN_CACHE_DIR=%C/${change.get('CacheDirectory')?.[0]}`));
    assert.ok(unit.has('IPAddressDeny'));
    assert.deepEqual(change.get('IPAddressDeny'), ['']);
  });

  it('leave out restrictions that break V8', async () => {
    const unit = await unitOf('lectern.service');
    assert.equal(unit.has('MemoryDenyWriteExecute'), false);
    assert.equal(unit.has('ProcSubset'), false);
  });
});

describe('The Dockerfile', () => {
  let place: string;
  let stages: readonly Stage[];
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-docker-'));
    stages = parseDockerfile(await textOf(DOCKER, 'Dockerfile'));
  });
  after(() => rm(place, { recursive: true, force: true }));

  const only = (stage: Stage | undefined, name: string): Instruction => {
    const found = stage?.instructions.filter((instruction) => instruction.name === name) ?? [];
    assert.equal(found.length, 1, `${found.length} of ${name}`);
    return found[0] as Instruction;
  };

  const environmentOf = (stage: Stage | undefined) =>
    Object.fromEntries(only(stage, 'ENV').words.map((word) => word.split('='))) as Record<string, string>;

  it('passes a linter without errors and warnings', async () => {
    assert.deepEqual(validate(await textOf(DOCKER, 'Dockerfile')), []);
    const [wrong] = validate('FROM node:24\nRUM npm ci\n');
    assert.equal(wrong?.message, 'Unknown instruction: RUM');
  });

  it("installs the libraries for the image's platform, and copies only those", () => {
    const [build, final] = stages;
    const installs =
      build?.instructions.filter(({ text }) => /^npm ci\b/.test(text)).map(({ text }) => text) ?? [];
    const [cpu = ''] = /--cpu=.*/.exec(installs.at(-1) ?? '') ?? [];
    for (const [architecture, name] of [
      ['amd64', 'x64'],
      ['arm64', 'arm64'],
    ]) {
      const env = { ...process.env, TARGETARCH: architecture };
      const { stdout } = spawnSync('sh', ['-c', `echo ${cpu}`], { env, encoding: 'utf8' });
      assert.equal(stdout, `--cpu=${name}\n`);
    }
    assert.match(installs.at(-1) ?? '', /--omit=dev /);
    assert.deepEqual(
      final?.instructions.filter(({ name }) => name === 'RUN'),
      [],
    );
  });

  it('has one base, which can be pinned by its digest', () => {
    const [image] = stages.map((stage) => stage.image);
    for (const stage of stages) assert.equal(stage.image, image);
  });

  it('copies only what .dockerignore lets through', async () => {
    const ignore = (await textOf(ROOT, '.dockerignore'))
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    assert.equal(ignore[0], '*');
    const allowed = ignore.slice(1).map((line) => line.replace(/^!/, ''));
    const copied = stages.flatMap(({ instructions }) =>
      instructions.flatMap(({ name, flags, words }) =>
        name === 'COPY' && flags.from === undefined ? words.slice(0, -1) : [],
      ),
    );
    assert.deepEqual([...copied].sort(), [...allowed].sort());
    for (const path of copied) await stat(join(ROOT, path));
  });

  it('is not unhealthy during a start that takes minutes, as after a crash', () => {
    const { 'start-period': period = '' } = only(stages.at(-1), 'HEALTHCHECK').flags;
    assert.ok(Number(/^(\d+)m$/.exec(period)?.[1]) >= 5, period);
  });

  it('ends with a non-root user, and sets existing variables', () => {
    const final = stages.at(-1);
    assert.match(only(final, 'USER').text, /^[1-9]\d*:[1-9]\d*$/);
    const { NODE_ENV, ...environment } = environmentOf(final);
    assert.equal(NODE_ENV, 'production');
    assertVariables(Object.keys(environment));
    assert.equal(only(final, 'EXPOSE').text, environment.LECTERN_PORT);
    const volume = only(final, 'VOLUME').text;
    for (const path of [environment.LECTERN_DOCS, environment.LECTERN_FIRST_TOKEN]) {
      assert.equal(dirname(path ?? ''), volume);
    }
    // A volume takes over the owner of the directory that it is mounted on.
    const owned = final?.instructions.filter(({ flags }) => flags.chown === only(final, 'USER').text);
    assert.deepEqual(
      owned?.map(({ words }) => words.at(-1)),
      [volume],
    );
    assert.deepEqual(only(final, 'CMD').words, ['serve']);
  });

  it("builds a server that runs, reports the package's version, and is healthy while it is ready", async (context) => {
    const final = stages.at(-1);
    for (const [index, stage] of stages.entries()) await build(stage, join(place, stage.name || `${index}`));
    const root = join(place, `${stages.length - 1}`);
    const cwd = join(root, only(final, 'WORKDIR').text);
    const { LECTERN_DOCS = '', LECTERN_FIRST_TOKEN = '' } = environmentOf(final);
    const docs = join(root, LECTERN_DOCS);
    const tokens = join(root, LECTERN_FIRST_TOKEN);
    assert.deepEqual(await readdir(dirname(docs)), []);
    assert.deepEqual((await readdir(cwd)).sort(), ['LICENSE', 'dist', 'node_modules', 'package.json']);
    await assert.rejects(stat(join(cwd, 'node_modules/typescript')));
    const files = await readdir(cwd, { recursive: true });
    assert.deepEqual(
      files.filter((file) => /\.[cm]?ts$|\.map$|@libsql\/.*musl/.test(file)),
      [],
    );

    const there = { LECTERN_DOCS: docs, LECTERN_FIRST_TOKEN: tokens };
    const env = { ...process.env, ...environmentOf(final), ...there };
    const [program = '', ...args] = [...only(final, 'ENTRYPOINT').words, ...only(final, 'CMD').words];
    const start = [...args, '--port', '0', '--host', '127.0.0.1'];
    const server = new SpawnedServer(spawn(program, start, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
    context.after(() => server.stop());
    const url = await server.address();
    const { version } = JSON.parse(await textOf(ROOT, 'package.json')) as { version: string };
    const told = (await (await fetch(`${url}/api/version`)).json()) as { version: string };
    assert.equal(told.version, version);
    const [check = '', ...checkArgs] = only(final, 'HEALTHCHECK').words;
    const health = () =>
      spawnSync(check, checkArgs, { cwd, env: { ...env, LECTERN_PORT: new URL(url).port } }).status;
    assert.equal(health(), 0);
    assert.deepEqual((await readdir(dirname(docs))).sort(), ['docs', 'first-token', 'tokens.json']);
    await rm(docs, { recursive: true });
    await until(() => health() === 1);
    assert.equal((await server.stop()).code, 0);
    assert.equal(health(), 1);
  });

  /**
   * Runs the instructions of a stage in a directory instead of its root, with the commands as they are written. Only what
   * `npm ci` would install is linked instead: the machine has it already.
   */
  async function build({ instructions }: Stage, root: string): Promise<void> {
    let cwd = root;
    for (const { name, flags, text, words } of instructions) {
      if (name === 'WORKDIR') {
        cwd = join(root, text);
        await mkdir(cwd, { recursive: true });
      } else if (name === 'COPY') {
        const from = flags.from === undefined ? ROOT : join(place, flags.from);
        const target = words.at(-1) ?? '';
        for (const source of words.slice(0, -1)) {
          const to = join(
            target.startsWith('/') ? root : cwd,
            target,
            target.endsWith('/') ? (source.split('/').at(-1) ?? '') : '',
          );
          await mkdir(dirname(to), { recursive: true });
          // Nothing changes a stage that is built.
          if (flags.from === undefined) run('cp', ['-aT', join(from, source), to]);
          else link(['-T', join(from, source), to]);
        }
      } else if (name === 'RUN') {
        assert.doesNotMatch(text, /(?:^|\s)\//, 'a command with a path of its own would leave the directory');
        if (/^npm ci\b/.test(text)) await install(cwd, text.includes('--omit=dev'));
        else run('sh', ['-ec', text], cwd);
      }
    }
  }

  /** Links the packages that the lock in a directory names, as far as they are for this machine. */
  async function install(cwd: string, omitsDev: boolean): Promise<void> {
    const { packages } = JSON.parse(await textOf(cwd, 'package-lock.json')) as {
      packages: Readonly<Record<string, { readonly dev?: true }>>;
    };
    await rm(join(cwd, 'node_modules'), { recursive: true, force: true });
    const home = dirname(await realpath(join(ROOT, 'node_modules')));
    // Nested packages come with the ones that contain them.
    const wanted = Object.entries(packages).filter(
      ([path, { dev }]) => path.split('node_modules/').length === 2 && !(omitsDev && dev),
    );
    const here = wanted.map(([path]) => path).filter((path) => existsSync(join(home, path)));
    link(['--parents', '-t', cwd, ...here], home);
  }

  /** Links files, or copies them where the temporary directory is on another disk. */
  function link(words: readonly string[], cwd?: string): void {
    const { status } = spawnSync('cp', ['-al', ...words], { cwd });
    if (status !== 0) run('cp', ['-a', ...words], cwd);
  }

  function run(program: string, words: readonly string[], cwd?: string): void {
    const { status, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
    assert.equal(status, 0, `${program} ${words.join(' ')}: ${stderr}`);
  }
});
