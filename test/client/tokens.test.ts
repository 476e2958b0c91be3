import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../support/server.js';
import { lectern } from './lectern.js';

describe('lectern token on a server', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const run = (args: readonly string[], token = 'maker') =>
    lectern(['token', ...args], {
      env: { LECTERN_URL: server.url, LECTERN_TOKEN: `secret-${token}` },
    });

  it('adds a working token and prints its secret, lists tokens without secrets, and revokes one', async () => {
    const rights = ['--project', 'a', '--previews-only', '--expires', '2099-06-30', '--description', 'CI'];
    const added = await run(['add', 'ci', ...rights]);
    assert.equal(added.code, 0, added.notes);
    assert.equal(added.notes, "This is the secret of 'maker/ci'; it will not be shown again\n");
    const secret = added.out.trimEnd();
    const status = async () => (await server.get('/api/token', { 'X-Token': secret })).status;
    assert.equal(await status(), 200);
    const listed = await run(['list']);
    assert.match(
      listed.out,
      /^maker\/ci {2}publish and delete previews of a {2}until 2099-07-01T00:00:00\.000Z( {2}last used \S+)? {2}CI\n$/,
    );
    const { tokens } = JSON.parse((await run(['list', '--json'])).out);
    assert.deepEqual([tokens.length, tokens[0].name, tokens[0].token], [1, 'maker/ci', undefined]);
    assert.deepEqual(await run(['revoke', 'ci']), { code: 0, out: '', notes: 'Revoked token maker/ci\n' });
    assert.equal(await status(), 401);
    assert.deepEqual(await run(['list']), { code: 0, out: '', notes: 'No tokens\n' });
  });

  it('revokes a token by its whole name as well', async () => {
    await run(['add', 'other', '--project', 'a']);
    assert.equal((await run(['revoke', 'maker/other'])).code, 0);
    assert.equal((await run(['list'])).out, '');
  });

  for (const [args, token, code, notes] of [
    [['add', 'x', '--project', 'b'], 'maker', 5, /'maker' cannot grant more than it has: project b/],
    [['add', 'x', '--project', 'a'], 'ci', 5, /'ci' may not create tokens/],
    [['add', 'x', '--project', 'a', '--allow-tokens'], 'maker', 1, /allow_tokens/],
    [['add', 'x'], 'maker', 2, /choose the projects: /],
    [['revoke', 'x'], 'maker', 6, /Token 'maker\/x' does not exist/],
    [['revoke', 'maker/x'], 'ci', 5, /'ci' may only revoke tokens that it created/],
    [['list'], 'nobody', 5, /The token is unknown/],
  ] as const) {
    it(`prints the reason for a refusal, and creates nothing: ${args.join(' ')} as ${token}`, async () => {
      const result = await run(args, token);
      assert.deepEqual([result.code, result.out], [code, '']);
      assert.match(result.notes, notes);
      assert.equal((await run(['list'])).out, '');
    });
  }

  it('reports that a name is taken, and keeps the token of that name', async () => {
    const first = await run(['add', 'twice', '--project', 'a']);
    const second = await run(['add', 'twice', '--project', 'a']);
    assert.deepEqual([second.code, second.out], [1, '']);
    assert.match(second.notes, /Token 'maker\/twice' already exists/);
    const headers = { 'X-Token': first.out.trimEnd() };
    assert.equal((await server.get('/api/token', headers)).status, 200);
    await run(['revoke', 'twice']);
  });
});
