import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run, runAgain, SpawnedServer } from '../support/spawned-server.js';

describe('lectern serve', () => {
  let place: string;
  let tokens: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-cli-'));
    tokens = join(place, 'tokens.json');
    await writeFile(tokens, '{"tokens": {"ci": {"token": "s3cret"}}}');
    await writeFile(join(place, 'file'), 'x');
  });
  after(async () => rm(place, { recursive: true, force: true }));

  async function serves(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<SpawnedServer & { url: string }> {
    const server = await SpawnedServer.start(args, env);
    assert.equal((await fetch(`${server.url}/api/version`)).status, 200);
    assert.equal(
      server.stdout,
      `Lectern serves ${args.includes('-d') ? args[args.indexOf('-d') + 1] : env.LECTERN_DOCS} at ${server.url}/\n`,
    );
    return server;
  }

  it('prints one line with its address, and is the default command', async () => {
    for (const command of [['serve'], []]) {
      const server = await serves([...command, '-d', join(place, 'docs')]);
      assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
      // Made where its parent is there.
      assert.ok((await stat(join(place, 'docs'))).isDirectory());
      const { code, stderr } = await server.stop();
      assert.equal(code, 0);
      assert.doesNotMatch(stderr, /rror/);
    }
  });

  it('serves a docs directory that is a symlink, and treats a numeric name as a name', async () => {
    await mkdir(join(place, 'real'));
    await symlink(join(place, 'real'), '1.0');
    try {
      await (await serves(['-d', '1.0'])).stop();
    } finally {
      await rm('1.0');
    }
  });

  it('treats an empty variable as unset, and refuses every change without tokens', async () => {
    const server = await serves(['-d', join(place, 'docs')], { LECTERN_HOST: '', LECTERN_TOKENS: '' });
    const answer = await fetch(`${server.url}/api/delete/a/1.0`, {
      method: 'DELETE',
      headers: { 'X-Token': 'x' },
    });
    assert.equal(answer.status, 401);
    await server.stop();
  });

  async function refuses(
    args: readonly string[],
    message: RegExp,
    running: typeof run | typeof runAgain = runAgain,
  ): Promise<void> {
    const { code, stdout, stderr } = await running(args, {}, place);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split('\n').length, / --help' for help\.$/m.test(stderr) ? 2 : 1, stderr);
    assert.doesNotMatch(stderr, /s3cret|\bat .*:\d+:\d+/);
  }

  it('ends with one line for an unusable docs directory', async () => {
    await refuses([], /-d <docs> is required/);
    await refuses(['-d', 'file'], /the docs directory file: not a directory/);
    await refuses(['-d', 'nothing/below'], /the docs directory nothing\/below: no such file or directory/);
    await refuses(['-d', 'file/below'], /the docs directory file\/below: not a directory/);
    assert.equal((await readdir(place)).includes('nothing'), false);
  });

  it('ends with one line when the counts of reads cannot be stored, and creates nothing', async () => {
    const before = await readdir(place, { recursive: true });
    await refuses(
      ['-d', 'docs', '--usage', '--usage-dir', 'file', '--port', '0'],
      /--usage-dir file: not a directory/,
      run,
    );
    await refuses(
      ['-d', 'docs', '--usage', '--usage-dir', 'no/where', '--port', '0'],
      /--usage-dir no\/where: no such file/,
      run,
    );
    assert.deepEqual(await readdir(place, { recursive: true }), before);
  });

  it('ends with every fault of the site file, or with its unreadability', async () => {
    const file = join(place, 'site.json');
    await writeFile(file, '{"titel":"x","accent":"#ffcc00","logo":"../logo.gif","introduction":"<b>"}');
    const faults = [
      'titel: unknown field',
      'accent.light: #ffcc00 has',
      'logo: expected',
      'introduction: HTML',
    ];
    for (const fault of faults)
      await refuses(['-d', 'docs', '--site', file], new RegExp(`the site file .*${fault}`));
    await refuses(['-d', 'docs', '--site', 'nothing.json'], /the site file nothing\.json: no such file/);
  });

  it('ends when the tokens file is unreadable', async () => {
    await refuses(['-d', 'docs', '--tokens', 'nothing.json'], /the tokens file nothing\.json: no such file/);
    await refuses(['-d', 'docs', '--tokens', '.'], /the tokens file \.: a directory, not a file/);
  });

  const USAGES: readonly [args: readonly string[], message: RegExp][] = [
    [['--unknown'], /unknown option '--unknown'\nRun 'lectern serve --help' for help/],
    [['-d', 'docs', '--unknown', 'x'], /unknown option '--unknown'\nRun 'lectern serve --help' for help/],
    [['unknown'], /unknown command 'unknown'\nRun 'lectern --help' for help/],
    [['serve', '-d', 'docs', 'more'], /unexpected argument 'more'\nRun 'lectern serve --help' for help/],
    [['-d'], /--docs needs a value: --docs <directory>/],
    [['-d', 'docs', '-d', 'docs2'], /--docs: can be given only once/],
    [['-d', 'docs', '--port', 'x'], /--port: expected a whole number from 0 to 65535, not 'x'/],
    [['-d', 'docs', '--port', '65536'], /--port: expected a whole number/],
    [['-d', 'docs', '--port', '-1'], /port/],
    [['-d', 'docs', '--max-upload-size', 'lots'], /--max-upload-size: expected a size/],
    [['-d', 'docs', '--max-files', '0'], /--max-files: expected a whole number/],
    [['-d', 'docs', '--base-path', 'manual'], /--base-path: expected a path such as \/docs/],
    [['-d', 'docs', '--accel-redirect', 'files'], /--accel-redirect: expected a path such as \/-\/files\//],
    [['-d', 'docs', '--public-url', 'docs.example.org'], /--public-url: expected an address such as https/],
    [['-d', 'docs', '--log-level', 'loud'], /--log-level: expected one of/],
    [['-d', 'docs', '--host', ''], /--host: expected a value/],
  ];
  for (const [args, message] of USAGES) {
    it(`ends with exit code 2 for ${args.join(' ')}`, async () => refuses(args, message));
  }

  it('ends when its address belongs to another machine, or its port is taken', async () => {
    await refuses(['-d', 'docs', '--host', '203.0.113.1'], /cannot listen on 203\.0\.113\.1/);
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await refuses(['-d', 'docs', '--port', String(port)], /address already in use/);
    other.close();
  });
});

