import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import type { MemoryBucket } from '../support/memory-object-client.js';
import { AS, ChangingAccess, withPrivate } from '../support/private-projects.js';
import { TestServer } from '../support/server.js';
import { openNode } from './support.js';

const PAGE = `<!doctype html><title>secret</title>${'<p>secret plans</p>'.repeat(200)}`;

describe('A page of a private project in an object store', () => {
  const archives = new ZipArchives();
  let server: TestServer;
  let redirecting: TestServer;
  let ended: () => Promise<void>;

  before(async () => {
    const bucket: MemoryBucket = new Map();
    const access = new ChangingAccess();
    const ends: (() => Promise<void>)[] = [];
    const started = async (directDownloads: boolean) => {
      const options = { archives, privacy: access.policy.ofNobody };
      const { store } = await openNode({ after: (end) => void ends.push(end) }, bucket, options);
      return TestServer.start({ ...withPrivate(access), objects: store, directDownloads });
    };
    [server, redirecting] = [await started(false), await started(true)];
    ended = async () => {
      for (const each of [server, redirecting]) await each.close();
      for (const end of ends) await end();
      await archives.close();
    };
    for (const project of ['vault', 'shown']) {
      assert.equal((await server.upload(`${project}-1.0-docs.zip`, { 'index.html': PAGE })).status, 201);
    }
    await redirecting.shows('/shown-1.0/');
  });
  after(() => ended());

  it('is sent to authorised readers only, whole, compressed, as a range, as 304 and in an archive', async () => {
    const etag = (await server.get('/vault-1.0/', AS.ann)).headers.get('ETag') ?? '';
    const requests: readonly (readonly [path: string, headers: Record<string, string>, status: number])[] = [
      ['/vault-1.0/', {}, 200],
      ['/vault-latest/', { 'Accept-Encoding': 'identity' }, 200],
      ['/vault-1.0/', { Range: 'bytes=0-20' }, 206],
      ['/vault-1.0/', { 'If-None-Match': etag }, 304],
      ['/vault-1.0-docs.zip', {}, 200],
      ['/api/download/vault/latest', {}, 200],
    ];
    for (const [path, headers, status] of requests) {
      for (const who of [AS.ann, AS.insider, AS.reader]) {
        const response = await server.get(path, { ...who, ...headers });
        await response.arrayBuffer();
        assert.deepEqual(
          [response.status, response.headers.get('Cache-Control')],
          [status, 'private, no-cache'],
        );
      }
      for (const who of [AS.nobody, AS.bob, AS.stranger]) {
        const response = await server.get(path, { ...who, ...headers });
        assert.equal(response.status, 404);
        assert.doesNotMatch(await response.text(), /secret plans/);
      }
    }
  });

  it('is downloaded from a signed URL that is valid for a minute, a public one for ten', async () => {
    for (const [project, seconds] of [
      ['vault', '60'],
      ['shown', '600'],
    ] as const) {
      for (const path of [`/${project}-1.0-docs.zip`, `/api/download/${project}/1.0`]) {
        const { status, headers } = await redirecting.get(path, AS.ann);
        assert.deepEqual([status, headers.get('Cache-Control')], [302, 'no-store']);
        assert.equal(new URL(headers.get('Location') ?? '').searchParams.get('seconds'), seconds, path);
      }
    }
    for (const who of [AS.nobody, AS.bob, AS.stranger]) {
      const { status, headers } = await redirecting.get('/vault-1.0-docs.zip', who);
      assert.deepEqual([status, headers.get('Location')], [404, null]);
    }
  });
});
