/** The OpenAPI description in Redocly's strictest rules, from npm. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { MemoryUsageStore } from '../support/memory-usage-store.js';
import { skipUnless, succeeds } from '../support/needs.js';
import { withPrivate } from '../support/private-projects.js';
import { TestServer, type TestServerOptions } from '../support/server.js';

/** It is fetched for each run, since nothing else needs it. */
const REDOCLY = ['-y', '@redocly/cli@2.77.0'];
const MAX_MS = 120_000;

const needsRedocly = skipUnless(
  await succeeds('npx', ...REDOCLY, '--version'),
  'npm cannot fetch Redocly here',
);

describe('/api/spec in the rules of Redocly', { ...needsRedocly, timeout: 5 * MAX_MS }, () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-redocly-'));
  });
  after(() => rm(place, { recursive: true, force: true }));

  /** Lints a description with the rules that count warnings as errors. */
  async function lint(description: string) {
    await writeFile(join(place, 'openapi.json'), description);
    const words = [...REDOCLY, 'lint', '--extends', 'recommended-strict', '--format', 'json', 'openapi.json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const run = promisify(execFile)('npx', words, { cwd: place, env, timeout: MAX_MS });
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    const { problems } = JSON.parse(stdout) as { problems: readonly { ruleId: string; message: string }[] };
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  }

  async function descriptionOf(options: TestServerOptions): Promise<string> {
    const server = await TestServer.start(options);
    try {
      return await (await server.get('/api/spec')).text();
    } finally {
      await server.close();
    }
  }

  it('passes, without optional features', async () => {
    assert.deepEqual(await lint(await descriptionOf({})), []);
  });

  it('passes, with counts of reads and private projects', async () => {
    const options = { usage: new MemoryUsageStore(), ...withPrivate() };
    assert.deepEqual(await lint(await descriptionOf(options)), []);
  });

  it('fails with a component that no operation uses', async () => {
    const description = JSON.parse(await descriptionOf({}));
    description.components.headers.Unused = { description: 'Unused', schema: { type: 'string' } };
    assert.deepEqual(await lint(JSON.stringify(description)), [
      'no-unused-components: Component: "Unused" is never used.',
    ]);
  });
});
