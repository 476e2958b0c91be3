import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type DocStore,
  FRESHNESS_MS,
  NO_ARCHIVE_LIMITS,
  type Published,
  type ReadDocinfo,
  type Staging,
  type StoredFile,
} from '../../src/application/index.js';
import { parseDirectoryName, type Refusal, SitePath, type VersionId } from '../../src/domain/index.js';
import { FakeArchives, fakeArchiveOf } from '../support/fake-archives.js';

/** A store under test, and another view on the same data. */
export interface Subject {
  readonly store: DocStore;
  /** Directory that holds something for each staging, and nothing else. */
  readonly stagings: string;
  /** Another store over the same data; the same one when the data live in it. */
  another(): Promise<DocStore>;
  dispose(): Promise<void>;
}

type Files = Readonly<Record<string, string>>;

/** Stands in for YAML: the first line is the name; a line `broken` is a problem. */
export const firstLineDocinfo: ReadDocinfo = (text) =>
  text.startsWith('broken') ? { problem: 'is broken' } : { docinfo: { name: text.split('\n')[0] ?? '' } };

/** The promises of the port `DocStore`, sentence by sentence. */
export function docStoreContract(name: string, open: () => Promise<Subject>): void {
  describe(`${name} keeps the promises of a DocStore`, () => {
    let subject: Subject;
    let store: DocStore;
    beforeEach(async () => {
      subject = await open();
      store = subject.store;
    });
    afterEach(async () => subject.dispose());

    it('starts empty', async () => {
      assert.deepEqual(store.catalogue().projects, []);
    });

    it('gives the same catalogue as long as nothing changes', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      const catalogue = store.catalogue();
      await new Promise(setImmediate);
      assert.equal(store.catalogue(), catalogue);
    });

    it('reads published files back byte for byte', async () => {
      const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code));
      await publish(store, 'a-1.0', {
        'index.html': bytes,
        'deep/er/ünï.txt': 'x'.repeat(300_000),
        'empty.txt': '',
      });
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), bytes);
      assert.equal(await readPage(store, 'a-1.0', 'deep/er/ünï.txt'), 'x'.repeat(300_000));
      assert.equal(await readPage(store, 'a-1.0', 'empty.txt'), '');
    });

    it('reads a range of a file', async () => {
      await publish(store, 'a-1.0', { 'index.html': '0123456789' });
      const file = await openFile(store, 'a-1.0', 'index.html');
      assert.equal(file.size, 10);
      assert.equal(await textOf(file, { start: 2, end: 4 }), '234');
    });

    it('gives the archive back byte for byte', async () => {
      const { version } = await publish(store, 'a-1.0', { 'index.html': 'the archive' });
      assert.equal(await textOf(await store.openArchive(version)), 'the archive');
      const sha256 = createHash('sha256').update('the archive').digest('hex');
      assert.deepEqual(version.archive, { size: 11, sha256 });
    });

    it('tells directories from files, and nothing from both', async () => {
      await publish(store, 'a-1.0', { 'guide/index.html': 'one' });
      assert.equal((await entry(store, 'a-1.0', 'guide'))?.kind, 'directory');
      assert.equal((await entry(store, 'a-1.0', ''))?.kind, 'directory');
      assert.equal(await entry(store, 'a-1.0', 'guide/nothing'), undefined);
      assert.equal(await entry(store, 'a-1.0', 'guide/index.html/below'), undefined);
    });

    it('lists the first files by path, without hidden ones, up to a number, and says whether there are more', async () => {
      await publish(store, 'a-1.0', {
        'b.html': '',
        'a/z.html': '',
        '.hidden': '',
        '.git/config': '',
        'a-b/c.html': '',
        'a.html': '',
        '.well-known/x': '',
      });
      const version = await versionOf(store, 'a-1.0');
      const paths = ['.well-known/x', 'a-b/c.html', 'a.html', 'a/z.html', 'b.html'];
      assert.deepEqual(await store.listFiles(version, 5), { paths, more: false });
      assert.deepEqual(await store.listFiles(version, 4), { paths: paths.slice(0, 4), more: true });
    });

    it('keeps what is known of a version', async () => {
      const publishedAt = new Date('2026-01-02T03:04:05.678Z');
      await publish(store, 'a-1.0', { 'index.html': 'one', 'docinfo.yaml': 'A Name' }, { publishedAt });
      for (const view of [store, await subject.another()]) {
        const version = await versionOf(view, 'a-1.0');
        assert.deepEqual(version.publishedAt, publishedAt);
        assert.deepEqual(version.docinfo, { name: 'A Name' });
        assert.deepEqual(version.site, { files: 2, bytes: 9 });
        assert.equal(version.origin, 'upload');
        assert.equal(view.catalogue().project('a')?.name, 'A Name');
      }
    });

    it('reads a docinfo of 8 KiB, and ignores a larger one with a reason, whatever its last name', async () => {
      const limit = 8 * 1024;
      const fits = await publish(store, 'a-1.0', {
        'docinfo.yaml': `Fits\n${'é'.repeat((limit - 6) / 2)}\n`,
      });
      assert.deepEqual([fits.version.docinfo?.name, fits.docinfoProblem], ['Fits', undefined]);
      for (const file of ['docinfo.yaml', 'docinfo.yml', 'docinfo.json']) {
        const { version, docinfoProblem } = await publish(
          store,
          'a-2.0',
          { [file]: 'Large\n'.padEnd(limit + 1), 'index.html': 'served' },
          { replace: true },
        );
        assert.deepEqual([version.docinfo, docinfoProblem], [undefined, `${file} is larger than 8192 bytes`]);
        assert.equal(await readPage(store, 'a-2.0', 'index.html'), 'served');
      }
    });

    it('publishes a site whose docinfo is broken, and says why it was ignored', async () => {
      const { docinfoProblem, version } = await publish(store, 'a-1.0', { 'docinfo.json': 'broken' });
      assert.equal(docinfoProblem, 'docinfo.json is broken');
      assert.equal(version.docinfo, undefined);
    });

    it('shows nothing of what is only staged', async () => {
      await stageSite(store, { 'index.html': 'one' });
      assert.deepEqual(store.catalogue().projects, []);
    });

    it('leaves nothing of a staging that is discarded, however often', async () => {
      const { staging } = await stageSite(store, { 'index.html': 'one' });
      assert.equal((await readdir(subject.stagings)).length, 1);
      await staging.discard();
      await staging.discard();
      assert.deepEqual(await readdir(subject.stagings), []);
    });

    it('keeps what was published when its staging is discarded afterwards', async () => {
      const { staging, publication } = await stageSite(store, { 'index.html': 'one' });
      await store.publish(staging, { ...publication, id: idOf('a-1.0') }, { replace: false });
      await staging.discard();
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'one');
    });

    it('stops receiving as soon as there are too many bytes', async () => {
      const staging = await store.stage();
      let sent = 0;
      async function* endless() {
        for (;;) {
          sent += 1;
          yield Buffer.alloc(10);
        }
      }
      await assert.rejects(staging.receive(endless(), 25), { code: 'upload_too_large' });
      assert.equal(sent, 3);
      await staging.discard();
      assert.deepEqual(await readdir(subject.stagings), []);
    });

    it('passes on an error of the sender and can discard what came until then', async () => {
      const staging = await store.stage();
      async function* broken() {
        yield Buffer.from('some');
        throw new Error('the line went dead');
      }
      await assert.rejects(staging.receive(broken(), 1_000), /the line went dead/);
      await staging.discard();
      assert.deepEqual(await readdir(subject.stagings), []);
    });

    it('refuses to publish over a version without being told so, and leaves it as it was', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      const before = store.catalogue();
      const { staging, publication } = await stageSite(store, { 'index.html': 'two' });
      const refused = store.publish(staging, { ...publication, id: idOf('a-1.0') }, { replace: false });
      await assert.rejects(refused, { code: 'version_exists' });
      await staging.discard();
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'one');
      assert.deepEqual(store.catalogue().projects, before.projects);
      assert.deepEqual(await readdir(subject.stagings), []);
    });

    it('replaces a version wholly when it is told so', async () => {
      assert.equal((await publish(store, 'a-1.0', { 'index.html': 'one', 'old.html': '' })).replaced, false);
      const second = await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      assert.equal(second.replaced, true);
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'two');
      assert.equal(await entry(store, 'a-1.0', 'old.html'), undefined);
      assert.equal(await textOf(await store.openArchive(second.version)), 'two');
    });

    it('gives the files of a replacement other ETags', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      const before = await openFile(store, 'a-1.0', 'index.html');
      await before.close();
      await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      const after = await openFile(store, 'a-1.0', 'index.html');
      await after.close();
      assert.notEqual(after.etag, before.etag);
    });

    it('lets a file that was opened be read to its end after a replacement and a removal', async () => {
      const text = 'x'.repeat(2_000_000);
      await publish(store, 'a-1.0', { 'index.html': text });
      const file = await openFile(store, 'a-1.0', 'index.html');
      await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      await store.remove(idOf('a-1.0'));
      assert.equal(await textOf(file), text);
    });

    it('lets exactly one of many publications of a new version win, entire', async () => {
      const texts = Array.from({ length: 8 }, (_, number) => `site ${number}`);
      const staged = await Promise.all(
        texts.map((text) => stageSite(store, { 'index.html': text, 'b.html': text })),
      );
      const outcomes = await Promise.allSettled(
        staged.map(({ staging, publication }) =>
          store.publish(staging, { ...publication, id: idOf('a-1.0') }, { replace: false }),
        ),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.equal((outcome.reason as Refusal).code, 'version_exists');
      }
      const winner = texts[outcomes.findIndex(({ status }) => status === 'fulfilled')];
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), winner);
      assert.equal(await readPage(store, 'a-1.0', 'b.html'), winner);
    });

    it('removes one version and leaves those whose names begin alike', async () => {
      for (const name of ['a-1.0', 'a-1.0.1', 'a-b-1.0', 'a-1.0-rc1'])
        await publish(store, name, { 'index.html': name });
      await store.remove(idOf('a-1.0'));
      assert.equal(store.catalogue().version('a-1.0'), undefined);
      for (const name of ['a-1.0.1', 'a-b-1.0', 'a-1.0-rc1']) {
        assert.equal(await readPage(store, name, 'index.html'), name);
      }
    });

    it('removes a project with its last version', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await store.remove(idOf('a-1.0'));
      assert.equal(store.catalogue().project('a'), undefined);
    });

    it('refuses to remove what is not there, and what was removed already', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await assert.rejects(store.remove(idOf('b-1.0')), { code: 'project_not_found' });
      await assert.rejects(store.remove(idOf('a-2.0')), { code: 'version_not_found' });
      await store.remove(idOf('a-1.0'));
      await assert.rejects(store.remove(idOf('a-1.0')), { code: 'project_not_found' });
    });

    it('publishes again under a name that was removed', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await store.remove(idOf('a-1.0'));
      assert.equal((await publish(store, 'a-1.0', { 'index.html': 'two' })).replaced, false);
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'two');
    });

    it('shows the same to a second store over the same data, both ways, within the stated time', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      const other = await subject.another();
      assert.equal(await readPage(other, 'a-1.0', 'index.html'), 'one');
      const { version } = await publish(other, 'b-1.0', { 'index.html': 'from the other' });
      await soon(() => store.catalogue().version('b-1.0')?.revision === version.revision);
      assert.equal(await readPage(store, 'b-1.0', 'index.html'), 'from the other');
      const second = await publish(other, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      await soon(() => store.catalogue().version('a-1.0')?.revision === second.version.revision);
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'two');
      await other.remove(idOf('a-1.0'));
      await soon(() => store.catalogue().version('a-1.0') === undefined);
    });

    it('gives each publication of a version a revision of its own, also after a removal', async () => {
      const revisions = new Set<string>();
      for (const replace of [false, true, true]) {
        const { version } = await publish(store, 'a-1.0', { 'index.html': 'one' }, { replace });
        assert.equal(store.catalogue().version('a-1.0')?.revision, version.revision);
        revisions.add(version.revision);
      }
      await store.remove(idOf('a-1.0'));
      revisions.add((await publish(store, 'a-1.0', { 'index.html': 'one' })).version.revision);
      revisions.add((await publish(store, 'b-1.0', { 'index.html': 'one' })).version.revision);
      assert.equal(revisions.size, 5);
    });

    it('shows the same revision to a second store', async () => {
      const { version } = await publish(store, 'a-1.0', { 'index.html': 'one' });
      const other = await subject.another();
      assert.equal(other.catalogue().version('a-1.0')?.revision, version.revision);
    });

    it('removes a version only if it still has the expected revision', async () => {
      const first = await publish(store, 'a-1.0', { 'index.html': 'one' });
      const second = await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      const outdated = store.remove(idOf('a-1.0'), { revision: first.version.revision });
      await assert.rejects(outdated, { code: 'version_not_found' });
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'two');
      await store.remove(idOf('a-1.0'), { revision: second.version.revision });
      assert.equal(store.catalogue().version('a-1.0'), undefined);
    });

    it('removes no version that a second store has replaced, whatever this one knows yet', async () => {
      const first = await publish(store, 'a-1.0', { 'index.html': 'one' });
      const other = await subject.another();
      await publish(other, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      const outdated = store.remove(idOf('a-1.0'), { revision: first.version.revision });
      await assert.rejects(outdated, { code: 'version_not_found' });
      assert.equal(await readPage(other, 'a-1.0', 'index.html'), 'two');
    });

    it('tells subscribers what came and what went, after the catalogue shows it', async () => {
      const told: string[] = [];
      const end = store.subscribe(({ came, gone }) => {
        for (const { directoryName, revision } of gone) {
          assert.notEqual(store.catalogue().version(directoryName)?.revision, revision);
          told.push(`gone ${revision}`);
        }
        for (const { directoryName, revision } of came) {
          assert.equal(store.catalogue().version(directoryName)?.revision, revision);
          told.push(`came ${revision}`);
        }
      });
      const first = (await publish(store, 'a-1.0', { 'index.html': 'one' })).version.revision;
      const second = (await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true })).version
        .revision;
      await store.remove(idOf('a-1.0'));
      const expected = [`came ${first}`, `gone ${first}`, `came ${second}`, `gone ${second}`];
      assert.deepEqual(told, expected);
      end();
      await publish(store, 'b-1.0', { 'index.html': 'one' });
      assert.deepEqual(told, expected);
    });

    it('tells subscribers of what a second store does', async () => {
      const told = new Set<string>();
      const other = await subject.another();
      store.subscribe(({ came, gone }) => {
        for (const { revision } of came) told.add(`came ${revision}`);
        for (const { revision } of gone) told.add(`gone ${revision}`);
      });
      const { revision } = (await publish(other, 'a-1.0', { 'index.html': 'one' })).version;
      await soon(() => told.has(`came ${revision}`));
      await other.remove(idOf('a-1.0'));
      await soon(() => told.has(`gone ${revision}`));
    });

    it('keeps documents of a project, whether it has versions or not', async () => {
      assert.equal(await store.documents.read('a', 'settings'), undefined);
      await store.documents.write('a', 'settings', '{"ü":1}');
      await store.documents.write('b', 'settings', 'other');
      await store.documents.write('a', 'settings', '{"ü":2}');
      const other = await subject.another();
      for (const view of [store, other]) {
        assert.equal(await view.documents.read('a', 'settings'), '{"ü":2}');
        assert.equal(await view.documents.read('a', 'else'), undefined);
      }
      await other.documents.write('a', 'settings', undefined);
      await other.documents.write('a', 'settings', undefined);
      assert.equal(await store.documents.read('a', 'settings'), undefined);
      assert.equal(await store.documents.read('b', 'settings'), 'other');
      assert.deepEqual(store.catalogue().projects, []);
    });

    it('takes no name of a document that leads anywhere else, and none of more than 64 KiB', async () => {
      await store.documents.write('a', 'settings', 'old');
      for (const name of ['', '.', '..', '../../x', 'a/b', 'A', 'ü', 'x'.repeat(41), 'settings.json', '\0']) {
        await assert.rejects(store.documents.write('a', name, 'x'), RangeError, name);
        await assert.rejects(store.documents.read('a', name), RangeError, name);
      }
      for (const project of ['', '.', '..', 'a/b', '.hidden', 'a-', 'x'.repeat(101), 'a-1.0.0', '\0']) {
        await assert.rejects(store.documents.write(project, 'settings', 'x'), RangeError, project);
        await assert.rejects(store.documents.read(project, 'settings'), RangeError, project);
      }
      const longest = 'ü'.repeat(32 * 1024);
      await assert.rejects(store.documents.write('a', 'settings', `${longest}!`), RangeError);
      assert.equal(await store.documents.read('a', 'settings'), 'old');
      await store.documents.write('a', 'settings', longest);
      assert.equal(await store.documents.read('a', 'settings'), longest);
    });

    it('takes no name of a derived file that leads anywhere else', async () => {
      const { revision } = (await publish(store, 'a-1.0', { 'index.html': 'one' })).version;
      for (const name of ['', '..', '../x', 'a/b', '.hidden', '1', 'A', 'x'.repeat(41)]) {
        await assert.rejects(store.derived.write(revision, name, chunks('x')), RangeError, name);
        await assert.rejects(store.derived.open(revision, name), RangeError, name);
      }
      for (const other of ['', '..', '../sites', 'a/b', '.hidden']) {
        await assert.rejects(store.derived.write(other, 'index', chunks('x')), RangeError, other);
        await assert.rejects(store.derived.open(other, 'index'), RangeError, other);
      }
    });

    it('keeps files derived from a publication, whole or not at all, as long as it stands', async () => {
      const { revision } = (await publish(store, 'a-1.0', { 'index.html': 'one' })).version;
      assert.equal(await store.derived.open(revision, 'index.db'), undefined);
      await store.derived.write(revision, 'index.db', chunks('first index'));
      await store.derived.write(revision, 'index.db', chunks('second index'));
      const file = await store.derived.open(revision, 'index.db');
      assert.equal(file && (await textOf(file)), 'second index');
      async function* broken() {
        yield Buffer.from('half of');
        throw new Error('the builder went away');
      }
      await assert.rejects(store.derived.write(revision, 'index.db', broken()), /went away/);
      await assert.rejects(store.derived.write(revision, 'text', broken()), /went away/);
      const kept = await store.derived.open(revision, 'index.db');
      assert.equal(kept && (await textOf(kept)), 'second index');
      assert.equal(await store.derived.open(revision, 'text'), undefined);
      await store.remove(idOf('a-1.0'));
      await soon(async () => (await store.derived.open(revision, 'index.db')) === undefined);
    });

    it('takes names at the limit of their length', async () => {
      const name = `${'p'.repeat(90)}-1.${'2'.repeat(98)}`;
      await publish(store, name, { [`${'d'.repeat(255)}/${'f'.repeat(250)}.html`]: 'deep' });
      assert.equal(await readPage(store, name, `${'d'.repeat(255)}/${'f'.repeat(250)}.html`), 'deep');
    });

    it('takes prototype names for names', async () => {
      await publish(store, 'constructor-1.0', { 'index.html': 'one', '__proto__/constructor': 'file' });
      assert.equal(await readPage(store, 'constructor-1.0', '__proto__/constructor'), 'file');
      assert.equal(store.catalogue().project('toString'), undefined);
      assert.equal(await entry(store, 'constructor-1.0', 'toString'), undefined);
    });

    it('shows a reader the old site or the new one while it is replaced, never a mixture', async () => {
      const text = (round: number) => `${round} `.repeat(2_000);
      await publish(store, 'a-1.0', { 'index.html': text(0) });
      let done = false;
      const seen = new Set<string>();
      const readers = Array.from({ length: 4 }, async () => {
        while (!done) {
          const body = await readPage(store, 'a-1.0', 'index.html');
          const round = Number.parseInt(body, 10);
          assert.equal(body, text(round));
          seen.add(body);
          // A store that never waits for a disk would leave no room for the one who publishes.
          await new Promise(setImmediate);
        }
      });
      try {
        for (let round = 1; round <= 25; round++) {
          await publish(store, 'a-1.0', { 'index.html': text(round) }, { replace: true });
        }
      } finally {
        done = true;
      }
      await Promise.all(readers);
      assert.ok(seen.size > 1);
    });

    it('may be closed twice', async () => {
      await store.close();
      await store.close();
    });
  });
}

