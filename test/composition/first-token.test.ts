import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { StartError } from '../../src/adapters/cli/index.js';
import { tokensFileOf } from '../../src/composition/serving/first-token.js';

const SERVER = { place: { basePath: '' }, host: '0.0.0.0', port: 8080 };

describe('The tokens file of a server with --first-token', () => {
  let place: string;
  let docs: string;
  let file: string;
  let said: string;
  let warnings: string[];
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-first-'));
    docs = join(place, 'docs');
    file = join(place, 'tokens.json');
    said = '';
    warnings = [];
  });
  afterEach(async () => rm(place, { recursive: true }));

  function found(more: object = {}, isTTY = false) {
    const notes = { isTTY, write: (text: string) => (said += text) };
    const logger = { warn: (_fields: object, message?: string) => void warnings.push(message ?? '') };
    const config = { ...SERVER, tokens: undefined, firstToken: { docs, file }, ...more };
    return tokensFileOf(config, { logger, notes });
  }

  const secretFile = () => readFile(join(place, 'first-token'), 'utf8');
  const digest = (secret: string) => createHash('sha256').update(secret).digest('hex');

  for (const state of ['missing', 'empty']) {
    it(`is created if the docs directory is ${state}, with the SHA-256 of a token that may only publish`, async () => {
      if (state === 'empty') await mkdir(docs);
      assert.equal(await found(), file);
      const secret = (await secretFile()).trimEnd();
      assert.match(secret, /^[\w-]{43}$/);
      const text = await readFile(file, 'utf8');
      const entry = { sha256: digest(secret), description: 'created at the first start' };
      assert.deepEqual(JSON.parse(text), { tokens: { first: entry } });
      for (const name of ['tokens.json', 'first-token']) {
        assert.equal((await stat(join(place, name))).mode & 0o777, 0o600, name);
      }
    });
  }

  it('is told with how to read the token and publish, without the token itself', async () => {
    await found();
    assert.match(said, new RegExp(`^Token: +cat ${join(place, 'first-token')}$`, 'm'));
    assert.match(said, /^Publish: +curl -fsSL http:\/\/127\.0\.0\.1:8080\/-\/client\.mjs -o lectern\.mjs$/m);
    assert.match(
      said,
      /^ +LECTERN_URL=http:\/\/127\.0\.0\.1:8080 LECTERN_TOKEN=<token> node lectern\.mjs push /m,
    );
    assert.ok(!said.includes((await secretFile()).trim()));
  });

  it('is told on a terminal with the token, which is then in no file', async () => {
    await found({}, true);
    const [, secret = ''] = /^Token: +([\w-]{43}) {4}\(shown only now\)$/m.exec(said) ?? assert.fail(said);
    assert.deepEqual(await readdir(place), ['tokens.json']);
    assert.equal(JSON.parse(await readFile(file, 'utf8')).tokens.first.sha256, digest(secret));
  });

  it('is told with the public address, the one to listen on, or a place for its port', async () => {
    for (const [more, address] of [
      [{ place: { basePath: '/docs', origin: 'https://example.org' } }, 'https://example.org/docs'],
      [{ place: { basePath: '/docs' }, host: '192.0.2.1', port: 80 }, 'http://192.0.2.1:80/docs'],
      [{ host: '::', port: 0 }, 'http://127.0.0.1:<port>'],
      [{ host: '::1' }, 'http://[::1]:8080'],
    ] as const) {
      await rm(file, { force: true });
      await found(more);
      assert.ok(said.includes(`LECTERN_URL=${address} `), said);
    }
  });

  it('is used from the second start on, and nothing is told again', async () => {
    await found();
    const before = [await readFile(file, 'utf8'), await secretFile()];
    said = '';
    for (const isTTY of [false, true]) assert.equal(await found({}, isTTY), file);
    await mkdir(join(docs, 'a-1.0'), { recursive: true });
    assert.equal(await found(), file);
    assert.equal(said, '');
    assert.deepEqual([await readFile(file, 'utf8'), await secretFile()], before);
  });

  it('is created by one of several servers that start at once, and used by all', async () => {
    const files = await Promise.all(Array.from({ length: 20 }, () => found()));
    assert.deepEqual(new Set(files), new Set([file]));
    assert.equal(said.match(/^Token:/gm)?.length, 1);
    assert.deepEqual((await readdir(place)).sort(), ['first-token', 'tokens.json']);
    const { tokens } = JSON.parse(await readFile(file, 'utf8'));
    assert.equal(tokens.first.sha256, digest((await secretFile()).trim()));
  });

  it('replaces a token that was left behind readable for others', async () => {
    await writeFile(join(place, 'first-token'), 'older', { mode: 0o644 });
    await found();
    assert.notEqual(await secretFile(), 'older');
    assert.equal((await stat(join(place, 'first-token'))).mode & 0o777, 0o600);
  });

  it('is not created if the docs directory has anything in it: the server is read-only, and says so', async () => {
    await mkdir(join(docs, '.lectern'), { recursive: true });
    assert.equal(await found(), undefined);
    assert.deepEqual(warnings, [
      'the docs directory is not empty, so no first token is created: this server is read-only; for uploads, start it with a tokens file in --tokens',
    ]);
    assert.equal(said, '');
    assert.deepEqual([await readdir(place), await readdir(docs)], [['docs'], ['.lectern']]);
  });

  it('is that of --tokens, or none, without touching anything', async () => {
    assert.equal(await found({ tokens: '/elsewhere.json' }), '/elsewhere.json');
    assert.equal(await found({ firstToken: undefined }), undefined);
    assert.deepEqual([await readdir(place), said, warnings], [[], '', []]);
  });

  async function assertRefused(more: object, message: string, left: readonly string[]): Promise<void> {
    await assert.rejects(found(more), (error) => {
      assert.ok(error instanceof StartError);
      assert.deepEqual([error.message, error.exitCode], [message, 2]);
      return true;
    });
    assert.equal(said, '');
    assert.deepEqual(await readdir(place), left);
  }

  it('is refused without leaving anything where it cannot be created or looked for', async () => {
    const away = join(place, 'away', 'tokens.json');
    const missing = `the tokens file ${away}: no such file or directory`;
    await assertRefused({ firstToken: { docs, file: away } }, missing, []);
    await writeFile(join(place, 'file'), '');
    const within = join(place, 'file', 'tokens.json');
    const noDirectory = `the tokens file ${within}: not a directory`;
    await assertRefused({ firstToken: { docs, file: within } }, noDirectory, ['file']);
    const noDocs = join(place, 'file');
    const wrong = `the docs directory ${noDocs}: not a directory`;
    await assertRefused({ firstToken: { docs: noDocs, file } }, wrong, ['file']);
  });

  it('is refused without leaving anything where the token cannot be written', async () => {
    await mkdir(join(place, 'first-token'));
    const reason = 'a directory, not a file';
    const message = `the file of the first token ${join(place, 'first-token')}: ${reason}`;
    await assertRefused({}, message, ['first-token']);
  });

  it('is left alone where a link leads nowhere', async () => {
    await symlink('nowhere', file);
    assert.equal(await found(), file);
    assert.deepEqual([await readdir(place), said], [['tokens.json'], '']);
  });
});
