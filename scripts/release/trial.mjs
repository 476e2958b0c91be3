// A newcomer's first steps, taken with the tarball: install it, make a directory, serve it, push a site.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const INSTALL = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
const PAGE = '<!doctype html><title>Trial</title><h1>A site that was pushed</h1>';

/** Environment without the user's settings, which must reach neither the server nor the client. */
const environment = (place) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LECTERN_'))),
  XDG_CONFIG_HOME: place,
});

/**
 * Installs the tarball in an empty directory, and runs `lectern --version`, `init`, `serve` and `push` there.
 * @param {string} tarball
 * @param {string} version that the program and its pages have to say
 * @param {string} place an empty directory
 * @throws Error that says which of them did not do what it should
 */
export async function tryTarball(tarball, version, place) {
  const env = environment(place);
  const options = { cwd: place, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  writeFileSync(join(place, 'package.json'), '{"private": true}\n');
  execFileSync('npm', [...INSTALL, tarball], options);
  const program = join(place, 'node_modules/.bin/lectern');
  const lectern = (words, more) =>
    execFileSync(program, words, { ...options, env: { ...env, ...more }, timeout: 60_000 });

  assert.ok(
    lectern(['--version']).startsWith(`lectern/${version} `),
    'lectern --version says another version',
  );
  lectern(['init', 'data']);
  const serve = [
    'serve',
    '-d',
    'data/docs',
    '--tokens',
    'data/tokens.json',
    '--port',
    '0',
    '--log-level',
    'warn',
  ];
  // The timeout ends a server that is stuck, and so the wait for it.
  const server = spawn(program, serve, {
    cwd: place,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 120_000,
  });
  const ended = once(server, 'exit');
  try {
    const url = await addressOf(server);
    // Never reuses an idle connection: while a command runs, this process does not learn that the server has ended it.
    const text = async (path) => (await fetch(url + path, { headers: { Connection: 'close' } })).text();
    assert.deepEqual(JSON.parse(await text('/api/version')), { product: 'lectern', version });
    assert.ok((await text('/')).includes(`<p>Lectern ${version}</p>`), 'the pages say another version');

    mkdirSync(join(place, 'site'));
    writeFileSync(join(place, 'site/index.html'), PAGE);
    const { tokens } = JSON.parse(readFileSync(join(place, 'data/tokens.json'), 'utf8'));
    const push = ['push', 'site', '--project', 'trial', '--version', '1.0.0'];
    lectern(push, { LECTERN_URL: url, LECTERN_TOKEN: tokens.admin.token });
    assert.match(await text('/trial-1.0.0/'), /A site that was pushed/);
  } finally {
    server.kill();
  }
  assert.deepEqual(await ended, [0, null], 'the server did not end as it should');
}

/** Returns the address that a server prints in its first line. */
async function addressOf(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const address = / at (http:\S+)\/$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('the server ended before it said its address');
}
