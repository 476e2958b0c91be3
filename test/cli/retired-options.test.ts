import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run, SpawnedServer } from '../support/spawned-server.js';
import { zipOf } from '../support/zip-writer.js';

const WARNING = '--gzip-files is no longer needed and does nothing';
/** Deflates well, and is larger than 32 KiB. */
const page = 'a page of a site '.repeat(5_000);

describe('lectern serve --gzip-files, which an earlier release had', () => {
  let place: string;
  let docs: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-cli-'));
    docs = join(place, 'docs');
    await writeFile(join(place, 'tokens.json'), '{"tokens": {"ci": {"token": "s3cret"}}}');
  });
  after(async () => rm(place, { recursive: true, force: true }));

  for (const [how, args, env] of [
    ['as a flag', ['--gzip-files'], {}],
    ['as a flag with a value', ['--gzip-files=true'], {}],
    ['as a variable', [], { LECTERN_GZIP_FILES: 'true' }],
  ] as const) {
    it(`is warned about once, ${how}, and the server serves`, async () => {
      const server = await SpawnedServer.start(['-d', docs, ...args], env);
      assert.equal((await fetch(`${server.url}/api/version`)).status, 200);
      const { code, stderr } = await server.stop();
      assert.equal(code, 0);
      const lines = stderr.split('\n').filter((line) => line.includes('gzip'));
      assert.equal(lines.length, 1, stderr);
      const { level, msg } = JSON.parse(lines[0] ?? '');
      assert.equal(level, 40);
      assert.ok(msg.startsWith(WARNING), msg);
    });
  }

  it('is not spoken of where it is not given', async () => {
    const server = await SpawnedServer.start(['-d', docs], { LECTERN_GZIP_FILES: '' });
    const { stderr } = await server.stop();
    assert.doesNotMatch(stderr, /gzip/i);
  });

  it('is in the help as one that does nothing', async () => {
    const { stdout } = await run(['serve', '--help']);
    assert.match(stdout, /--gzip-files +No longer needed; does nothing/);
  });

  it('leaves nothing beside a site, and no archive fails for its names', async () => {
    const server = await SpawnedServer.start(
      ['-d', docs, '--tokens', join(place, 'tokens.json'), '--gzip-files'],
      {},
    );
    const longest = `${'n'.repeat(250)}.html`;
    const archive = zipOf({ 'foo.html': page, 'foo.html.gz/bar.html': page, [longest]: page });
    const body = new FormData();
    body.set('file', new File([new Uint8Array(archive)], 'tool-1.0-docs.zip'));
    const answer = await fetch(`${server.url}/api/upload`, {
      method: 'POST',
      headers: { 'X-Token': 's3cret' },
      body,
    });
    assert.equal(answer.status, 201, await answer.text());
    for (const path of ['foo.html', 'foo.html.gz/bar.html', longest]) {
      assert.equal(await (await fetch(`${server.url}/tool-1.0/${path}`)).text(), page, path);
    }
    await server.stop();
    // By way of the pointer, wherever it leads: `join` would take its last part away.
    assert.deepEqual((await readdir(`${docs}/tool-1.0/..`)).sort(), [
      'archive-index',
      'archive.zip',
      'site',
      'version.json',
    ]);
  });
});
