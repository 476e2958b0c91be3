import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { corpusIfAvailable } from '../../bench/corpus.js';
import { ROOT } from '../support/root.js';
import { run, SpawnedServer } from '../support/spawned-server.js';
import { zipOf } from '../support/zip-writer.js';

interface Site {
  readonly title: string;
  readonly fileName: string;
  readonly archive: Blob;
  readonly sha256: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Sites that real tools have made; on a bare machine the documents that come with the dependencies. */
async function sites(): Promise<readonly (Site | { readonly title: string; readonly skip: string })[]> {
  const found: (Site | { title: string; skip: string })[] = [await dependenciesSite()];
  for (const size of ['small', 'medium'] as const) {
    const corpus = await corpusIfAvailable(size);
    if ('unavailable' in corpus) found.push({ title: `the ${size} Debian site`, skip: corpus.unavailable });
    else {
      found.push({
        title: `${corpus.project} ${corpus.version}`,
        fileName: corpus.fileName,
        archive: await openAsBlob(corpus.zip),
        sha256: await sha256Of(corpus.zip),
        files: await filesBelow(corpus.directory),
      });
    }
  }
  return found;
}

async function dependenciesSite(): Promise<Site> {
  const files = await filesBelow(join(ROOT, 'node_modules'), /(?:\.md|\.html|LICENSE)$/, 150);
  files.set('index.html', Buffer.from('<!doctype html><title>Dependencies</title>'));
  const archive = zipOf(Object.fromEntries(files));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  return {
    title: 'the documents of the dependencies',
    fileName: 'deps-1.0.0-docs.zip',
    archive: new Blob([new Uint8Array(archive)]),
    sha256,
    files,
  };
}

async function filesBelow(
  directory: string,
  pattern = /./,
  max = Number.POSITIVE_INFINITY,
): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path).split(sep).join('/');
    if (files.size < max && entry.isFile() && pattern.test(name) && !/(?:^|\/)\./.test(name))
      files.set(name, await readFile(path));
  }
  return files;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

describe('A real site, from upload to restart,', async () => {
  let place: string;
  let args: string[];
  let server: SpawnedServer & { url: string };
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-e2e-'));
    await run(['init', join(place, 'data')]);
    args = [
      '-d',
      join(place, 'data/docs'),
      '--tokens',
      join(place, 'data/tokens.json'),
      '--log-level',
      'warn',
    ];
    server = await SpawnedServer.start(args);
  });
  after(async () => {
    await server.stop();
    await rm(place, { recursive: true, force: true });
  });

  for (const site of await sites()) {
    if ('skip' in site) {
      it(`is read as uploaded: ${site.title}`, { skip: site.skip }, () => {});
      continue;
    }
    it(`is read as uploaded: ${site.title}`, async () => {
      const form = new FormData();
      form.set('file', site.archive, site.fileName);
      const tokens = JSON.parse(await readFile(join(place, 'data/tokens.json'), 'utf8')) as {
        tokens: { admin: { token: string } };
      };
      const headers = { 'X-Token': tokens.tokens.admin.token };
      const response = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers });
      const body = (await response.json()) as {
        url: string;
        message: string;
        files_extracted: number;
        directory: string;
      };
      assert.equal(response.status, 201, body.message);
      await isWhole(site, body.url);
      const { code, stderr } = await server.stop();
      assert.deepEqual([code, stderr], [0, '']);
      server = await SpawnedServer.start(args);
      // A tenth of the files: `verify` compares all of them with the archive below.
      await isWhole(
        { ...site, files: new Map([...site.files].filter((_, index) => index % 10 === 0)) },
        body.url,
      );
      const { projects } = (await (await fetch(`${server.url}/api/projects`)).json()) as {
        projects: { latest_version_dir: string }[];
      };
      assert.ok(projects.some(({ latest_version_dir }) => latest_version_dir === body.directory));
      assert.equal((await run(['verify', '-d', join(place, 'data/docs')])).code, 0);
    });
  }

  async function isWhole({ files, sha256, fileName }: Site, root: string): Promise<void> {
    for (const [path, bytes] of files) {
      const response = await fetch(server.url + root + path.split('/').map(encodeURIComponent).join('/'));
      assert.equal(response.status, 200, path);
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), `${path} has other bytes`);
    }
    const download = await fetch(`${server.url}/${fileName}`);
    assert.equal(
      createHash('sha256')
        .update(Buffer.from(await download.arrayBuffer()))
        .digest('hex'),
      sha256,
    );
  }
});
