import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../support/root.js';
import { SpawnedServer } from '../support/spawned-server.js';

const run = promisify(execFile);

describe('The client that a server provides', () => {
  let home: string;
  let server: SpawnedServer & { url: string };
  let text: string;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    const tokens = join(home, 'tokens.json');
    await writeFile(tokens, JSON.stringify({ tokens: { ci: { token: 'secret-ci' } } }), { mode: 0o600 });
    server = await SpawnedServer.start(['-d', join(home, 'docs'), '--tokens', tokens, '--search', 'off']);
    text = await (await fetch(`${server.url}/-/client.mjs`)).text();
    await mkdir(join(home, 'job/build/html'), { recursive: true });
    await writeFile(join(home, 'job/lectern.mjs'), text);
    await writeFile(join(home, 'job/build/html/index.html'), '<title>widgets</title>');
  });
  after(async () => {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  });

  /** Runs the file as a job does: in a directory without packages. */
  const client = (...args: readonly string[]) =>
    run(process.execPath, ['lectern.mjs', ...args], {
      cwd: join(home, 'job'),
      env: { PATH: process.env.PATH, HOME: home, LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' },
    });

  it('is one file of at most 400 KB, dependent on Node only, with the licenses of its packages', async () => {
    const response = await fetch(`${server.url}/-/client.mjs`, {
      headers: { 'Accept-Encoding': 'identity' },
    });
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.ok(Buffer.byteLength(text) <= 400_000, `${Buffer.byteLength(text)} bytes`);
    const code = text.slice(0, text.lastIndexOf('/*!'));
    const asked = [...code.matchAll(/(?:\bfrom|\bimport\(?|\brequire\()\s*["']([\w:@./-]+)["']/g)].map(
      ([, name = '']) => name,
    );
    assert.ok(asked.length > 10);
    for (const name of asked) assert.ok(builtinModules.includes(name.replace(/^node:/, '')), name);
    const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
    for (const name of ['cac', 'semver', 'yauzl', 'yazl', 'zod']) {
      const { version, license } = packages[`node_modules/${name}`];
      assert.ok(text.includes(`\n${name} ${version} (${license})\n\n`), name);
    }
  });

  it('has its SHA-256 in the API, in the help and on each project page', async () => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const told = await (await fetch(`${server.url}/api/client`)).json();
    assert.deepEqual(told, { url: '/-/client.mjs', version: 'DEV', sha256, bytes: Buffer.byteLength(text) });
    await client('push', 'build/html', '--project', 'told', '--version', '1.0');
    for (const path of ['/-/help/publish', '/api/help', '/-/projects/told']) {
      const page = await (await fetch(`${server.url}${path}`)).text();
      assert.ok(page.includes(sha256) && page.includes('/-/client.mjs'), path);
    }
  });

  it('publishes a site, finds it and downloads it, with nothing installed', async () => {
    const { stdout } = await client('push', 'build/html', '--project', 'widgets', '--version', '1.0');
    assert.equal(stdout, `${server.url}/widgets-1.0/\n`);
    assert.equal(await (await fetch(`${server.url}/widgets-1.0/`)).text(), '<title>widgets</title>');
    assert.match((await client('projects', 'widgets')).stdout, /^1\.0 /);
    assert.equal((await client('download', 'widgets', '1.0')).stdout, 'widgets-1.0-docs.zip\n');
    assert.match((await client('download', 'widgets', '1.0', '-o', '-')).stdout, /^PK/);
    assert.equal((await client('push', 'widgets-1.0-docs.zip', '--skip-existing')).stdout, stdout);
  });

  it('describes projects from JSON, and reports that it reads no YAML', async () => {
    await client('push', 'build/html', '--project', 'listed', '--version', '1.0');
    const all = { projects: { listed: { title: 'Listed' } } };
    await writeFile(join(home, 'job/all.json'), JSON.stringify(all));
    const { stdout } = await client('describe', '--from', 'all.json', '--dry-run');
    assert.equal(stdout, "listed: title: none -> 'Listed'\n");
    await writeFile(join(home, 'job/all.yaml'), 'projects: { listed: { title: Listed } }');
    await assert.rejects(client('describe', '--from', 'all.yaml', '--dry-run'), {
      code: 2,
      stderr: /all\.yaml: is no JSON, and the client's single file reads no YAML; convert it to JSON/,
    });
  });

  it('prints its version, and its commands, which all talk to a server', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    assert.match((await client('--version')).stdout, new RegExp(`^lectern/${version} `));
    const { stdout } = await client('--help');
    for (const name of ['push', 'search', 'restore']) assert.match(stdout, new RegExp(`^  ${name}\\b`, 'm'));
    assert.doesNotMatch(stdout, /^ {2}(?:serve|verify|init|import|copy|prune)\b/m);
  });

  it('refuses commands that need the whole program, and changes nothing', async () => {
    for (const [args, sentence] of [
      [['serve', '-d', 'docs'], /unknown command 'serve'/],
      [['usage', '--access-log', 'access.log', '-d', 'docs'], /this file is only the client/],
      [[], /no command given/],
    ] as const) {
      await assert.rejects(client(...args), ({ code, stderr }) => code === 2 && sentence.test(stderr));
    }
  });
});
