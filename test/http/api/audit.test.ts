import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { AuditFile } from '../../../src/adapters/audit-log/audit-file.js';
import { MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import { Audit } from '../../../src/application/index.js';
import { unavailable } from '../../../src/domain/index.js';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';

const RIGHTS = { allowOverwrite: true, allowDelete: true, allowManage: true };
const TOKENS = new MemoryTokenRegistry([
  { name: 'owner', secret: 'secret-owner', projects: ['a'], allowTokens: true, ...RIGHTS },
  { name: 'other', secret: 'secret-other', projects: ['b'], ...RIGHTS },
]);

/** A site of the version, and another one in its place. */
const [ONE, TWO] = [{ 'index.html': 'one' }, { 'index.html': 'two' }];
const PUBLISHED = { sha256: 'string', bytes: 'number', revision: 'string', token: 'string' };

/** A request, and what is recorded of it. */
interface Row {
  readonly operation: string;
  readonly request: readonly [method: string, path: string, body?: string];
  readonly action: string;
  readonly version?: string;
  /** Facts, or for those of publications the types of their fields. */
  readonly before?: object;
  readonly after?: object;
  /** Whether it is about no project. */
  readonly isOfToken?: true;
}

/** For each operation that changes something, in an order in which they succeed. */
const ROWS: readonly Row[] = [
  {
    operation: 'post /api/upload',
    ...{ request: ['UPLOAD', 'a-2.0'], action: 'publish', version: '2.0', after: PUBLISHED },
  },
  {
    operation: 'post /api/upload',
    ...{ request: ['UPLOAD', 'a-1.0'], action: 'replace', version: '1.0' },
    ...{ before: PUBLISHED, after: PUBLISHED },
  },
  {
    operation: 'put /api/aliases/{project}/{alias}',
    request: ['PUT', 'aliases/a/x', '{"target":"1.0"}'],
    ...{ action: 'alias', before: {}, after: { aliases: { x: '1.0' } } },
  },
  {
    operation: 'put /api/aliases/{project}/{alias}',
    request: ['PUT', 'aliases/a/x', '{"target":"2.0"}'],
    ...{ action: 'alias', before: { aliases: { x: '1.0' } }, after: { aliases: { x: '2.0' } } },
  },
  {
    operation: 'delete /api/aliases/{project}/{alias}',
    request: ['DELETE', 'aliases/a/x'],
    ...{ action: 'alias', before: { aliases: { x: '2.0' } }, after: {} },
  },
  {
    operation: 'put /api/hidden/{project}/{version}',
    ...{ request: ['PUT', 'hidden/a/1.0'], action: 'hide', version: '1.0' },
    ...{ before: {}, after: { hidden: ['1.0'] } },
  },
  {
    operation: 'delete /api/hidden/{project}/{version}',
    ...{ request: ['DELETE', 'hidden/a/1.0'], action: 'hide', version: '1.0' },
    ...{ before: { hidden: ['1.0'] }, after: {} },
  },
  {
    operation: 'put /api/deprecated/{project}/{version}',
    ...{ request: ['PUT', 'deprecated/a/1.0', '{"message":"Old"}'], action: 'deprecate', version: '1.0' },
    ...{ before: {}, after: { deprecated: { '1.0': 'Old' } } },
  },
  {
    operation: 'delete /api/deprecated/{project}/{version}',
    ...{ request: ['DELETE', 'deprecated/a/1.0'], action: 'deprecate', version: '1.0' },
    ...{ before: { deprecated: { '1.0': 'Old' } }, after: {} },
  },
  {
    operation: 'put /api/projects/{project}',
    request: ['PUT', 'projects/a', '{"title":"A"}'],
    ...{ action: 'describe', before: {}, after: { about: { title: 'A' } } },
  },
  {
    operation: 'put /api/projects/{project}',
    request: ['PUT', 'projects/a', '{"title":"A","tags":["x","y"]}'],
    ...{ action: 'describe', before: {}, after: { about: { tags: ['x', 'y'] } } },
  },
  {
    operation: 'put /api/projects/{project}',
    request: ['PUT', 'projects/a', '{"title":"A","tags":["y","x"]}'],
    ...{
      action: 'describe',
      before: { about: { tags: ['x', 'y'] } },
      after: { about: { tags: ['y', 'x'] } },
    },
  },
  {
    operation: 'put /api/retention/{project}',
    request: ['PUT', 'retention/a', '{"keep_per_minor":9}'],
    ...{ action: 'retain', before: {}, after: { retention: { keep_per_minor: 9 } } },
  },
  {
    operation: 'delete /api/retention/{project}',
    request: ['DELETE', 'retention/a'],
    ...{ action: 'retain', before: { retention: { keep_per_minor: 9 } }, after: {} },
  },
  {
    operation: 'put /api/retention/{project}',
    request: ['PUT', 'retention/a', '{}'],
    ...{ action: 'retain', before: {}, after: { retention: {} } },
  },
  {
    operation: 'delete /api/retention/{project}',
    request: ['DELETE', 'retention/a'],
    ...{ action: 'retain', before: { retention: {} }, after: {} },
  },
  {
    operation: 'delete /api/previews/{project}/{name}',
    ...{ request: ['DELETE', 'previews/a/pr-1'], action: 'purge', version: '~pr-1' },
    before: { ...PUBLISHED, expires_at: 'string' },
  },
  {
    operation: 'delete /api/delete/{project}/{version}',
    ...{ request: ['DELETE', 'delete/a/1.0'], action: 'remove', version: '1.0', before: PUBLISHED },
  },
  {
    operation: 'post /api/restore/{project}/{version}',
    ...{ request: ['POST', 'restore/a/1.0'], action: 'restore', version: '1.0', after: PUBLISHED },
  },
  {
    operation: 'delete /api/delete/{project}/{version}',
    ...{ request: ['DELETE', 'delete/a/1.0?purge=true'], action: 'purge', version: '1.0', before: PUBLISHED },
  },
  {
    operation: 'post /api/tokens',
    ...{
      request: ['POST', 'tokens', '{"name":"t","projects":["a"]}'],
      action: 'make_token',
      isOfToken: true,
    },
    before: {},
    after: {
      'owner/t': {
        ...{ name: 'owner/t', projects: ['a'], allow_overwrite: false, allow_delete: false },
        ...{ existing_projects_only: false, allow_manage: false },
      },
    },
  },
  {
    operation: 'delete /api/tokens/{maker}/{name}',
    ...{ request: ['DELETE', 'tokens/owner/t'], action: 'revoke_token', isOfToken: true },
    before: {
      'owner/t': {
        ...{ name: 'owner/t', projects: ['a'], allow_overwrite: false, allow_delete: false },
        ...{ existing_projects_only: false, allow_manage: false },
      },
    },
    after: {},
  },
];

let directory: string;
let path: string;
let log: AuditFile;
let audit: Audit;
let server: TestServer;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lectern-audit-'));
  path = join(directory, 'audit.jsonl');
  log = await AuditFile.open(path, () => {});
  audit = new Audit(log);
  server = await TestServer.start({ keepRemovedMs: 3_600_000, tokens: TOKENS, audit });
  for (const name of ['a-1.0', 'a~pr-1']) await server.upload(`${name}-docs.zip`, ONE, 'owner');
});
after(async () => {
  await server.close();
  await audit.close();
  await log.close();
  await rm(directory, { recursive: true });
});

