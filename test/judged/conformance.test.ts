/** The conformance suite of the Model Context Protocol, from npm, against a server of this build. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { skipUnless, succeeds } from '../support/needs.js';
import { TestServer } from '../support/server.js';

/** It needs Node 22, and is fetched for each run, since nothing else needs it. */
const SUITE = ['-y', '-p', 'node@24', '-p', '@modelcontextprotocol/conformance@0.1.16', 'conformance'];
/** The other scenarios need prompts, resources or tools of a server that is made for them. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
const MAX_MS = 120_000;

const needsSuite = skipUnless(
  await succeeds('npx', ...SUITE, '--version'),
  'npm cannot fetch the conformance suite of the Model Context Protocol here',
);

describe('POST /-/mcp in the conformance suite', { ...needsSuite, timeout: 5 * MAX_MS }, () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.upload('kettle-1.0-docs.zip');
  });
  after(() => server.close());

  for (const scenario of SCENARIOS) {
    it(`passes ${scenario}`, async () => {
      const asked = ['server', '--url', `${server.url}/-/mcp`, '--scenario', scenario];
      // A scenario that fails ends with status 1, one that is unknown as well.
      const { stdout } = await promisify(execFile)('npx', [...SUITE, ...asked], { timeout: MAX_MS });
      assert.match(stdout, /\bPassed: ([1-9]\d*)\/\1, 0 failed/);
    });
  }
});
