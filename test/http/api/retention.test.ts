import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';

describe('Setting rules of retention', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (const name of ['a-1.0.0', 'a-1.0.1', 'a-1.0.2', 'b-1.0']) await server.upload(`${name}-docs.zip`);
  });
  after(() => server.close());

  async function send(method: 'PUT' | 'DELETE', path: string, body?: unknown, token = 'manager') {
    const response = await server.fetch(`/api/retention/${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token === '' ? {} : { 'X-Token': `secret-${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }

  for (const [what, method, path, body, token, status, error, message] of [
    ['without a token', 'PUT', 'a', {}, '', 401, 'authentication_required', /X-Token/],
    ['without the right', 'PUT', 'a', {}, 'admin', 403, 'manage_not_allowed', /allow_manage/],
    ['of another project', 'PUT', 'b', {}, 'manager', 403, 'project_not_allowed', /'b'/],
    ['of no project', 'PUT', 'none', {}, 'deleter', 404, 'project_not_found', /'none'/],
    ['without a body', 'PUT', 'a', undefined, 'manager', 400, 'invalid_request', /not JSON/],
    [
      'with wrong numbers',
      'PUT',
      'a',
      { keep_per_minor: 0, max_age_days: '7' },
      'manager',
      400,
      'invalid_request',
      /keep_per_minor: expected a whole number from 1 to 100000; max_age_days: expected a whole number from 1/,
    ],
    ['with an unknown rule', 'PUT', 'a', { keep: 3 }, 'manager', 400, 'invalid_request', /keep/],
    ['with an invalid flag', 'PUT', 'a?dry_run=1', {}, 'manager', 400, 'invalid_request', /'dry_run'/],
    [
      'with a rule and without allow_delete',
      'PUT',
      'a',
      { keep_per_minor: 1 },
      'manager',
      403,
      'delete_not_allowed',
      /allow_delete/,
    ],
    [
      'taken back without the right',
      'DELETE',
      'a',
      undefined,
      'admin',
      403,
      'manage_not_allowed',
      /allow_manage/,
    ],
  ] as const) {
    it(`is refused with ${error}, and changes nothing, ${what}`, async () => {
      const before = await tree(server.docs);
      const answer = await send(method, path, body, token);
      assert.deepEqual([answer.status, answer.body.success, answer.body.error], [status, false, error]);
      assert.match(answer.body.message, message);
      assert.deepEqual(await tree(server.docs), before);
    });
  }

  it('previews removals in a dry run, and changes nothing', async () => {
    const before = await tree(server.docs);
    const { status, body } = await send('PUT', 'a?dry_run=true', { keep_per_minor: 2 });
    assert.equal(status, 200);
    assert.deepEqual(body.settings, {});
    assert.deepEqual(
      body.removes.map(({ archive_bytes, ...each }: Json) => [each, archive_bytes > 0]),
      [
        [
          {
            version: '1.0.0',
            directory: 'a-1.0.0',
            rule: 'keep_per_minor',
            reason: 'the newest 2 versions of each minor are kept',
          },
          true,
        ],
      ],
    );
    assert.deepEqual(await tree(server.docs), before);
  });

  it('shows the rules with the project, is idempotent, and is logged with the token', async () => {
    const rules = { keep_per_minor: 2, pre_release_days: 0, copied_in: true };
    for (let round = 0; round < 2; round++) {
      const { status, body } = await send('PUT', 'a', rules, 'owner');
      assert.equal(status, 200);
      assert.equal(
        body.message,
        'Rules of a: the newest 2 versions of each minor are kept; a pre-release is kept until its final version is published',
      );
      assert.deepEqual(body.settings, { retention: rules });
      assert.equal((server.log.at(-1) as Json).token, 'owner');
    }
    const shown = await server.json('/api/projects/a');
    assert.deepEqual([shown.settings, shown.retention], [{ retention: rules }, rules]);
    const page = await (await server.get('/-/projects/a')).text();
    assert.match(page, /The newest 2 versions of each minor are kept\./);

    assert.equal((await send('PUT', 'a', {})).body.message, 'Rules of a: all versions are kept');
    const all = await server.json('/api/projects/a');
    assert.deepEqual([all.settings, all.retention], [{ retention: {} }, undefined]);

    const { body } = await send('DELETE', 'a');
    assert.equal(body.message, 'a has no rules of its own; rules of the server: all versions are kept');
    assert.deepEqual([body.settings, body.removes], [{}, []]);
  });
});
