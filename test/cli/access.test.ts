import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { run, runAgain, SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

const OPEN = { default: 'public' };
const CLOSED = { default: 'public', projects: { 'vault*': { people: ['ann'] } } };

describe('lectern serve --access', () => {
  let place: string;
  let docs: string;
  let file: string;
  let tokens: string;
  const text = (rules: object) => JSON.stringify(rules);

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-cli-'));
    [docs, file, tokens] = [join(place, 'docs'), join(place, 'access.json'), join(place, 'tokens.json')];
    await writeFile(
      tokens,
      '{"tokens": {"ci": {"token": "s3cret"}, "other": {"token": "other", "projects": []}}}',
    );
    await writeFile(join(place, 'faulty.json'), '{"default":"privat"}');
  });
  afterEach(() => rm(docs, { recursive: true, force: true }));
  after(() => rm(place, { recursive: true, force: true }));

  const start = (...args: readonly string[]) =>
    SpawnedServer.start(['-d', docs, '--tokens', tokens, '--search', 'off', ...args]);
  const refused = async (...args: readonly string[]) => {
    const { code, stderr } = await runAgain(['-d', docs, '--tokens', tokens, '--port', '0', ...args]);
    assert.equal(code, 2);
    return stderr;
  };
  const statusOf = async (url: string, token?: string) =>
    (await fetch(`${url}/vault-1.0/`, { headers: token === undefined ? {} : { 'X-Token': token } })).status;
  const publish = async (url: string) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': 'x' }))]), 'vault-1.0-docs.zip');
    const headers = { 'X-Token': 's3cret' };
    assert.equal((await fetch(`${url}/api/upload`, { method: 'POST', headers, body: form })).status, 201);
  };

  it('does not start with a missing or faulty file, and creates nothing', async () => {
    assert.match(
      await refused('--access', join(place, 'none.json')),
      /the access file .*none\.json: no such file/,
    );
    assert.match(
      await refused('--access', join(place, 'faulty.json')),
      /faulty\.json: default: expected "public"/,
    );
    assert.ok(!(await readdir(place)).includes('docs'));
  });

  const PEOPLE = ['--auth-user-header', 'X-User', '--trusted-proxies', '127.0.0.1'];
  const REFUSED: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
    [['--end-access'], /give --access or --end-access, not both/],
    [['--auth-user-header', 'X-User'], /--auth-user-header needs --trusted-proxies/],
    [
      PEOPLE,
      /--auth-user-header needs --project-hosts-redirect: .* To accept that, add --allow-shared-origin/,
    ],
    [['--auth-groups-header', 'X-Groups'], /--auth-groups-header needs --auth-user-header/],
    [['--trusted-proxies', '::1'], /--trusted-proxies needs --auth-user-header/],
    [['--sign-in-url', '/in'], /--sign-in-url needs --auth-user-header/],
    [['--allow-shared-origin'], /--allow-shared-origin needs --auth-user-header/],
    [[...PEOPLE.slice(0, 3), 'proxy', '--allow-shared-origin'], /--trusted-proxies: .* not 'proxy'/],
    [[...PEOPLE, '--allow-shared-origin', '--auth-groups-header', 'x-user'], /expected a different header/],
    [['--auth-user-header', 'Cookie', '--trusted-proxies', '::1', '--allow-shared-origin'], /not 'Cookie'/],
    [
      [...PEOPLE, '--allow-shared-origin', '--sign-in-url', 'javascript:x'],
      /--sign-in-url: expected an address/,
    ],
  ];
  for (const [args, sentence] of REFUSED) {
    it(`refuses ${args.join(' ')}`, async () => {
      await writeFile(file, text(CLOSED));
      assert.match(await refused('--access', file, ...args), sentence);
    });
  }

  it('refuses options for people without an access file', async () => {
    assert.match(await refused(...PEOPLE, '--allow-shared-origin'), /--auth-user-header needs --access/);
  });

  it('follows its file, keeps the old rules on a faulty change, and reports it', async () => {
    await writeFile(file, text(OPEN));
    const server = await start('--access', file);
    const { url } = server;
    await publish(url);
    assert.equal(await statusOf(url), 200);
    // No look of the server meets a file that is half written.
    const replace = async (content: string) => {
      await writeFile(`${file}.new`, content);
      await rename(`${file}.new`, file);
    };
    await replace(text(CLOSED));
    await until(async () => (await statusOf(url)) === 404);
    assert.deepEqual(await readdir(join(docs, '.lectern/public')), []);
    assert.deepEqual(
      [await statusOf(url, 's3cret'), await statusOf(url, 'other'), await statusOf(url, 'no')],
      [200, 404, 401],
    );

    await replace('{"default":"publi');
    await until(() => /keeping the previous rules/.test(server.stderr));
    const warnings = async () =>
      ((await (await fetch(`${url}/-/ready`)).json()) as { warnings?: string[] }).warnings;
    assert.deepEqual(await warnings(), ['access_unusable']);
    assert.equal(await statusOf(url), 404);
    await rm(file);
    await until(() => /no such file/.test(server.stderr));
    assert.equal(await statusOf(url), 404);

    await replace(text(OPEN));
    await until(async () => (await statusOf(url)) === 200);
    assert.deepEqual((await readdir(join(docs, '.lectern/public'))).sort(), ['vault-1.0', 'vault-latest']);
    assert.deepEqual(await warnings(), undefined);
    await server.stop();
  });

  it('follows a symlink to another directory, as Kubernetes swaps it', async () => {
    const volume = join(place, 'volume');
    for (const [name, rules] of [
      ['..1', CLOSED],
      ['..2', OPEN],
    ] as const) {
      await mkdir(join(volume, name), { recursive: true });
      await writeFile(join(volume, name, 'access.json'), text(rules));
    }
    await symlink('..1', join(volume, '..data'));
    await symlink('..data/access.json', join(volume, 'access.json'));
    const server = await start('--access', join(volume, 'access.json'));
    await publish(server.url);
    assert.equal(await statusOf(server.url), 404);
    await symlink('..2', join(volume, '..next'));
    await rename(join(volume, '..next'), join(volume, '..data'));
    await until(async () => (await statusOf(server.url)) === 200);
    await server.stop();
  });

  it('keeps out a server without --access from then on, until --end-access shows everything', async () => {
    await writeFile(file, text(CLOSED));
    const server = await start('--access', file);
    await publish(server.url);
    await server.stop();
    assert.match(await refused(), /the docs directory .*: projects in it are private: start with --access/);
    for (const command of [
      ['verify', '-d', docs],
      ['prune', '-d', docs],
    ]) {
      const { code, stderr } = await run(command);
      assert.equal(code, 0, `${command.join(' ')}: ${stderr}`);
    }
    assert.deepEqual(await readdir(join(docs, '.lectern/public')), []);
    const open = await start('--end-access');
    assert.equal(await statusOf(open.url), 200);
    await open.stop();
    const plain = await start();
    assert.equal(await statusOf(plain.url), 200);
    await plain.stop();
  });

  it('admits people named by the proxy, with the options for it', async () => {
    await writeFile(file, text(CLOSED));
    const server = await start(
      '--access',
      file,
      ...PEOPLE,
      '--allow-shared-origin',
      '--sign-in-url',
      '/in?rd={url}',
    );
    await publish(server.url);
    const page = async (user: string) => fetch(`${server.url}/vault-1.0/`, { headers: { 'X-User': user } });
    assert.deepEqual([(await page('ann')).status, (await page('bob')).status], [200, 404]);
    const back = encodeURIComponent(`${server.url}/vault-1.0/`);
    assert.ok((await (await fetch(`${server.url}/vault-1.0/`)).text()).includes(`href="/in?rd=${back}"`));
    await server.stop();
  });
});
