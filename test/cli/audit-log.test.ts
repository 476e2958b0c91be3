import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLectern } from '../../src/entry-points/lectern.js';
import type { Json } from '../support/server.js';
import { run, SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

let place: string;
let tokens: string;
let docs: string;
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'lectern-audit-'));
  docs = join(place, 'docs');
  tokens = join(place, 'tokens.json');
  await writeFile(tokens, JSON.stringify({ tokens: { ci: { token: 's3cret', allow_manage: true } } }));
});
after(() => rm(place, { recursive: true }));

/** Returns the fields of each line: action, kind and name of the actor, subject, result or reason. */
async function linesOf(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const { action, actor, project, version, result, error, reason, address } = JSON.parse(line) as Json;
      const where = address === undefined ? [] : [address];
      const about = [project, version].filter((each) => each !== undefined).join(' ');
      return [action, `${actor.kind} ${actor.name}`, about, error ?? reason ?? result, ...where].join(', ');
    });
}

async function upload({ url }: { readonly url: string }, name: string): Promise<number> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': name }))]), `${name}-docs.zip`);
  const headers = { 'X-Token': 's3cret' };
  return (await fetch(`${url}/api/upload`, { method: 'POST', body: form, headers })).status;
}

describe('lectern serve --audit-log', () => {
  it("records changes with the client's address, continues in a new file after SIGHUP, and omits none", async () => {
    const file = join(place, 'serve.jsonl');
    const server = await SpawnedServer.start(
      ['-d', docs, '--tokens', tokens, '--search', 'off', '--audit-log', file],
      {},
    );
    assert.equal(await upload(server, 'a-1.0.0'), 201);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await rename(file, `${file}.1`);
    assert.equal(await upload(server, 'a-1.0.1'), 201);
    server.signal('SIGHUP');
    await until(() =>
      stat(file).then(
        () => true,
        () => false,
      ),
    );
    assert.equal(await upload(server, 'a-1.0.1'), 409);
    const { code } = await server.stop('SIGTERM');
    assert.equal(code, 0);
    assert.deepEqual(
      [await linesOf(`${file}.1`), await linesOf(file)],
      [
        [
          'open, server audit log, , ok',
          'publish, token ci, a 1.0.0, ok, 127.0.0.1',
          'publish, token ci, a 1.0.1, ok, 127.0.0.1',
        ],
        ['open, server audit log, , ok', 'publish, token ci, a 1.0.1, version_exists, 127.0.0.1'],
      ],
    );
  });

  it('serves nothing of the log, even inside the docs directory, to any token', async () => {
    const mine = join(place, 'mine');
    await mkdir(mine);
    const server = await SpawnedServer.start(
      ['-d', mine, '--tokens', tokens, '--search', 'off', '--audit-log', join(mine, 'audit.jsonl')],
      {},
    );
    try {
      assert.equal(await upload(server, 'a-1.0.0'), 201);
      assert.equal((await linesOf(join(mine, 'audit.jsonl'))).length, 2);
      for (const path of [
        'audit.jsonl',
        'a-1.0.0/../audit.jsonl',
        'a-1.0.0/..%2Faudit.jsonl',
        '-/audit',
        'api/audit',
      ]) {
        for (const headers of [{}, { 'X-Token': 's3cret' }]) {
          const response = await fetch(`${server.url}/${path}`, { headers });
          assert.ok([400, 404].includes(response.status), path);
          assert.doesNotMatch(await response.text(), /"actor"/, path);
        }
      }
    } finally {
      await server.stop('SIGTERM');
    }
  });

  it('refuses changes and reports it at /-/ready while the file is not writable, and serves pages', async () => {
    const server = await SpawnedServer.start(
      ['-d', docs, '--tokens', tokens, '--search', 'off', '--audit-log', '/dev/full'],
      {},
    );
    assert.equal(await upload(server, 'a-9.0'), 503);
    assert.deepEqual(await (await fetch(`${server.url}/-/ready`)).json(), {
      ready: true,
      reasons: [],
      warnings: ['audit_unwritable'],
    });
    assert.equal((await fetch(`${server.url}/a-1.0.0/`)).status, 200);
    assert.equal((await fetch(`${server.url}/a-9.0/`)).status, 404);
    const { stderr } = await server.stop('SIGTERM');
    assert.match(stderr, /cannot write the audit log; changes are refused until it is writable again/);
  });

  for (const [what, path, why] of [
    ['a directory', () => place, 'a directory, not a file'],
    ['in a missing directory', () => join(place, 'none', 'x'), 'no such file or directory'],
  ] as const) {
    it(`ends before it listens with a path that is ${what}`, async () => {
      const { code, stderr, stdout } = await run([
        ...['-d', docs, '--tokens', tokens, '--port', '0', '--audit-log', path()],
      ]);
      assert.deepEqual([code, stderr, stdout], [2, `lectern: the audit log ${path()}: ${why}\n`, '']);
    });
  }
});

