import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readServerConfig } from '../../src/composition/features.js';
import { run } from '../support/spawned-server.js';

describe('The options of an object store', () => {
  const storageOf = (flags: object, env: NodeJS.ProcessEnv = {}) =>
    readServerConfig({ ...flags }, env).storage;

  it('replace -d', () => {
    const storage = storageOf({ store: 's3://bucket/docs', cacheDirSize: '1GiB', storePoll: 5 });
    assert.ok(storage.scheme === 's3');
    const { address, pollMs, cacheBytes, isOnlyWriter, directDownloads } = storage.at;
    assert.deepEqual(
      { address, pollMs, cacheBytes, isOnlyWriter, directDownloads },
      {
        address: 's3://bucket/docs',
        pollMs: 5_000,
        cacheBytes: 1024 ** 3,
        isOnlyWriter: false,
        directDownloads: false,
      },
    );
  });

  it('store counts of reads in a directory of this machine', () => {
    const usageOf = (flags: object) => readServerConfig({ ...flags }, {}).usage;
    assert.deepEqual(usageOf({ store: 's3://b', usage: true, usageDir: 'counts' }), { directory: 'counts' });
    assert.deepEqual(usageOf({ docs: 'here', usage: true }), { scheme: 'file', at: 'here' });
    assert.deepEqual(usageOf({ docs: 'here', usage: true, usageDir: 'counts' }), { directory: 'counts' });
    assert.equal(usageOf({ docs: 'here', usageDir: 'counts' }), undefined);
  });

  it('are overridden by a flag -d when they come from the environment, and the other way around', () => {
    assert.deepEqual(storageOf({ docs: 'here' }, { LECTERN_STORE: 's3://bucket' }), {
      scheme: 'file',
      at: 'here',
    });
    assert.equal(storageOf({ store: 's3://bucket' }, { LECTERN_DOCS: 'here' }).scheme, 's3');
  });

  for (const [what, flags, env, message] of [
    ['both as flags', { docs: 'here', store: 's3://b' }, {}, /give either -d or --store, not both/],
    ['both as variables', {}, { LECTERN_DOCS: 'a', LECTERN_STORE: 's3://b' }, /give either -d or --store/],
    ['neither', {}, {}, /-d <docs> is required.*or --store/],
    [
      '--usage without a directory for the counts',
      { store: 's3://b', usage: true },
      {},
      /--usage needs --usage-dir with --store/,
    ],
    [
      'an option of a store with -d',
      { docs: 'here', cacheDir: 'x' },
      {},
      /--cache-dir works only with --store/,
    ],
    [
      '--accel-redirect',
      { store: 's3://b', accelRedirect: '/-/f/' },
      {},
      /--accel-redirect works only with -d/,
    ],
    ['an endpoint with a path', { store: 's3://b', storeEndpoint: 'https://s3.x/y' }, {}, /without a path/],
    [
      'an endpoint with a password',
      { store: 's3://b', storeEndpoint: 'https://a:b@s3.x' },
      {},
      /--store-endpoint/,
    ],
    ['a poll of no seconds', { store: 's3://b', storePoll: 0 }, {}, /--store-poll: expected a whole number/],
  ] as const) {
    it(`are refused: ${what}`, () => {
      assert.throws(() => storageOf(flags, env), { name: 'StartError', message });
    });
  }

  it('report a faulty address, or an unreachable store, in one line', async () => {
    for (const [args, message, code] of [
      [['--store', 'http://x'], /the store must be s3:\/\/<bucket>/, 2],
      [['--store', 's3://key:secret@bucket'], /it must not contain credentials/, 2],
      [
        ['--store', 's3://bucket', '--store-endpoint', 'http://127.0.0.1:1'],
        /^lectern: the object store s3:\/\/bucket at http:\/\/127\.0\.0\.1:1: .+/m,
        3,
      ],
    ] as const) {
      const ended = await run(['serve', ...args, '--port', '0', '--log-level', 'silent'], {
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'very-secret',
      });
      assert.equal(ended.code, code);
      assert.match(ended.stderr, message);
      assert.equal(ended.stderr.trim().split('\n').length, 1, ended.stderr);
      assert.doesNotMatch(ended.stderr, /secret/);
    }
  });
});
