import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run, SpawnedServer } from '../support/spawned-server.js';

describe('lectern serve with --base-path, --public-url and --accel-redirect', () => {
  let place: string;
  let server: SpawnedServer & { url: string };
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-base-'));
    await writeFile(
      join(place, 'tokens.json'),
      '{"tokens": {"ci": {"token": "s3cret", "allow_delete": true}}}',
    );
    await mkdir(join(place, 'site'));
    await writeFile(join(place, 'site/index.html'), 'front');
    server = await SpawnedServer.start(
      ['-d', join(place, 'docs'), '--tokens', join(place, 'tokens.json'), '--base-path', '/docs/'],
      {
        LECTERN_PUBLIC_URL: 'https://docs.example.org',
        LECTERN_ACCEL_REDIRECT: '/-/files/',
        LECTERN_SEARCH: 'off',
      },
    );
  });
  after(async () => {
    await server.stop();
    await rm(place, { recursive: true, force: true });
  });

  it('publishes with the client below the path, and prints a working address', async () => {
    const url = `${server.url}/docs`;
    const what = ['--project', 'tool', '--version', '1.0', '--url', url];
    const pushed = await run(['push', join(place, 'site'), ...what], { LECTERN_TOKEN: 's3cret' });
    assert.equal(pushed.code, 0, pushed.stderr);
    assert.equal(pushed.stdout, `${url}/tool-1.0/\n`);
    assert.equal(await (await fetch(pushed.stdout.trim())).text(), 'front');
    const listed = await run(['projects', '--url', url]);
    assert.match(listed.stdout, /tool/);
  });

  it('responds with the given address, and has its probes below the path', async () => {
    assert.match(
      await (await fetch(`${server.url}/docs/help`)).text(),
      /https:\/\/docs\.example\.org\/docs\//,
    );
    const spec = (await (await fetch(`${server.url}/docs/api/spec`)).json()) as { servers: unknown };
    assert.deepEqual(spec.servers, [{ url: 'https://docs.example.org/docs' }]);
    for (const path of ['/docs/-/health', '/-/health', '/docs/-/ready']) {
      assert.equal((await fetch(server.url + path)).status, 200, path);
    }
  });

  it('leaves archives to nginx', async () => {
    const archive = await fetch(`${server.url}/docs/tool-latest-docs.zip`);
    assert.match(archive.headers.get('x-accel-redirect') ?? '', /^\/-\/files\/\.lectern\/.*\/archive\.zip$/);
  });
});
