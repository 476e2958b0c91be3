import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ReloadedTokenRegistry } from '../../src/adapters/json/index.js';
import { holderOf } from '../contracts/token-registry.js';
import { until } from '../support/until.js';

const textOf = (tokens: object) => JSON.stringify({ tokens });

describe('A reloaded tokens file', () => {
  let place: string;
  let file: string;
  let said: [level: string, message: string, fields: Record<string, unknown>][];
  let registry: ReloadedTokenRegistry | undefined;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-reload-'));
    file = join(place, 'tokens.json');
    said = [];
    await writeFile(file, textOf({ ci: { token: 'one' }, old: { token: 'old' } }));
  });
  afterEach(async () => {
    await registry?.close();
    registry = undefined;
    await rm(place, { recursive: true });
  });

  const open = async (path: string, pollMs = 5): Promise<ReloadedTokenRegistry> => {
    registry = await ReloadedTokenRegistry.open(path, {
      pollMs,
      report: (level, message, fields) => said.push([level, message, fields as Record<string, unknown>]),
    });
    return registry;
  };
  const names = async (...secrets: readonly string[]) => {
    const holders = secrets.map(async (secret) => registry && (await holderOf(registry, secret))?.name);
    return Promise.all(holders);
  };

  it('applies from its change on, and the log lists the differences', async () => {
    await open(file);
    assert.deepEqual(await names('one', 'old', 'two'), ['ci', 'old', undefined]);
    await writeFile(`${file}.new`, textOf({ ci: { token: 'two', allow_delete: true }, b: { token: 'b' } }));
    await rename(`${file}.new`, file);
    await until(() => said.length > 0);
    assert.deepEqual(await names('one', 'old', 'two', 'b'), [undefined, undefined, 'ci', 'b']);
    assert.deepEqual(
      registry?.holders().map(({ name }) => name),
      ['ci', 'b'],
    );
    assert.deepEqual(said, [
      ['info', 'reloaded the tokens file', { file, added: ['b'], removed: ['old'], changed: ['ci'] }],
    ]);
  });

  it('may be reached by symlinks that are swapped, as in a volume of Kubernetes', async () => {
    for (const [version, secret] of [
      ['..1', 'one'],
      ['..2', 'two'],
    ] as const) {
      await mkdir(join(place, version));
      await writeFile(join(place, version, 'tokens.json'), textOf({ ci: { token: secret } }));
    }
    await symlink('..1', join(place, '..data'));
    await rm(file);
    await symlink(join('..data', 'tokens.json'), file);
    await open(file);
    assert.deepEqual(await names('one', 'two'), ['ci', undefined]);
    await symlink('..2', join(place, '..data_tmp'));
    await rename(join(place, '..data_tmp'), join(place, '..data'));
    await until(() => said.length > 0);
    assert.deepEqual(await names('one', 'two'), [undefined, 'ci']);
  });

  for (const [what, spoil, reason] of [
    ['is broken', () => writeFile(file, '{"tokens": {"ci": {"token": "one"'), /expected JSON/],
    ['has a fault', () => writeFile(file, textOf({ ci: { token: 'x', project: [] } })), /unknown field/],
    ['is gone', () => rm(file), /ENOENT/],
  ] as const) {
    it(`changes nothing while it ${what}, is reported once, and applies again afterwards`, async () => {
      // No look of its own may meet a file that is half written.
      await open(file, 1_000_000);
      await spoil();
      await registry?.reload();
      await registry?.reload();
      assert.match(registry?.problem ?? '', reason);
      assert.deepEqual(await names('one', 'old', 'x'), ['ci', 'old', undefined]);
      assert.deepEqual(
        said.map(([level, message]) => [level, message]),
        [['error', 'cannot use the changed tokens file; keeping the previous tokens']],
      );
      assert.doesNotMatch(JSON.stringify(said), /one|"x"/);
      await writeFile(file, textOf({ ci: { token: 'one' }, old: { token: 'old' } }));
      await registry?.reload();
      assert.equal(registry?.problem, undefined);
      assert.deepEqual(said.at(-1)?.slice(0, 2), ['info', 'the tokens file is valid again']);
    });
  }

  it('applies at once when a reload is requested', async () => {
    await open(file, 1_000_000);
    await writeFile(file, textOf({ ci: { token: 'two' } }));
    await registry?.reload();
    assert.deepEqual(await names('one', 'two'), [undefined, 'ci']);
  });

  it('must be a regular file: a pipe yields its content once', async () => {
    const fifo = join(place, 'fifo');
    execFileSync('mkfifo', [fifo]);
    await assert.rejects(open(fifo), {
      faults: ['the file: not a regular file, so it cannot be read again'],
    });
  });
});