let seen: number;
const text = () => readFile(path, 'utf8');
const lines = async (): Promise<Json[]> =>
  (await text())
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
beforeEach(async () => {
  seen = (await lines()).length;
});
const newLines = async () => (await lines()).slice(seen);

function send([method, to, body]: Row['request'], token: string): Promise<Response> {
  if (method === 'UPLOAD') return server.upload(`${to}-docs.zip`, TWO, token);
  const headers = { 'X-Token': `secret-${token}`, 'Content-Type': 'application/json' };
  return server.fetch(`/api/${to}`, { method, headers, ...(body === undefined ? {} : { body }) });
}

/** Facts of a publication as the types of their fields; others as they are. */
function shapeOf(facts: Record<string, unknown> | undefined) {
  if (facts?.revision === undefined) return facts;
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, typeof value]));
}

describe('The audit log of every changing operation', () => {
  it('has a row in this test', async () => {
    const { paths } = await server.json('/api/spec');
    const all = Object.entries<Json>(paths).flatMap(([at, methods]) =>
      Object.keys(methods).map((method) => `${method} ${at}`),
    );
    const changing = all.filter((operation) => !operation.startsWith('get '));
    assert.deepEqual(changing.sort(), [...new Set(ROWS.map(({ operation }) => operation))].sort());
  });

  for (const { operation, request, isOfToken, ...expected } of ROWS) {
    it(`has one line with change, actor and address: ${request.join(' ')}`, async () => {
      const response = await send(request, 'owner');
      assert.ok(response.ok, await response.text());
      const [{ time, before, after, request_id, ...line } = assert.fail(), ...others] = await newLines();
      assert.deepEqual(others, []);
      assert.ok(Math.abs(Date.now() - Date.parse(time)) < 60_000);
      assert.equal(request_id, response.headers.get('X-Request-Id'));
      const { before: was, after: is, ...rest } = expected;
      assert.deepEqual(line, {
        ...rest,
        ...(isOfToken ? {} : { project: 'a' }),
        ...{ actor: { kind: 'token', name: 'owner' }, result: 'ok' },
        ...(line.address === undefined ? {} : { address: line.address }),
      });
      assert.deepEqual([shapeOf(before), shapeOf(after)], [was, is], operation);
    });

    if (isOfToken) continue;
    it(`has one line for a refusal that changes nothing: ${request.join(' ')}`, async () => {
      const files = await tree(server.docs);
      const response = await send(request, 'other');
      const { error } = (await response.json()) as Json;
      assert.equal(response.status, 403);
      const [{ action, actor, project, result, ...line } = assert.fail(), ...others] = await newLines();
      assert.deepEqual(others, []);
      assert.deepEqual(
        [action === expected.action || expected.action === 'replace', actor, project, result, line.error],
        [true, { kind: 'token', name: 'other' }, 'a', 'refused', error],
      );
      assert.deepEqual([line.before, line.after], [undefined, undefined]);
      assert.equal(line.request_id, response.headers.get('X-Request-Id'));
      assert.deepEqual(await tree(server.docs), files);
    });
  }

  it('names the replaced archive by its sha256', async () => {
    await server.upload('a-3.0-docs.zip', ONE, 'owner');
    await server.upload('a-3.0-docs.zip', TWO, 'owner');
    const [first, second] = await newLines();
    assert.deepEqual([second.action, second.before], ['replace', first.after]);
    assert.notEqual(second.after.sha256, first.after.sha256);
  });

  it('has no line for a dry run, or for a setting without a change', async () => {
    await send(['PUT', 'retention/a?dry_run=true', '{"keep_per_minor":1}'], 'owner');
    await send(['DELETE', 'aliases/a/none'], 'owner');
    for (const to of ['removed', 'token', 'tokens']) await send(['GET', to], 'owner');
    assert.deepEqual(await newLines(), []);
  });

  it('has a line for an unreadable body, and for a late refusal', async () => {
    await send(['PUT', 'aliases/a/x', '{'], 'owner');
    await send(['PUT', 'aliases/a/x', '{"target":"9.9"}'], 'owner');
    await server.upload('a-4.0-docs.zip', Buffer.from('no archive'), 'owner');
    assert.deepEqual(
      (await newLines()).map(({ action, version, result, error }) => [action, version, result, error]),
      [
        ['alias', undefined, 'refused', 'invalid_request'],
        ['alias', undefined, 'refused', 'version_not_found'],
        ['publish', '4.0', 'refused', 'invalid_archive'],
      ],
    );
  });

  it('counts strangers in one line', async () => {
    for (const [, request] of ROWS.map(({ operation, request }) => [operation, request] as const)) {
      assert.equal((await send(request, 'nobody')).status, 401);
    }
    assert.equal((await server.get('/api/token', { 'X-Token': 'x' })).status, 401);
    assert.deepEqual(await newLines(), []);
    await audit.close();
    const [{ time, ...line }] = (await newLines()) as [Json];
    assert.deepEqual(line, {
      ...{ action: 'authenticate', actor: { kind: 'unknown' }, result: 'refused' },
      ...{ error: 'authentication_required', count: ROWS.length },
    });
  });

  it("contains no secret, nor any header's content", async () => {
    const all = await text();
    assert.ok(!all.includes('secret-'));
    assert.deepEqual(
      [...all.matchAll(/multipart|application\/json|X-Token|[0-9a-f]{64}/gi)].length > 0,
      true,
    );
    for (const [found] of all.matchAll(/[0-9a-f]{64}/g)) assert.match(all, new RegExp(`"sha256":"${found}"`));
    assert.doesNotMatch(all, /multipart|application\/json|X-Token/i);
  });
});

