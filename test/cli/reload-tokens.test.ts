import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { run, SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';

describe('--reload-tokens', () => {
  let place: string;
  let tokens: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-reload-'));
    tokens = join(place, 'tokens.json');
  });
  after(async () => rm(place, { recursive: true }));

  it('applies the changes of lectern token, and reloads on SIGHUP without ending the server', async () => {
    await writeFile(tokens, '{"tokens": {"admin": {"token": "s3cret-admin", "expires": "2020-01-01"}}}');
    const args = ['-d', join(place, 'docs'), '--tokens', tokens, '--reload-tokens', '--metrics'];
    const server = await SpawnedServer.start(args);
    const statusOf = async (secret: string) =>
      (await fetch(`${server.url}/api/token`, { headers: { 'X-Token': secret } })).status;
    const ready = async () => (await fetch(`${server.url}/-/ready`)).json();
    const metrics = async () => (await fetch(`${server.url}/-/metrics`)).text();

    await until(() => server.stderr.includes('a token has expired'));
    assert.match(await metrics(), /^lectern_tokens_expired 1$/m);
    const { stdout } = await run(['token', 'add', 'ci', '--tokens', tokens, '--project', 'a']);
    await until(async () => (await statusOf(stdout.trim())) === 200);

    const lastUses = async () => (await metrics()).match(/^lectern_token_last_used_timestamp_seconds.*$/gm);
    const today = () => new Date().setUTCHours(0, 0, 0, 0) / 1_000;
    const before = today();
    await statusOf(stdout.trim());
    assert.equal(await statusOf('s3cret-admin'), 401);
    await until(async () => (await metrics()).includes('route="api",method="read",status="401"'));
    const lastUsed = await lastUses();
    const line = (day: number) => [`lectern_token_last_used_timestamp_seconds{token="ci"} ${day}`];
    assert.ok(
      [before, today()].some((day) => isDeepStrictEqual(line(day), lastUsed)),
      String(lastUsed),
    );

    await writeFile(tokens, '{"tokens": {');
    server.signal('SIGHUP');
    await until(() => server.stderr.includes('cannot use the changed tokens file'));
    assert.deepEqual(await ready(), { ready: true, reasons: [], warnings: ['tokens_unusable'] });
    assert.match(await metrics(), /^lectern_tokens_unusable 1$/m);
    assert.equal(await statusOf(stdout.trim()), 200);

    await writeFile(tokens, '{"tokens": {}}');
    server.signal('SIGHUP');
    await until(async () => (await statusOf(stdout.trim())) === 401);
    assert.equal(await lastUses(), null);
    assert.deepEqual(await ready(), { ready: true, reasons: [] });
    const { code, stderr } = await server.stop();
    assert.equal(code, 0);
    assert.doesNotMatch(stderr, /s3cret/);
  });

  it('requires --tokens', async () => {
    const { code, stderr } = await run(['-d', join(place, 'docs'), '--reload-tokens']);
    assert.deepEqual([code, stderr], [2, 'lectern: --reload-tokens needs --tokens\n']);
  });
});
