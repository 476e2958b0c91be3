import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { readYamlDocinfo } from '../../src/adapters/yaml/index.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import {
  Changes,
  type CopyOptions,
  type CopyStep,
  copyVersions,
  type DocStore,
  NO_ARCHIVE_LIMITS,
  type Publication,
  type StoredFile,
} from '../../src/application/index.js';
import {
  Catalogue,
  NO_SETTINGS,
  refuse,
  type Version,
  withAlias,
  withHidden,
} from '../../src/domain/index.js';
import { idOf, readPage, textOf, versionOf } from '../contracts/doc-store.js';
import { zipOf } from '../support/zip-writer.js';

/** A store that notes what is published in it. */
class NotingStore extends MemoryDocStore {
  readonly publications: Publication[] = [];
  override async publish(...args: Parameters<MemoryDocStore['publish']>) {
    const published = await super.publish(...args);
    this.publications.push(args[1]);
    return published;
  }
}

/** A store whose versions are copied-in directories. */
class CopiedInStore extends NotingStore {
  override catalogue(): Catalogue {
    const versions = super.catalogue().projects.flatMap((project) => project.versions);
    return Catalogue.of(
      versions.map((version): Version => {
        const { publishedAt, docinfo } = version.record;
        return { ...version, origin: 'copied', record: { publishedAt, docinfo } };
      }),
    );
  }
}

