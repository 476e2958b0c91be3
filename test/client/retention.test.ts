import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { lectern } from './lectern.js';

describe('lectern retention', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (const name of ['a-1.0.0', 'a-1.0.1', 'a-1.0.2']) await server.upload(`${name}-docs.zip`);
  });
  after(() => server.close());

  const run = (args: readonly string[], token = 'owner') =>
    lectern(['retention', ...args], {
      env: { LECTERN_URL: server.url, LECTERN_TOKEN: `secret-${token}` },
    });

  it('previews the removals of rules in a dry run, and changes nothing', async () => {
    const before = await tree(server.docs);
    const { code, out, notes } = await run(['a', '--keep-per-minor', '2', '--dry-run']);
    assert.equal(code, 0, notes);
    assert.match(
      out,
      /^1\.0\.0: [\d.]+ \w+, keep_per_minor: the newest 2 versions of each minor are kept\n$/,
    );
    assert.match(notes, /^Not changed\. These rules would remove 1 version, .* now\n$/);
    assert.deepEqual(await tree(server.docs), before);
  });

  it('sets rules, shows them without a token, keeps everything, and removes rules', async () => {
    assert.deepEqual(await run(['a']), { code: 0, out: '', notes: 'All versions are kept\n' });
    const set = await run(['a', '--max-age-days', '365', '--keep-pre-releases', '0', '--copied-in']);
    assert.deepEqual(set, {
      code: 0,
      out: '',
      notes: 'Rules of a: no pre-release is kept; a version is kept for 365 days. Removed now: nothing\n',
    });
    const shown = await lectern(['retention', 'a'], { env: { LECTERN_URL: server.url } });
    assert.deepEqual(shown, {
      code: 0,
      out: [
        'keep_pre_releases 0: no pre-release is kept',
        'max_age_days 365: a version is kept for 365 days',
        'copied_in: copied-in directories are removed too',
        '',
      ].join('\n'),
      notes: 'The project has its own rules\n',
    });
    assert.equal(
      (await run(['a', '--keep-all'])).notes,
      'Rules of a: all versions are kept. Removed now: nothing\n',
    );
    assert.equal((await run(['a'])).notes, 'The project has its own rules: all versions are kept\n');
    const { code, notes } = await run(['a', '--undo']);
    assert.equal(code, 0);
    assert.match(
      notes,
      /^a has no rules of its own; rules of the server: all versions are kept\. Removed now/,
    );
    assert.deepEqual((await server.json('/api/projects/a')).settings, {});
  });

  for (const [args, code, notes] of [
    [
      ['a', '--keep-per-minor', '0'],
      2,
      /--keep-per-minor: expected a whole number from 1 to 100000, not '0'/,
    ],
    [['a', '--max-age-days', 'x'], 2, /--max-age-days: expected a whole number .*, not 'x'/],
    [['a', '--keep-all', '--copied-in'], 2, /give rules or --keep-all, not both/],
    [['a', '--undo', '--keep-all'], 2, /give rules or --undo, not both/],
    [['a', '--dry-run'], 2, /--dry-run needs rules, or --undo/],
    [['aa'], 6, /There is no project 'aa'; did you mean 'a'\?/],
    [['aa', '--keep-all'], 5, /'aa'/],
  ] as const) {
    it(`ends with ${code}, and changes nothing: ${args.join(' ')}`, async () => {
      const before = await tree(server.docs);
      const ended = await run(args);
      assert.equal(ended.code, code, ended.notes);
      assert.match(ended.notes, notes);
      assert.deepEqual(await tree(server.docs), before);
    });
  }

  it('requires a token with allow_manage', async () => {
    const { code, notes } = await run(['a', '--keep-all'], 'admin');
    assert.equal(code, 5, notes);
    assert.match(notes, /allow_manage/);
  });
});