interface Extras {
  readonly replace?: boolean;
  readonly publishedAt?: Date;
}

/** Stages a site and publishes it. Its archive is the content of its files. */
export async function publish(
  store: DocStore,
  name: string,
  files: Files,
  extras: Extras = {},
): Promise<Published> {
  const { staging, publication } = await stageSite(store, files, extras);
  return store.publish(staging, { ...publication, id: idOf(name) }, { replace: extras.replace ?? false });
}

export async function stageSite(store: DocStore, files: Files, { publishedAt = new Date() }: Extras = {}) {
  const staging: Staging = await store.stage();
  const received = await staging.receive(halves(fakeArchiveOf(files)), 3_000_000);
  const { files: count, bytes } = await staging.prepare(new FakeArchives(files), NO_ARCHIVE_LIMITS);
  const site = { files: count, bytes };
  return { staging, publication: { publishedAt, archive: received, site, token: 'ci' } };
}

function chunks(text: string) {
  return halves(Buffer.from(text));
}

async function* halves(bytes: Uint8Array) {
  yield bytes.subarray(0, bytes.length / 2);
  yield bytes.subarray(bytes.length / 2);
}

export function idOf(name: string): VersionId {
  return parseDirectoryName(name) ?? assert.fail(`${name} is no version`);
}

export async function versionOf(store: DocStore, name: string) {
  return store.catalogue().version(name) ?? assert.fail(`${name} is not there`);
}

async function entry(store: DocStore, name: string, path: string) {
  return store.open(await versionOf(store, name), pathOf(path));
}

function pathOf(path: string): SitePath {
  return SitePath.of(path) ?? assert.fail(path);
}

async function openFile(store: DocStore, name: string, path: string): Promise<StoredFile> {
  const found = await entry(store, name, path);
  return found?.kind === 'file' ? found.file : assert.fail(`${path} is no file`);
}

export async function readPage(store: DocStore, name: string, path: string): Promise<string> {
  return textOf(await openFile(store, name, path));
}

export async function textOf(file: StoredFile, range?: { start: number; end: number }): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.stream(range)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Waits until something holds that a store promises within `FRESHNESS_MS`, with room for a busy machine. */
async function soon(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 5 * FRESHNESS_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `not within ${5 * FRESHNESS_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
