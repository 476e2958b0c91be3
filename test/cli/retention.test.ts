import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Json } from '../support/server.js';
import { runAgain, SpawnedServer } from '../support/spawned-server.js';
import { tree } from '../support/tree.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

let place: string;
let tokens: string;
let rules: string;
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'lectern-retention-'));
  tokens = join(place, 'tokens.json');
  rules = join(place, 'retention.json');
  await writeFile(
    tokens,
    JSON.stringify({ tokens: { ci: { token: 's3cret', allow_delete: true, allow_manage: true } } }),
  );
  await writeFile(rules, JSON.stringify({ keep_per_minor: 1 }));
});
after(() => rm(place, { recursive: true, force: true }));

const headers = { 'X-Token': 's3cret' };

async function upload({ url }: { readonly url: string }, name: string): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': name }))]), `${name}-docs.zip`);
  const answer = await fetch(`${url}/api/upload`, { method: 'POST', body: form, headers });
  assert.equal(answer.status, 201, await answer.text());
}

async function labels({ url }: { readonly url: string }, project: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/api/projects/${project}`);
  return ((await answer.json()) as Json).versions.map(({ version }: Json) => version);
}

async function judgesItsClock({ url }: { readonly url: string }): Promise<boolean> {
  const answer = await fetch(`${url}/-/metrics`);
  assert.equal(answer.status, 200);
  return (await answer.text()).includes('\nlectern_clock_doubtful ');
}

describe('lectern serve --retention', () => {
  it('removes versions after publications and setting changes, logs the rule, and keeps them restorable', async () => {
    const server = await SpawnedServer.start([
      '-d',
      join(place, 'served'),
      '--tokens',
      tokens,
      '--retention',
      rules,
      '--search',
      'off',
    ]);
    for (const name of ['a-1.0.0', 'a-1.0.1', 'a-1.0.2', 'b-1.0.0', 'b-2.0-rc1']) await upload(server, name);
    await until(async () => (await labels(server, 'a')).length === 1);
    assert.deepEqual(await labels(server, 'a'), ['1.0.2']);

    const answer = await fetch(`${server.url}/api/retention/b`, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"keep_pre_releases":0}',
    });
    assert.equal(answer.status, 200);
    await until(async () => (await labels(server, 'b')).length === 1);
    assert.deepEqual(await labels(server, 'b'), ['1.0.0']);

    const restored = await fetch(`${server.url}/api/restore/a/1.0.0`, { method: 'POST', headers });
    assert.equal(restored.status, 201);
    await upload(server, 'a-1.0.3');
    await until(async () => !(await labels(server, 'a')).includes('1.0.2'));
    assert.deepEqual(await labels(server, 'a'), ['1.0.0', '1.0.3']);
    const { stderr } = await server.stop();
    const lines = stderr
      .split('\n')
      .filter((line) => line.includes('a retention rule'))
      .map((line) => JSON.parse(line))
      .map(({ version, rule, level }) => `${level} ${version} ${rule}`);
    assert.deepEqual(lines, [
      '30 a-1.0.0 keep_per_minor',
      '30 a-1.0.1 keep_per_minor',
      '30 b-2.0-rc1 keep_pre_releases',
      '30 a-1.0.2 keep_per_minor',
    ]);
  });

  it('removes nothing on a server without tokens', async () => {
    const args = ['-d', join(place, 'read'), '--metrics', '--search', 'off'];
    const writer = await SpawnedServer.start([...args, '--tokens', tokens]);
    const reader = await SpawnedServer.start([...args, '--retention', rules]);
    for (const name of ['a-1.0.0', 'a-1.0.1']) await upload(writer, name);
    await until(async () => (await fetch(`${reader.url}/a-1.0.1/`)).status === 200);
    // Only a server that removes something by itself says whether it believes its clock.
    assert.deepEqual([await judgesItsClock(writer), await judgesItsClock(reader)], [true, false]);
    assert.deepEqual(await labels(reader, 'a'), ['1.0.0', '1.0.1']);
    await writer.stop();
    await reader.stop();
  });

  it('reports every fault of the file by its path, and does not start', async () => {
    const file = join(place, 'faulty.json');
    for (const [text, message] of [
      [
        '{"keep_per_minor": 0, "max_age_days": "7", "copied_in": 1, "keep days": 3}',
        'keep_per_minor: expected a whole number from 1 to 100000; max_age_days: expected a whole number from 1 to 100000; copied_in: expected true or false; ["keep days"]: unknown field',
      ],
      ['[]', 'the file: expected JSON, with an object'],
      ['{', 'the file: expected JSON, with an object'],
    ]) {
      await writeFile(file, text ?? '');
      const docs = join(place, 'never');
      const { code, stderr } = await runAgain(['-d', docs, '--tokens', tokens, '--retention', file]);
      assert.deepEqual([code, stderr], [2, `lectern: the retention file ${file}: ${message}\n`]);
      assert.ok(!(await readdir(place)).includes('never'));
    }
    const { code, stderr } = await runAgain([
      '-d',
      place,
      '--tokens',
      tokens,
      '--retention',
      join(place, 'none.json'),
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /the retention file .*none\.json: .*no such file/i);
  });
});

describe('lectern prune', () => {
  it('previews the removals of rules, removes the versions, and reports when nothing is removed', async () => {
    const docs = join(place, 'pruned');
    const server = await SpawnedServer.start(['-d', docs, '--tokens', tokens, '--search', 'off']);
    for (const name of ['a-1.0.0', 'a-1.0.1', 'a-1.0.2', 'b-1.0']) await upload(server, name);
    const args = ['prune', '-d', docs, '--retention', rules];
    const before = await tree(docs);
    const dry = await runAgain([...args, '--dry-run']);
    assert.deepEqual([dry.code, dry.stderr], [0, '']);
    const [first, second, sum, ...more] = dry.stdout.split('\n');
    const reason = 'keep_per_minor: the newest version of each minor is kept';
    assert.match(`${first}`, new RegExp(`^a-1\\.0\\.0: [\\d.]+ \\w+, ${reason}$`));
    assert.match(`${second}`, new RegExp(`^a-1\\.0\\.1: [\\d.]+ \\w+, ${reason}$`));
    assert.match(`${sum}`, /^2 versions, [\d.]+ \w+ would be removed$/);
    assert.deepEqual(more, ['']);
    assert.deepEqual(await tree(docs), before);
    assert.equal((await labels(server, 'a')).length, 3);

    const done = await runAgain(args);
    assert.deepEqual([done.code, done.stderr], [0, '']);
    assert.equal(done.stdout, dry.stdout.replace('would be removed', 'removed'));
    await until(async () => (await labels(server, 'a')).length === 1);
    const removed = (await (await fetch(`${server.url}/api/removed`, { headers })).json()) as Json;
    assert.equal(removed.count, 2);
    await server.stop();
    const again = await runAgain(args);
    assert.deepEqual([again.code, again.stdout], [0, 'Nothing was removed: no retention rule applies\n']);
    const none = await runAgain(['prune', '-d', docs, '--dry-run']);
    assert.deepEqual([none.code, none.stdout], [0, 'Nothing would be removed: no retention rule applies\n']);
  });

  it('names unreadable settings in one line, and removes versions of all other projects', async () => {
    const docs = join(place, 'unreadable');
    const server = await SpawnedServer.start(['-d', docs, '--tokens', tokens, '--search', 'off']);
    for (const name of ['a-1.0.0', 'a-1.0.1', 'b-1.0.0', 'b-1.0.1']) await upload(server, name);
    await server.stop();
    await writeFile(join(docs, '.lectern/projects/a.json'), '{');
    const { code, stderr } = await runAgain(['prune', '-d', docs, '--retention', rules]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^lectern: The settings of project 'a' cannot be read.*\n$/m);
    assert.doesNotMatch(stderr, /\bat .*:\d+:\d+/);
    const left = (await readdir(docs)).filter((name) => !name.endsWith('.zip') && name !== '.lectern');
    assert.deepEqual(left.sort(), ['a-1.0.0', 'a-1.0.1', 'b-1.0.1']);
  });

  it('requires an existing docs directory', async () => {
    const missing = join(place, 'missing');
    for (const args of [['-d', missing], ['-d', missing, '--dry-run'], []]) {
      const { code, stderr } = await runAgain(['prune', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, /the docs directory .*missing|-d <docs> is required/);
    }
    assert.ok(!(await readdir(place)).includes('missing'));
  });
});