describe('A command with --audit-log', () => {
  it('records its changes, and creates no file in a dry run', async () => {
    const [file, rules, copied, source] = ['x.jsonl', 'rules.json', 'copied', 'source'].map((name) =>
      join(place, name),
    ) as [string, string, string, string];
    await writeFile(rules, JSON.stringify({ keep_per_minor: 1 }));
    await mkdir(join(source, 'b', '1.0'), { recursive: true });
    await writeFile(join(source, 'b', '1.0', 'index.html'), 'b');
    const dry = [
      ['prune', '-d', docs, '--retention', rules, '--dry-run'],
      ['import', 'directory', source, '-d', docs, '--dry-run'],
    ];
    for (const args of dry) assert.equal((await run([...args, '--audit-log', file])).code, 0);
    await assert.rejects(stat(file), { code: 'ENOENT' });
    const wet = [
      ['prune', '-d', docs, '--retention', rules],
      ['import', 'directory', source, '-d', docs],
      ['copy', '--from', docs, '--to', copied],
    ];
    for (const args of wet) {
      const { code, stderr } = await run([...args, '--audit-log', file]);
      assert.equal(code, 0, stderr);
    }
    assert.deepEqual(await linesOf(file), [
      'open, server audit log, , ok',
      'remove, server retention, a 1.0.0, keep_per_minor',
      'open, server audit log, , ok',
      'publish, server lectern import, b 1.0, ok',
      'open, server audit log, , ok',
      'publish, server lectern copy, a 1.0.1, ok',
      'publish, server lectern copy, b 1.0, ok',
    ]);
    // A version that is not copied is printed, but not logged.
    const [taken, other] = [join(place, 'taken'), join(place, 'x2.jsonl')];
    await mkdir(join(taken, 'b-1.0'), { recursive: true });
    await writeFile(join(taken, 'b-1.0', 'index.html'), 'another');
    const partly = await run(['copy', '--from', docs, '--to', taken, '--audit-log', other]);
    assert.equal(partly.code, 1);
    assert.match(partly.stdout, /^b-1\.0: not copied: /m);
    assert.deepEqual(await linesOf(other), [
      'open, server audit log, , ok',
      'publish, server lectern copy, a 1.0.1, ok',
    ]);
    const { code, stderr } = await run(['copy', '--from', docs, '--to', copied, '--audit-log', place]);
    assert.deepEqual([code, stderr], [2, `lectern: the audit log ${place}: a directory, not a file\n`]);
  });
});

describe('openLectern with auditLog', () => {
  it("passes each change, and each use case's refusal, to a custom log", async () => {
    const entries: string[] = [];
    const lectern = await openLectern({
      memory: true,
      tokens: { ci: { token: 'x' } },
      auditLog: {
        isOn: true,
        assertWritable: async () => {},
        write: async ({ action, version, result, error }) => {
          entries.push([action, version, error ?? result].join(' '));
        },
      },
    });
    const actor = await lectern.authenticate.execute({ scheme: 'token', secret: 'x' });
    const archive = () => ({
      ...{ actor, fileName: 'a-1.0-docs.zip' },
      content: (async function* () {
        yield new Uint8Array(zipOf({ 'index.html': 'x' }));
      })(),
    });
    await lectern.uploadVersion.execute(archive());
    await assert.rejects(lectern.uploadVersion.execute(archive()), { code: 'version_exists' });
    await assert.rejects(lectern.deleteVersion.remove(actor, 'a', '1.0'), { code: 'delete_not_allowed' });
    await lectern.close();
    assert.deepEqual(entries, [
      'publish 1.0 ok',
      'publish 1.0 version_exists',
      'remove 1.0 delete_not_allowed',
    ]);
  });
});
