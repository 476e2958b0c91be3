import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { runAgain } from '../support/spawned-server.js';

const BEFORE = `{
  "tokens": {
    "admin": { "token": "s3cret-admin", "allow_delete": true, "expires": "2020-01-01" }
  }
}
`;

describe('lectern token', { concurrency: 1 }, () => {
  let place: string;
  let file: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-token-'));
    file = join(place, 'tokens.json');
    await writeFile(file, BEFORE);
  });
  afterEach(async () => rm(place, { recursive: true }));

  const token = (...args: readonly string[]) => runAgain(['token', ...args, '--tokens', file]);

  it('adds a token, prints its secret, stores its digest, and leaves the rest of the file', async () => {
    const flags = ['--project', 'widgets,payments-*', '--read', 'handbook', '--previews-only'];
    const note = ['--expires', '2099-06-30', '--description', 'Team A'];
    const { code, stdout, stderr } = await token('add', 'ci', ...flags, ...note);
    assert.equal(code, 0);
    const secret = stdout.trimEnd();
    const sha256 = createHash('sha256').update(secret).digest('hex');
    const entry = `{ "sha256": "${sha256}", "projects": ["widgets", "payments-*"], "read": ["handbook"], "previews_only": true, "expires": "2099-06-30", "description": "Team A" }`;
    assert.equal(
      await readFile(file, 'utf8'),
      BEFORE.replace('"2020-01-01" }\n', `"2020-01-01" },\n    "ci": ${entry}\n`),
    );
    assert.match(stderr, /secret of 'ci'.* when the server restarts/);
    assert.doesNotMatch(stderr, new RegExp(secret));
  });

  it('reports that an added token is already expired', async () => {
    const { code, stderr } = await token('add', 'late', '--project', 'widgets', '--expires', '2020-01-01');
    assert.equal(code, 0);
    assert.match(stderr, /^This is the secret.*\nIt has already expired, on 2020-01-02T00:00:00\.000Z\n$/);
    assert.match(await readFile(file, 'utf8'), /"late": \{.*"expires": "2020-01-01" \}/);
  });

  it('lists names, rights and ends, and no secret', async () => {
    await token('add', 'reader', '--read', 'handbook');
    await token('add', 'all', '--all-projects', '--allow-overwrite', '--description', 'Team A');
    const { code, stdout, stderr } = await token('list');
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stdout.split('\n'), [
      'admin   publish, delete versions of every project  expired on 2020-01-02T00:00:00.000Z',
      'reader  publish nothing; read handbook',
      'all     publish, replace versions of every project  Team A',
      '',
    ]);
    const json = JSON.parse((await token('list', '--json')).stdout);
    assert.deepEqual(json.tokens[2], {
      name: 'all',
      allow_overwrite: true,
      allow_delete: false,
      existing_projects_only: false,
      allow_manage: false,
      description: 'Team A',
    });
  });

  it('revokes an entry, and leaves the rest of the file', async () => {
    await token('add', 'ci', '--project', 'a');
    const { code, stdout, stderr } = await token('revoke', 'ci');
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /^Revoked token 'ci'\..* when the server restarts/);
    assert.equal(await readFile(file, 'utf8'), BEFORE);
  });

  for (const [args, message] of [
    [['add', 'admin', '--project', 'a'], /token 'admin' already exists/],
    [['add', 'ci'], /choose the projects: --project <name>, --read <name>, or --all-projects/],
    [['add', 'ci', '--all-projects', '--read', 'a'], /--all-projects, or --project and --read, not both/],
    [['add', 'ci', '--project', '*'], /tokens\.ci\.projects\[0\]: '\*' alone is not allowed/],
    [['add', 'ci', '--project', 'a', '--expires', 'soon'], /tokens\.ci\.expires: expected a date/],
    [['add'], /token add needs <name>/],
    [['revoke', 'ci'], /token 'ci' does not exist/],
    [['remove', 'ci'], /unknown action 'remove'; expected one of add, list, revoke/],
  ] as const) {
    it(`is refused, and changes nothing: ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await token(...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
      assert.equal(await readFile(file, 'utf8'), BEFORE);
    });
  }

  it('reports a missing tokens file by name', async () => {
    const { code, stderr } = await runAgain(['token', 'revoke', 'ci', '--tokens', join(place, 'no.json')]);
    assert.equal(code, 2);
    assert.match(stderr, /the tokens file .*no\.json: no such file or directory/);
  });
});
