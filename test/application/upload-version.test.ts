import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import {
  type Archives,
  Changes,
  DEFAULT_UPLOAD_LIMITS,
  type DocStore,
  describeUpload,
  type Staging,
  storageRefusalOf,
  UploadVersion,
} from '../../src/application/index.js';
import { Refusal, refuse, tokenActor, warningText } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { FakeArchives } from '../support/fake-archives.js';

const CI = tokenActor('ci');
const ADMIN = tokenActor('admin', { allowOverwrite: true });

describe('UploadVersion', () => {
  let docs: WatchedDocs;
  beforeEach(() => {
    docs = new WatchedDocs(mkdtempSync(join(tmpdir(), 'lectern-test-')));
  });
  afterEach(() => rmSync(docs.directory, { recursive: true }));

  const upload = (
    archives: Archives,
    fileName = 'a-1.0-docs.zip',
    actor = CI,
    options: { readonly strict?: boolean } = {},
  ) =>
    new UploadVersion(docs, new Changes(docs), archives).execute({
      ...options,
      actor,
      fileName,
      content: content(),
    });

  it('publishes a version without HTTP', async () => {
    const result = await upload(new FakeArchives({ 'index.html': 'x' }));
    const { version, replaced, content } = result;
    assert.deepEqual([version.directoryName, replaced, content.facts.site.files], ['a-1.0', false, 1]);
    assert.equal(describeUpload(result), 'Published a 1.0 at /a-1.0/ with 1 file');
  });

  it('waits 8 seconds for the links of the previous release, and longer only with strict links', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const report = { pages: 1, links: 1, dead: 1, isCut: false, byPage: [] };
    const links = { file: new Uint8Array(), report, keys: Uint32Array.of(1) };
    class LinkedArchives extends FakeArchives {
      override async unpack(...request: Parameters<FakeArchives['unpack']>) {
        return { ...(await super.unpack(...request)), links };
      }
    }
    const compared = { dead: 1, new: 0, first: [] };
    const uploaded = async (fileName: string, strictLinks: boolean) => {
      let end = (_: typeof compared) => {};
      let ask = () => {};
      const asked = new Promise<void>((resolve) => {
        ask = resolve;
      });
      const checkLinks = {
        compare: () => {
          ask();
          return new Promise<typeof compared>((resolve) => {
            end = resolve;
          });
        },
        keep: async () => {},
      };
      const uploads = new UploadVersion(
        ...([docs, new Changes(docs), new LinkedArchives({ 'index.html': 'x' })] as const),
        ...([undefined, undefined, undefined, checkLinks] as const),
      );
      const result = uploads.execute({ actor: CI, fileName, content: content(), strictLinks });
      await asked;
      context.mock.timers.tick(8_000);
      if (strictLinks) end(compared);
      return (await result).links;
    };
    assert.equal(await uploaded('a-1.0-docs.zip', false), undefined);
    assert.deepEqual(await uploaded('a-1.1-docs.zip', true), compared);
  });

  it('reports a replacement in one sentence, and a missing front page in a warning', async () => {
    await upload(new FakeArchives({ 'index.html': 'x' }));
    const result = await upload(new FakeArchives({ 'a.txt': 'x', 'b.txt': 'y' }), 'a-1.0-docs.zip', ADMIN);
    assert.equal(
      describeUpload(result),
      'Published a 1.0 at /a-1.0/ with 2 files; replaced the existing version',
    );
    assert.deepEqual(
      result.warnings.map(({ code }) => code),
      ['no_index'],
    );
    assert.deepEqual(result.version.record.warnings, result.warnings);
  });

  it('refuses a site with warnings in strict mode, and changes nothing', async () => {
    await upload(new FakeArchives({ 'index.html': 'x' }));
    const before = docs.catalogue();
    const kept = readdirSync(docs.directory);
    const strictly = (files: Readonly<Record<string, string>>, fileName: string) =>
      upload(new FakeArchives(files), fileName, ADMIN, { strict: true });
    for (const name of ['a-1.0', 'a-2.0', 'b-1.0', 'a~pr-1']) {
      await assert.rejects(strictly({ 'a.txt': 'x' }, `${name}-docs.zip`), (error) => {
        assert.ok(error instanceof Refusal);
        assert.equal(error.code, 'site_has_warnings');
        assert.deepEqual(
          error.warnings?.map(({ code }) => code),
          ['no_index'],
        );
        return true;
      });
    }
    assert.equal(docs.catalogue(), before);
    assert.deepEqual(readdirSync(docs.directory), kept);
    const { version } = await strictly({ 'index.html': 'x' }, 'a-2.0-docs.zip');
    assert.equal(version.record.warnings, undefined);
  });

  it('warns about a new project named like a preview of another project', async () => {
    const said = async (name: string) => {
      const { warnings, version } = await upload(new FakeArchives({ 'index.html': 'x' }), `${name}-docs.zip`);
      assert.equal(version.record.warnings, undefined);
      return warnings.map(warningText).join();
    };
    for (const name of ['other-pr-1', 'my-site-1.0', 'my-site-preview', 'my-site~pr-9', 'my-site-spr-7']) {
      assert.equal(await said(name), '', name);
    }
    assert.equal(await said('my-site-pr-1.0'), '', 'a version that is more than a number');
    assert.equal(await said('my-site-pr-2'), '', 'a project that was there');
    assert.equal(
      await said('my-site-mr-123'),
      "'my-site-mr' is a new project, but its name looks like a preview of 'my-site'. " +
        'For a preview, name the file my-site~mr-123-docs.zip.',
    );
    assert.equal(docs.catalogue().version('my-site-mr-123')?.project, 'my-site-mr');
    assert.match(await said('my-site-merge-request-4'), / my-site~merge-request-4-docs\.zip\.$/);
  });

  it('stages nothing before name and policy are checked', async () => {
    await assert.rejects(upload(new FakeArchives({}), 'bad'), { code: 'invalid_filename' });
    const elsewhere = tokenActor('elsewhere', { projects: ['b'] });
    await assert.rejects(upload(new FakeArchives({}), 'a-1.0-docs.zip', elsewhere), {
      code: 'project_not_allowed',
    });
    await publish(docs, 'a-1.0', { 'index.html': 'x' });
    docs.staged.length = 0;
    await assert.rejects(upload(new FakeArchives({})), { code: 'version_exists' });
    assert.deepEqual(docs.staged, []);
  });

  it('refuses an announced size before it reads a byte', async () => {
    const useCase = new UploadVersion(docs, new Changes(docs), new FakeArchives({}));
    const untouched = {
      [Symbol.asyncIterator]: () => assert.fail('the content was read'),
    };
    await assert.rejects(useCase.receive(CI, 'a-1.0-docs.zip', untouched, 1024 ** 4), {
      code: 'upload_too_large',
    });
    assert.deepEqual(docs.staged, []);
  });

  it('announces an archive before its first byte, and no refused archive', async () => {
    const archives = new FakeArchives({ 'index.html': 'x' });
    const useCase = new UploadVersion(docs, new Changes(docs), archives);
    async function* watched() {
      assert.equal(archives.expected, 1);
      yield* content();
    }
    await useCase.receive(CI, 'a-1.0-docs.zip', watched(), 7);
    await assert.rejects(useCase.receive(CI, 'bad', content(), 7));
    await assert.rejects(useCase.receive(CI, 'a-2.0-docs.zip', content(), 1024 ** 4));
    assert.equal(archives.expected, 1);
  });

  it('discards the staging when the archive is refused or anything else fails', async () => {
    for (const error of [refuse.invalidArchive('no zip'), new Error('a bug')]) {
      await assert.rejects(upload(new FakeArchives(error)), error);
      assert.equal(docs.staged.length > 0, true);
      assert.deepEqual(readdirSync(docs.directory), []);
    }
    assert.deepEqual((await docs.catalogue()).projects, []);
  });

  it('reports a full disk, whichever part noticed it', async () => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const full = Object.assign(new Error('write failed'), { code });
      await assert.rejects(upload(new FakeArchives(full)), { code: 'insufficient_storage', cause: full });
      docs.failure = full;
      await assert.rejects(upload(new FakeArchives({ 'index.html': '' })), { code: 'insufficient_storage' });
      docs.failure = undefined;
    }
    assert.deepEqual((await docs.catalogue()).projects, []);
  });

  it("names the winner's token after losing a race for a new version", async () => {
    const archives = new FakeArchives({ 'index.html': 'x' });
    archives.beforeUnpacking = () => publish(docs, 'a-1.0', { 'index.html': 'faster' });
    await assert.rejects(upload(archives), { message: /token 'ci' may not overwrite it/ });
  });

  describe('The reserve of free disk space', () => {
    const MIB = 1024 * 1024;
    const limits = { ...DEFAULT_UPLOAD_LIMITS, minFreeBytes: 100 * MIB };
    const full = {
      code: 'insufficient_storage',
      message: /too little space left; nothing was changed/,
    };
    const useCase = (archives: Archives) =>
      new UploadVersion(docs, new Changes(docs), archives, limits, docs);
    const execute = (archives: Archives, bytes: AsyncIterable<Uint8Array> = content()) =>
      useCase(archives).execute({ actor: CI, fileName: 'a-1.0-docs.zip', content: bytes });
    const nothingIsLeft = async () => {
      assert.deepEqual(readdirSync(docs.directory), []);
      assert.deepEqual((await docs.catalogue()).projects, []);
    };

    it('admits an upload that leaves exactly the reserve', async () => {
      docs.free = 100 * MIB;
      await useCase(new FakeArchives({})).assertRoom(0);
      docs.free = 101 * MIB;
      await useCase(new FakeArchives({})).assertRoom(MIB);
      await assert.rejects(useCase(new FakeArchives({})).assertRoom(MIB + 1), full);
      await execute(new FakeArchives({ 'index.html': 'x' }));
    });

    it('admits any upload when the reserve is turned off', async () => {
      // As some file systems in user space do.
      docs.free = 0;
      const off = { ...limits, minFreeBytes: 0 };
      await new UploadVersion(docs, new Changes(docs), new FakeArchives({}), off, docs).assertRoom(MIB);
    });

    it('aborts an upload of unannounced size that reaches the reserve', async () => {
      docs.free = 200 * MIB;
      let pieces = 0;
      async function* endless() {
        for (; pieces < 40; pieces++) {
          yield Buffer.alloc(8 * MIB);
          docs.free = Math.max(0, (docs.free ?? 0) - 8 * MIB);
        }
      }
      await assert.rejects(execute(new FakeArchives({ 'index.html': 'x' }), endless()), full);
      assert.ok(pieces < 24, `${pieces} pieces of 8 MiB were taken`);
      await nothingIsLeft();
    });

    it('bounds the unpacking by the free space', async () => {
      for (const [free, roomBytes] of [
        [150 * MIB, 50 * MIB],
        [50 * MIB, 0],
      ] as const) {
        docs.free = free;
        const archives = new FakeArchives(refuse.insufficientStorage());
        await assert.rejects(execute(archives), full);
        assert.equal(archives.limits?.roomBytes, roomBytes);
        await nothingIsLeft();
      }
    });

    it('is checked again before publishing, since other processes write as well', async () => {
      docs.free = 150 * MIB;
      const archives = new FakeArchives({ 'index.html': 'x' });
      archives.beforeUnpacking = async () => {
        docs.free = 99 * MIB;
      };
      await assert.rejects(execute(archives), full);
      await nothingIsLeft();
    });
  });

  async function* content() {
    yield Buffer.from('archive');
  }
});

/** A memory store that remembers what was staged, and can fail at publishing. */
class WatchedDocs extends MemoryDocStore {
  readonly staged: Staging[] = [];

  constructor(readonly directory: string) {
    super(directory);
  }

  failure: Error | undefined;
  /** Bytes that are free on the disk. */
  free = Number.POSITIVE_INFINITY;

  async freeBytes(): Promise<number> {
    return this.free;
  }

  override async stage(): Promise<Staging> {
    const staging = await super.stage();
    this.staged.push(staging);
    return staging;
  }

  override async publish(...call: Parameters<DocStore['publish']>) {
    if (this.failure !== undefined) throw storageRefusalOf(this.failure);
    return super.publish(...call);
  }
}