describe('lectern init and token', () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-cli-'));
  });
  after(async () => rm(place, { recursive: true, force: true }));

  it('create a directory that can be served at once, with a secret that only its owner reads', async () => {
    const { code, stdout } = await runAgain(['init', 'new'], {}, place);
    assert.equal(code, 0);
    assert.equal((await stat(join(place, 'new/tokens.json'))).mode & 0o777, 0o600);
    assert.match(stdout, /lectern -d new\/docs --tokens new\/tokens\.json/);
    assert.match(stdout, /curl .*X-Token/);
    const server = await SpawnedServer.start([
      '-d',
      join(place, 'new/docs'),
      '--tokens',
      join(place, 'new/tokens.json'),
    ]);
    const command = (/Try it: +(.*)/.exec(stdout)?.[1] ?? '').replace('http://127.0.0.1:8080', server.url);
    const answer = execFileSync('bash', ['-c', command], { cwd: place, stdio: ['ignore', 'pipe', 'ignore'] });
    assert.equal(JSON.parse(String(answer)).directory, 'hello-1.0.0');
    await server.stop();
  });

  it('print a command for npx when npx runs them', async () => {
    const { stdout } = await runAgain(['init', 'by-npx'], { npm_command: 'exec' }, place);
    assert.match(
      stdout,
      /^Serve it: +npx lectern@\d+\.\d+\.\d+\S* -d by-npx\/docs --tokens by-npx\/tokens\.json$/m,
    );
  });

  it("print commands that a shell accepts, whatever the directory's name", async () => {
    const name = `it's "my" $docs; a, b \\ c`;
    const { stdout } = await runAgain(['init', name], {}, place);
    const words = /Serve it: +lectern (.*)/.exec(stdout)?.[1] ?? '';
    const args = execFileSync('bash', ['-c', `printf '%s\\0' ${words}`], { cwd: place });
    const [flag, docs, ...rest] = String(args).split('\0');
    assert.deepEqual([flag, docs], ['-d', join(name, 'docs')]);
    assert.deepEqual(rest, ['--tokens', join(name, 'tokens.json'), '']);
    const server = await SpawnedServer.start([
      '-d',
      join(place, name, 'docs'),
      '--tokens',
      join(place, name, 'tokens.json'),
    ]);
    const command = (/Try it: +(.*)/.exec(stdout)?.[1] ?? '').replace('http://127.0.0.1:8080', server.url);
    const answer = execFileSync('sh', ['-c', command], { cwd: place, stdio: ['ignore', 'pipe', 'pipe'] });
    assert.equal(JSON.parse(String(answer)).directory, 'hello-1.0.0');
    await server.stop();
  });

  it('keep an existing directory unchanged', async () => {
    await mkdir(join(place, 'there'));
    const { code, stderr } = await runAgain(['init', 'there'], {}, place);
    assert.deepEqual([code, stderr], [2, 'lectern: there: already exists; nothing was changed\n']);
    assert.deepEqual(await readdir(join(place, 'there')), []);
  });

  it('print a new secret each time', async () => {
    const [one, two] = await Promise.all([runAgain(['token']), runAgain(['token'])]);
    assert.match(one.stdout, /^[\w-]{43}\n$/);
    assert.notEqual(one.stdout, two.stdout);
  });

  it('print a secret with its SHA-256, which can replace it in the tokens file', async () => {
    const { stdout, code } = await runAgain(['token', '--hash']);
    const [secret = '', sha256, ...rest] = stdout.split('\n');
    assert.deepEqual([code, rest], [0, ['']]);
    assert.match(secret, /^[\w-]{43}$/);
    assert.equal(sha256, createHash('sha256').update(secret).digest('hex'));
  });

  it('print their usage', async () => {
    for (const command of [[], ['serve'], ['init'], ['token'], ['verify']]) {
      const help = await runAgain([...command, '--help']);
      assert.equal(help.code, 0);
      assert.match(help.stdout, /Usage:/);
      const version = await runAgain([...command, '--version']);
      assert.deepEqual([version.code, version.stdout.startsWith('lectern/')], [0, true], command.join());
    }
    const { code, stderr } = await runAgain(['init']);
    assert.equal(code, 2);
    assert.equal(stderr, "lectern: init needs <directory>\nRun 'lectern init --help' for help.\n");
  });
});
