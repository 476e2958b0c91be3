import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { skipUnless, succeeds } from '../support/needs.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { writeZip, zipOf } from '../support/zip-writer.js';

const needed = skipUnless(await succeeds('curl', '--version'), 'there is no curl on this machine');

describe('curl -F', needed, () => {
  let place: string;
  let server: SpawnedServer & { url: string };
  const big = writeZip([{ name: 'index.html', content: randomBytes(5_000_000), method: 0 }]);
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-curl-'));
    await writeFile(join(place, 'tokens.json'), '{"tokens": {"ci": {"token": "secret-ci"}}}');
    await writeFile(join(place, 'small-1.0-docs.zip'), zipOf({ 'index.html': '<h1>Small</h1>' }));
    await writeFile(join(place, 'big-1.0-docs.zip'), big);
    server = await SpawnedServer.start([
      ...['-d', join(place, 'docs'), '--tokens', join(place, 'tokens.json')],
      // Five million random bytes are no page to index.
      ...['--search', 'off'],
    ]);
  });
  after(async () => {
    await server.stop();
    await rm(place, { recursive: true, force: true });
  });

  /** The answer's status and body, how much of its own body curl has sent, and curl's verbose output. */
  async function upload(fileName: string, secret: string, ...more: readonly string[]) {
    const { stdout, stderr } = await promisify(execFile)(
      'curl',
      [
        ...['--silent', '--show-error', '--verbose', '--write-out', '\n%{http_code} %{size_upload}', ...more],
        ...['-H', `X-Token: ${secret}`, '-F', `file=@${fileName}`, `${server.url}/api/upload`],
      ],
      { cwd: place },
    );
    const [, body = '', status, sent] = /^(.*)\n(\d+) (\d+)$/s.exec(stdout) ?? [];
    return { body: JSON.parse(body), status: Number(status), sent: Number(sent), said: stderr };
  }

  it('uploads a small archive', async () => {
    const { status, body } = await upload('small-1.0-docs.zip', 'secret-ci');
    assert.deepEqual([status, body.url], [201, '/small-1.0/']);
    assert.equal(await (await fetch(`${server.url}/small-1.0/`)).text(), '<h1>Small</h1>');
  });

  it('uploads an archive after asking first, with Expect: 100-continue', async () => {
    const { status, said } = await upload('big-1.0-docs.zip', 'secret-ci');
    assert.equal(status, 201);
    assert.match(said, /> Expect: 100-continue\r?\n[\s\S]*< HTTP\/1\.1 100 Continue/);
    const download = await fetch(`${server.url}/big-1.0-docs.zip`);
    assert.ok(Buffer.from(await download.arrayBuffer()).equals(big));
  });

  it('sends nothing of a large archive when its token is wrong', async () => {
    // The default of curl is to wait for a second, and then to send all the same.
    const patient = ['--expect100-timeout', '30'];
    const { status, body, sent, said } = await upload('big-1.0-docs.zip', 'nope', ...patient);
    assert.match(said, /> Expect: 100-continue/);
    assert.doesNotMatch(said, /100 Continue/);
    assert.deepEqual([status, body.error, sent], [401, 'authentication_required', 0]);
  });

  it('gets the response to a wrong token when it sends without asking', async () => {
    const { status, body } = await upload('big-1.0-docs.zip', 'nope', '-H', 'Expect:');
    assert.deepEqual([status, body.error], [401, 'authentication_required']);
  });

  it('gets the response for an existing version, though it has more to send', async () => {
    const { status, body } = await upload('big-1.0-docs.zip', 'secret-ci');
    assert.deepEqual([status, body.error], [409, 'version_exists']);
  });
});
