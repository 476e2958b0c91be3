import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { beforeEach, describe, it } from 'node:test';
import { MemoryDocStore, MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import { type Archives, type DocStore, type Staging, UploadVersion } from '../../src/application/index.js';
import { refuse } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { FakeArchives } from '../support/fake-archives.js';

const TOKENS = new MemoryTokenRegistry([
  { name: 'ci', secret: 's' },
  { name: 'admin', secret: 'a', allowOverwrite: true },
]);

describe('UploadVersion', () => {
  let docs: WatchedDocs;
  beforeEach(() => {
    docs = new WatchedDocs();
  });

  const upload = (archives: Archives, fileName = 'a-1.0-docs.zip', secret: string | undefined = 's') =>
    new UploadVersion(docs, TOKENS, archives).execute({ secret, fileName, content: content() });

  it('publishes a version without any HTTP', async () => {
    const { version, replaced, filesExtracted, message } = await upload(
      new FakeArchives({ 'index.html': 'x' }),
    );
    assert.deepEqual([version.directoryName, replaced, filesExtracted], ['a-1.0', false, 1]);
    assert.equal(message, 'a 1.0 is published at /a-1.0/ with 1 file');
  });

  it('says what is odd about what it published', async () => {
    await upload(new FakeArchives({ 'index.html': 'x' }));
    const { message } = await upload(new FakeArchives({ 'a.txt': 'x', 'b.txt': 'y' }), 'a-1.0-docs.zip', 'a');
    assert.equal(
      message,
      'a 1.0 is published at /a-1.0/ with 2 files. It replaces the version that was there. ' +
        'There is no index.html at its root, so /a-1.0/ shows a list of its files',
    );
  });

  it('stages nothing before token, name and policy are in order', async () => {
    for (const [fileName, secret] of [
      ['a-1.0-docs.zip', 'wrong'],
      ['bad', 's'],
    ] as const) {
      await assert.rejects(upload(new FakeArchives({}), fileName, secret));
    }
    await publish(docs, 'a-1.0', { 'index.html': 'x' });
    docs.staged.length = 0;
    await assert.rejects(upload(new FakeArchives({})), { code: 'version_exists' });
    assert.deepEqual(docs.staged, []);
  });

  it('refuses an announced size before it reads a byte', async () => {
    const useCase = new UploadVersion(docs, TOKENS, new FakeArchives({}));
    const untouched = {
      [Symbol.asyncIterator]: () => assert.fail('the content was read'),
    };
    const policy = useCase.authenticate('s');
    await assert.rejects(useCase.receive(policy, 'a-1.0-docs.zip', untouched, 1024 ** 4), {
      code: 'upload_too_large',
    });
    assert.deepEqual(docs.staged, []);
  });

  it('tells of an archive before its first byte, and of none that it refuses', async () => {
    const archives = new FakeArchives({ 'index.html': 'x' });
    const useCase = new UploadVersion(docs, TOKENS, archives);
    const policy = useCase.authenticate('s');
    async function* watched() {
      assert.deepEqual(archives.expected, [7]);
      yield* content();
    }
    await useCase.receive(policy, 'a-1.0-docs.zip', watched(), 7);
    await assert.rejects(useCase.receive(policy, 'bad', content(), 7));
    await assert.rejects(useCase.receive(policy, 'a-2.0-docs.zip', content(), 1024 ** 4));
    assert.deepEqual(archives.expected, [7]);
  });

  it('discards what it staged when the archive is refused, and when anything else fails', async () => {
    for (const error of [refuse.invalidArchive('no zip'), new Error('a bug')]) {
      await assert.rejects(upload(new FakeArchives(error)), error);
      assert.equal(existsSync(docs.staged.at(-1)?.archiveFile ?? assert.fail()), false);
    }
    assert.deepEqual((await docs.catalogue()).projects, []);
  });

  it('says that the disk is full, whichever part noticed it', async () => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const full = Object.assign(new Error('write failed'), { code });
      await assert.rejects(upload(new FakeArchives(full)), { code: 'insufficient_storage', cause: full });
      docs.failure = full;
      await assert.rejects(upload(new FakeArchives({ 'index.html': '' })), { code: 'insufficient_storage' });
      docs.failure = undefined;
    }
    assert.deepEqual((await docs.catalogue()).projects, []);
  });

  it('that lost a race for a new version names its token', async () => {
    const archives = new FakeArchives({ 'index.html': 'x' });
    archives.beforeUnpacking = () => publish(docs, 'a-1.0', { 'index.html': 'faster' });
    await assert.rejects(upload(archives), { message: /token 'ci' may not overwrite it/ });
  });

  async function* content() {
    yield Buffer.from('archive');
  }
});

/** A memory store that remembers what was staged, and can fail at publishing. */
class WatchedDocs extends MemoryDocStore {
  readonly staged: Staging[] = [];
  failure: Error | undefined;

  override async stage(): Promise<Staging> {
    const staging = await super.stage();
    this.staged.push(staging);
    return staging;
  }

  override async publish(...call: Parameters<DocStore['publish']>) {
    if (this.failure !== undefined) throw this.failure;
    return super.publish(...call);
  }
}