describe('A change that cannot be logged', () => {
  it('is refused beforehand with 503, and nothing is changed', async (t) => {
    const full = await AuditFile.open('/dev/full', () => {});
    const docs = await mkdtemp(join(tmpdir(), 'lectern-audit-'));
    t.after(() => rm(docs, { recursive: true }));
    const first = await TestServer.start({ docs, tokens: TOKENS, keepRemovedMs: 3_600_000 });
    for (const name of ['a-1.0', 'a~pr-1']) await first.upload(`${name}-docs.zip`, ONE, 'owner');
    await first.close();
    const stuck = await TestServer.start({
      ...{ docs, tokens: TOKENS, keepRemovedMs: 3_600_000, audit: new Audit(full) },
    });
    t.after(async () => {
      await stuck.close();
      await full.close();
    });
    const whole = server;
    server = stuck;
    t.after(() => {
      server = whole;
    });
    const files = await tree(docs);
    for (const { request, operation } of ROWS) {
      // There is nothing to restore or to revoke: such a refusal cannot be recorded either.
      const response = await send(request, 'owner');
      assert.deepEqual(
        [response.status, ((await response.json()) as Json).error, response.headers.get('Retry-After')],
        [503, 'unavailable', '5'],
        operation,
      );
    }
    assert.deepEqual(await tree(docs), files);
    assert.equal((await stuck.get('/a-1.0/')).status, 200);
  });

  it('is reported as made, and not recorded as refused, where only its line cannot be written', async (t) => {
    const results: string[] = [];
    const made = unavailable('The audit log cannot be written: the change was made');
    const server = await TestServer.start({
      tokens: TOKENS,
      audit: new Audit({
        isOn: true,
        assertWritable: async () => {},
        write: async ({ result }) => {
          results.push(result);
          if (result === 'ok') throw made;
        },
      }),
    });
    t.after(() => server.close());
    const response = await server.upload('a-1.0-docs.zip', ONE, 'owner');
    const { error, message } = (await response.json()) as Json;
    assert.deepEqual([response.status, error, message], [503, 'unavailable', made.message]);
    assert.deepEqual(results, ['ok']);
    assert.equal((await server.get('/a-1.0/')).status, 200);
  });
});
