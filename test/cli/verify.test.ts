import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { reportChecks } from '../../src/adapters/cli/commands/local/local-commands.js';
import { runAgain } from '../support/spawned-server.js';

describe('lectern verify', () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  });
  after(() => rm(place, { recursive: true, force: true }));

  for (const [what, args, message] of [
    [
      'neither a directory nor a store',
      [],
      /^lectern: -d <docs> is required: .* or --store, an object store\n$/,
    ],
    [
      'both of them',
      ['-d', 'docs', '--store', 's3://bucket'],
      /^lectern: give either -d or --store, not both\n$/,
    ],
    [
      'an endpoint without a store',
      ['-d', 'docs', '--store-endpoint', 'http://127.0.0.1:1'],
      /^lectern: --store-endpoint works only with --store\n$/,
    ],
    [
      'an address with credentials',
      ['--store', 's3://key:secret@bucket'],
      /it must not contain credentials\n$/,
    ],
    [
      'an unreachable store',
      ['--store', 's3://bucket', '--store-endpoint', 'http://127.0.0.1:1'],
      /^lectern: the object store s3:\/\/bucket at http:\/\/127\.0\.0\.1:1: cannot reach the store: ECONNREFUSED .*\n$/,
    ],
  ] as const) {
    it(`refuses ${what}, in one line, and makes nothing`, async () => {
      const env = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'very-secret', TMPDIR: place };
      const { code, stdout, stderr } = await runAgain(['verify', ...args], env, place);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /secret/);
      assert.deepEqual(await readdir(place), []);
    });
  }

  it('reports faults of the log and of versions alike, and ends with 1 unless all are repaired', async () => {
    const steps = [
      { name: 'the snapshot', done: 0, total: 2, faults: ['it is damaged'], isRepaired: true },
      { name: 'a-1.0', done: 1, total: 2, faults: [], isRepaired: false },
      { name: 'b-1.0', done: 2, total: 2, faults: ['its archive is missing'], isRepaired: false },
    ];
    const printed = async (count: number) => {
      let text = '';
      const out = { write: (more: string) => (text += more) };
      const checks = (async function* () {
        yield* steps.slice(0, count);
      })();
      return [await reportChecks(checks, { out, notes: out, isLive: false }), text];
    };
    assert.deepEqual(await printed(2), [
      0,
      'the snapshot: repaired\n  it is damaged\n2 versions checked, 1 differed, 1 repaired\n',
    ]);
    assert.deepEqual(await printed(3), [
      1,
      'the snapshot: repaired\n  it is damaged\n' +
        'b-1.0: differs\n  its archive is missing\n2 versions checked, 2 differed, 1 repaired\n',
    ]);
  });
});