describe('Copying versions from one store to another', () => {
  const archives = new ZipArchives(readYamlDocinfo);
  let directory: string | undefined;
  let source: NotingStore;
  let target: NotingStore;

  beforeEach(async () => {
    if (directory !== undefined) await rm(directory, { recursive: true });
    directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    source = new NotingStore(directory);
    target = new NotingStore(directory);
  });
  after(async () => {
    await archives.close();
    await rm(directory ?? '', { recursive: true, force: true });
  });

  async function publish(store: DocStore, name: string, page: string, day = 1) {
    const staging = await store.stage();
    const bytes = zipOf({ 'index.html': page, 'docinfo.yaml': `name: ${page}` });
    const archive = await staging.receive(
      (async function* () {
        yield bytes;
      })(),
      1_000_000,
    );
    const { facts } = await staging.prepare(archives, NO_ARCHIVE_LIMITS);
    const publishedAt = new Date(Date.UTC(2026, 0, day));
    const source = { toldBy: 'client', repository: 'acme/widgets', commit: 'abc1234' } as const;
    const record = { publishedAt, archive, ...facts, token: 'ci', source };
    await store.publish(staging, { id: idOf(name), record }, { replace: false });
    return bytes;
  }

  async function copy(options: Partial<CopyOptions> = {}, from: DocStore = source): Promise<CopyStep[]> {
    const steps: CopyStep[] = [];
    for await (const step of copyVersions(
      from,
      { docs: target, changes: new Changes(target) },
      { archives, ...options },
    ))
      steps.push(step);
    assert.deepEqual(await readdir(directory ?? ''), [], 'a staging is left');
    return steps;
  }
  const outcomes = (steps: readonly CopyStep[]) =>
    steps.map(({ name, outcome, why }) => (why === undefined ? [name, outcome] : [name, outcome, why]));
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  it('copies project settings before any version, so that hidden versions never show, and keeps other settings', async () => {
    await publish(source, 'a-1.0', 'one');
    await publish(source, 'b-1.0', 'one');
    const hidden = withHidden(NO_SETTINGS, '1.0', true);
    const other = withHidden(NO_SETTINGS, '2.0', true);
    await source.changeSettings('a', () => hidden);
    await source.changeSettings('b', () => hidden);
    await source.changeSettings('c', () => hidden);
    await target.changeSettings('b', () => other);
    await target.changeSettings('c', () => hidden);
    assert.deepEqual(await copy(), [
      { name: 'settings of a', done: 1, total: 5, outcome: 'copied' },
      {
        name: 'settings of b',
        done: 2,
        total: 5,
        outcome: 'not copied',
        why: 'different settings exist there',
      },
      { name: 'settings of c', done: 3, total: 5, outcome: 'already exists' },
      { name: 'a-1.0', done: 4, total: 5, outcome: 'copied' },
      { name: 'b-1.0', done: 5, total: 5, outcome: 'copied' },
    ]);
    assert.deepEqual(target.catalogue().settingsOf('a'), hidden);
    assert.deepEqual(target.catalogue().settingsOf('b'), other);
    assert.deepEqual(target.catalogue().project('a')?.listed, []);
  });

  it('copies settings with an alias whose address is a project of the target, where the alias is shadowed', async () => {
    await publish(source, 'a-1.0', 'one');
    const settings = withHidden(withAlias(NO_SETTINGS, 'b', '1.0'), '1.0', true);
    await source.changeSettings('a', () => settings);
    await publish(target, 'a-b-7.0', 'seven');
    assert.deepEqual(outcomes(await copy()), [
      ['settings of a', 'copied'],
      ['a-1.0', 'copied'],
    ]);
    assert.deepEqual(target.catalogue().settingsOf('a'), settings);
    assert.equal(target.catalogue().resolve('a-b'), undefined);
  });

  it('copies no settings with an alias named like a version of the target', async () => {
    await publish(source, 'a-1.0', 'one');
    await source.changeSettings('a', () => withAlias(NO_SETTINGS, 'b', '1.0'));
    await publish(target, 'a-b', 'b');
    const [[, outcome] = []] = outcomes(await copy());
    assert.equal(outcome, 'not copied');
    assert.equal(target.catalogue().settingsOf('a'), NO_SETTINGS);
  });

  it("gives the target the source's archives, times and docinfos, byte for byte", async () => {
    const bytes = await publish(source, 'a-1.0', 'one');
    await publish(source, 'b-1.0', 'two', 2);
    const steps = await copy();
    assert.deepEqual(steps[1], { name: 'b-1.0', done: 2, total: 2, outcome: 'copied' });
    const { revision: _, ...copied } = await versionOf(target, 'a-1.0');
    const { revision: __, ...original } = await versionOf(source, 'a-1.0');
    assert.deepEqual(copied, original);
    assert.equal(copied.record.source?.commit, 'abc1234');
    assert.equal(copied.record.archive?.sha256, sha256(bytes));
    assert.equal(copied.record.docinfo?.name, 'one');
    assert.equal(await readPage(target, 'a-1.0', 'index.html'), 'one');
  });

  it('publishes in the order of the source, so that latest does not jump', async () => {
    await publish(source, 'a-2.0', 'second', 2);
    await publish(source, 'a-1.1', 'third', 3);
    await publish(source, 'a-1.0', 'first', 1);
    assert.deepEqual(
      (await copy()).map(({ name }) => name),
      ['a-1.0', 'a-2.0', 'a-1.1'],
    );
  });

  it('records the token known to the source, otherwise the copy itself as the actor', async () => {
    await publish(source, 'a-1.0', 'one', 1);
    await copy();
    const copiedIn = new CopiedInStore(directory);
    await publish(copiedIn, 'a-2.0', 'two', 2);
    await copy({}, copiedIn);
    assert.deepEqual(
      target.publications.map(({ record }) => record.token),
      ['ci', 'lectern copy'],
    );
  });

  it('copies only missing versions when repeated', async () => {
    await publish(source, 'a-1.0', 'one', 1);
    await copy();
    await publish(source, 'a-2.0', 'two', 2);
    assert.deepEqual(outcomes(await copy()), [
      ['a-1.0', 'already exists'],
      ['a-2.0', 'copied'],
    ]);
    assert.equal(target.publications.length, 2);
  });

  it('keeps a version that exists with another archive, reports it, and copies all other versions', async () => {
    await publish(source, 'a-1.0', 'of the source', 1);
    await publish(source, 'a-2.0', 'two', 2);
    await publish(target, 'a-1.0', 'of the target');
    const before = target.catalogue().version('a-1.0');
    assert.deepEqual(outcomes(await copy()), [
      ['a-1.0', 'not copied', 'another archive already exists there under this name'],
      ['a-2.0', 'copied'],
    ]);
    assert.equal(target.catalogue().version('a-1.0'), before);
    assert.equal(await readPage(target, 'a-1.0', 'index.html'), 'of the target');
  });

  it('turns copied-in directories into uploads, reports them, and recognises them when repeated', async () => {
    const copied = new CopiedInStore(directory);
    await publish(copied, 'a-1.0', 'one');
    assert.deepEqual(outcomes(await copy({}, copied)), [
      ['a-1.0', 'copied', 'a copied-in directory; it becomes an upload there'],
    ]);
    assert.equal((await versionOf(target, 'a-1.0')).origin, 'upload');
    assert.deepEqual(outcomes(await copy({}, copied)), [['a-1.0', 'already exists']]);
    assert.equal(target.publications.length, 1);
  });

  it('copies no damaged, missing or concurrently removed archive', async () => {
    await publish(source, 'a-1.0', 'one', 1);
    await publish(source, 'b-1.0', 'two', 2);
    await publish(source, 'c-1.0', 'three', 3);
    await publish(source, 'd-1.0', 'four', 4);
    const openArchive = source.openArchive.bind(source);
    source.openArchive = async (version): Promise<StoredFile> => {
      if (version.project === 'b') throw refuse.versionNotFound('b', '1.0');
      if (version.project === 'd') await source.remove(version);
      const file = await openArchive(version);
      if (version.project !== 'a') return file;
      const damaged = Buffer.from(await textOf(file)).fill(0, 10, 20);
      return Object.assign(Object.create(file), {
        stream: async function* () {
          yield damaged;
        },
      });
    };
    assert.deepEqual(outcomes(await copy()), [
      ['a-1.0', 'not copied', 'its archive at the source is not the uploaded one: the SHA-256 differs'],
      ['b-1.0', 'not copied', 'its archive is missing at the source'],
      ['c-1.0', 'copied'],
      ['d-1.0', 'not copied', 'it was removed or replaced in the meantime'],
    ]);
    assert.deepEqual(
      target.catalogue().projects.map(({ directoryName }) => directoryName),
      ['c'],
    );
  });

  it('does not replace a version published at the target meanwhile', async () => {
    await publish(source, 'a-1.0', 'of the source');
    const openArchive = source.openArchive.bind(source);
    source.openArchive = async (version) => {
      await publish(target, 'a-1.0', 'of the target');
      return openArchive(version);
    };
    assert.deepEqual(outcomes(await copy()), [
      ['a-1.0', 'not copied', 'it was published there in the meantime'],
    ]);
    assert.equal(await readPage(target, 'a-1.0', 'index.html'), 'of the target');
  });

  it('stops at once when aborted, keeps copied versions, and resumes with the next version', async () => {
    await publish(source, 'a-1.0', 'one', 1);
    await publish(source, 'a-2.0', 'two', 2);
    const controller = new AbortController();
    const openArchive = source.openArchive.bind(source);
    source.openArchive = async (version) => {
      if (version.label === '2.0') controller.abort(new Error('enough'));
      return openArchive(version);
    };
    await assert.rejects(copy({ signal: controller.signal }), /enough/);
    assert.deepEqual(await readdir(directory ?? ''), []);
    assert.equal(target.publications.length, 1);
    source.openArchive = openArchive;
    assert.deepEqual(outcomes(await copy()), [
      ['a-1.0', 'already exists'],
      ['a-2.0', 'copied'],
    ]);
  });
});
