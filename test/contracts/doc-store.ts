import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  Changes,
  type DocStore,
  ExpirePreviews,
  NO_ARCHIVE_LIMITS,
  type Published,
  type Removal,
  type RemovedVersion,
  type Staging,
  type StoredFile,
} from '../../src/application/index.js';
import {
  type Catalogue,
  NO_SETTINGS,
  type ProjectSettings,
  parseDirectoryName,
  type Refusal,
  refuse,
  SitePath,
  type Source,
  type Version,
  type VersionId,
  withAlias,
  withDeprecated,
  withHidden,
} from '../../src/domain/index.js';
import { FakeArchives, fakeArchiveOf } from '../support/fake-archives.js';
import { tick } from '../support/tick.js';
import { until } from '../support/until.js';
import { madeTokensContract } from './made-tokens.js';
import { type DocStoreSubject, KEEP_REMOVED_MS } from './subjects.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Settings with everything that can be set. */
const FULL: ProjectSettings = {
  aliases: new Map([
    ['latest', '1.0'],
    ['lts', '1.x'],
  ]),
  hidden: new Set(['0.9', '2.0-rc1']),
  deprecated: new Map([['1.0', 'Wörter gehen verloren; take 1.1']]),
  retention: { keepPerMinor: 3, keepPreReleases: 0, preReleaseDays: 7, maxAgeDays: 365, copiedIn: true },
  about: { title: 'Größen', group: 'Payments', tags: ['sdk', 'python'], owner: 'Team Blue' },
};

/** A source with all its facts. */
const SOURCE: Source = {
  toldBy: 'issuer',
  repository: 'acme/widgets',
  commit: '2c26b46b68ffc68ff99b453c1d30413413422d70',
  ref: 'refs/heads/größe',
  run: '42',
  attempt: '1',
  service: { name: 'github', address: 'https://git.example.org:8443' },
  isPublic: true,
};

/**
 * Tests the promises of the port `DocStore`, sentence by sentence, with node:test.
 * @param name of the store, for the titles of the tests
 * @param open is called before each test
 */
export function docStoreContract(name: string, open: () => Promise<DocStoreSubject>): void {
  madeTokensContract(name, open);
  describe(`${name} keeps the promises of a DocStore`, () => {
    let subject: DocStoreSubject;
    let store: DocStore;
    beforeEach(async () => {
      subject = await open();
      store = subject.store;
    });
    afterEach(async () => subject.dispose());
    const assertStagings = async (count: number) => {
      if (subject.stagings !== undefined) assert.equal((await readdir(subject.stagings)).length, count);
    };

    it('starts empty', async () => {
      assert.deepEqual(store.catalogue().projects, []);
    });

    it('gives the same catalogue as long as nothing changes', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      const catalogue = store.catalogue();
      await new Promise(setImmediate);
      assert.equal(store.catalogue(), catalogue);
    });

    it('reads published files byte for byte', async () => {
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

    it('returns the charset of each text file that is not UTF-8, to a second store too', async () => {
      const inKoi8 = (start: string, size = 0) =>
        Buffer.from(`${start}\xf0\xd2\xc9${' '.repeat(size)}`, 'latin1');
      const files = {
        'index.html': 'ü',
        'koi8.html': inKoi8('<meta charset=koi8-r>'),
        'large.html': inKoi8('<meta charset=koi8-r>', 300_000),
        'koi8.js': inKoi8(''),
        'utf16.html': Buffer.from('\ufeffx', 'utf16le'),
        'a.png': inKoi8(''),
      };
      const { version } = await publish(store, 'a-1.0', files);
      assert.deepEqual(version.record.charsets, ['KOI8-R', 'UTF-16', 'unknown']);
      const charsetsIn = async (view: DocStore) => {
        const found: (string | undefined)[] = [];
        for (const path of Object.keys(files)) {
          const file = await openFile(view, 'a-1.0', path);
          found.push(file.charset);
          await file.close();
        }
        return found;
      };
      const expected = [undefined, 'KOI8-R', 'KOI8-R', 'unknown', 'UTF-16', undefined];
      assert.deepEqual(await charsetsIn(store), expected);
      const other = await subject.another();
      assert.deepEqual(await charsetsIn(other), expected);
    });

    it('returns the archive byte for byte', async () => {
      const { version } = await publish(store, 'a-1.0', { 'index.html': 'the archive' });
      assert.equal(await textOf(await store.openArchive(version)), 'the archive');
      const sha256 = createHash('sha256').update('the archive').digest('hex');
      assert.deepEqual(version.record.archive, { size: 11, sha256 });
    });

    it('distinguishes directories, files and missing paths', async () => {
      await publish(store, 'a-1.0', { 'guide/index.html': 'one' });
      assert.equal((await entry(store, 'a-1.0', 'guide'))?.kind, 'directory');
      assert.equal((await entry(store, 'a-1.0', ''))?.kind, 'directory');
      assert.equal(await entry(store, 'a-1.0', 'guide/nothing'), undefined);
      assert.equal(await entry(store, 'a-1.0', 'guide/index.html/below'), undefined);
    });

    it('lists the first files by path, without hidden ones, up to a number, and reports whether more exist', async () => {
      await publish(store, 'a-1.0', {
        'b.html': 'seven b',
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
      assert.deepEqual(await store.listFiles(version, 5, true), {
        paths,
        sizes: [0, 0, 0, 0, 7],
        more: false,
      });
    });

    it('has a checksum of each file, equal for equal content in any version', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one', 'a/b.html': 'b', '.hidden': '' });
      await publish(store, 'a-2.0', { 'index.html': 'two', 'a/b.html': 'b' });
      for (const view of [store, await subject.another()]) {
        const one = (await view.checksums(await versionOf(view, 'a-1.0'))) ?? assert.fail();
        const two = (await view.checksums(await versionOf(view, 'a-2.0'))) ?? assert.fail();
        assert.deepEqual([...one.keys()].sort(), ['.hidden', 'a/b.html', 'index.html']);
        assert.equal(one.get('a/b.html'), two.get('a/b.html'));
        assert.notEqual(one.get('index.html'), two.get('index.html'));
      }
    });

    it('keeps the facts of a version', async () => {
      const publishedAt = new Date('2026-01-02T03:04:05.678Z');
      const extras = { publishedAt, source: SOURCE };
      await publish(store, 'a-1.0', { 'index.html': 'one', 'docinfo.yaml': 'A Name' }, extras);
      for (const view of [store, await subject.another()]) {
        const version = await versionOf(view, 'a-1.0');
        assert.deepEqual(version.record.publishedAt, publishedAt);
        assert.deepEqual(version.record.docinfo, { name: 'A Name' });
        assert.deepEqual(version.record.site, { files: 2, bytes: 9 });
        assert.deepEqual(version.record.source, SOURCE);
        assert.equal(version.origin, 'upload');
        assert.equal(view.catalogue().project('a')?.name, 'A Name');
      }
    });

    it('hides staged files', async () => {
      await stageSite(store, { 'index.html': 'one' });
      assert.deepEqual(store.catalogue().projects, []);
    });

    it('discards a staging without leftovers, however often', async () => {
      const { staging } = await stageSite(store, { 'index.html': 'one' });
      await assertStagings(1);
      await staging.discard();
      await staging.discard();
      await assertStagings(0);
    });

    it('keeps a published version when its staging is discarded afterwards', async () => {
      const { staging, record } = await stageSite(store, { 'index.html': 'one' });
      await store.publish(staging, { record, id: idOf('a-1.0') }, { replace: false });
      await staging.discard();
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'one');
    });

    it('stops receiving as soon as the byte limit is exceeded', async () => {
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
      await assertStagings(0);
    });

    it('passes on an error of the sender, and discards the received bytes', async () => {
      const staging = await store.stage();
      async function* broken() {
        yield Buffer.from('some');
        throw new Error('the line went dead');
      }
      await assert.rejects(staging.receive(broken(), 1_000), /the line went dead/);
      await staging.discard();
      await assertStagings(0);
    });

    it('refuses to publish over a version without permission, and leaves it unchanged', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      const before = store.catalogue();
      const { staging, record } = await stageSite(store, { 'index.html': 'two' });
      const refused = store.publish(staging, { record, id: idOf('a-1.0') }, { replace: false });
      await assert.rejects(refused, { code: 'version_exists' });
      await staging.discard();
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'one');
      assert.deepEqual(store.catalogue().projects, before.projects);
      await assertStagings(0);
    });

    it('replaces a version as a whole with permission', async () => {
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

    it('reads an opened file to its end after a replacement and a removal', async () => {
      const text = 'x'.repeat(2_000_000);
      await publish(store, 'a-1.0', { 'index.html': text });
      const file = await openFile(store, 'a-1.0', 'index.html');
      await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      await store.remove(idOf('a-1.0'));
      assert.equal(await textOf(file), text);
    });

    it('lets exactly one of many publications of a new version win, complete', async () => {
      const texts = Array.from({ length: 8 }, (_, number) => `site ${number}`);
      const staged = await Promise.all(
        texts.map((text) => stageSite(store, { 'index.html': text, 'b.html': text })),
      );
      const outcomes = await Promise.allSettled(
        staged.map(({ staging, record }) =>
          store.publish(staging, { record, id: idOf('a-1.0') }, { replace: false }),
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

    it('removes one version and keeps versions with the same name prefix', async () => {
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

    it('refuses to remove a missing version, or one already removed', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await assert.rejects(store.remove(idOf('b-1.0')), { code: 'project_not_found' });
      await assert.rejects(store.remove(idOf('a-2.0')), { code: 'version_not_found' });
      await store.remove(idOf('a-1.0'));
      await assert.rejects(store.remove(idOf('a-1.0')), { code: 'project_not_found' });
    });

    it('publishes again under a removed name', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await store.remove(idOf('a-1.0'));
      assert.equal((await publish(store, 'a-1.0', { 'index.html': 'two' })).replaced, false);
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'two');
    });

    it('shows changes to a second store over the same data, in both directions, within the stated time', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      const other = await subject.another();
      assert.equal(await readPage(other, 'a-1.0', 'index.html'), 'one');
      const { version } = await publish(other, 'b-1.0', { 'index.html': 'from the other' });
      await until(() => store.catalogue().version('b-1.0')?.revision === version.revision);
      assert.equal(await readPage(store, 'b-1.0', 'index.html'), 'from the other');
      const second = await publish(other, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      await until(() => store.catalogue().version('a-1.0')?.revision === second.version.revision);
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'two');
      await other.remove(idOf('a-1.0'));
      await until(() => store.catalogue().version('a-1.0') === undefined);
    });

    it('gives each publication of a version its own revision, also after a removal', async () => {
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

    it('removes no version replaced by a second store, before this store knows it', async () => {
      const first = await publish(store, 'a-1.0', { 'index.html': 'one' });
      const other = await subject.another();
      await publish(other, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      const outdated = store.remove(idOf('a-1.0'), { revision: first.version.revision });
      await assert.rejects(outdated, { code: 'version_not_found' });
      assert.equal(await readPage(other, 'a-1.0', 'index.html'), 'two');
    });

    it('removes no version that a setting just made by a second store protects, and changes nothing', async () => {
      const { version } = await publish(store, 'a-1.0', { 'index.html': 'one' });
      const other = await subject.another();
      await other.changeSettings('a', (catalogue) => withAlias(catalogue.settingsOf('a'), 'lts', '1.0'));
      const confirm = (catalogue: Catalogue) => {
        if (catalogue.settingsOf('a').aliases.has('lts')) throw new Error('it has an alias');
      };
      const options = { revision: version.revision, confirm };
      await assert.rejects(store.remove(version, options), { message: 'it has an alias' });
      assert.equal(await readPage(await subject.another(), 'a-1.0', 'index.html'), 'one');
      assert.deepEqual(await store.removed(), []);
      await other.changeSettings('a', (catalogue) => withAlias(catalogue.settingsOf('a'), 'lts', undefined));
      await store.remove(version, options);
      assert.equal(store.catalogue().version('a-1.0'), undefined);
    });

    it('removes no version protected since a second store removed another, and changes nothing', async () => {
      const { version } = await publish(store, 'a-1.0.0', { 'index.html': 'one' });
      await publish(store, 'a-1.0.1', { 'index.html': 'two' });
      const other = await subject.another();
      await other.remove(idOf('a-1.0.1'), { purge: true });
      const confirm = (catalogue: Catalogue) => {
        if (catalogue.project('a')?.latest.label === '1.0.0') throw new Error('it is the latest');
      };
      await assert.rejects(store.remove(version, { confirm }), { message: 'it is the latest' });
      assert.equal(await readPage(await subject.another(), 'a-1.0.0', 'index.html'), 'one');
      assert.deepEqual(await store.removed(), []);
    });

    it('orders a concurrent removal and alias of two stores, either first', async () => {
      const other = await subject.another();
      const outcomes = new Set<string>();
      const versions: Version[] = [];
      for (let round = 0; round < 12; round++) {
        versions.push((await publish(store, `a-1.${round}`, { 'index.html': 'one' })).version);
      }
      await until(() => other.catalogue().project('a')?.versions.length === versions.length);
      for (const version of versions) {
        const name = version.directoryName;
        const removing = store.remove(version, {
          confirm: (catalogue) => {
            if (catalogue.settingsOf('a').aliases.get('lts') === version.label) throw new Error('alias');
          },
        });
        const naming = other.changeSettings('a', (catalogue) => {
          if (catalogue.version(name) === undefined) throw new Error('gone');
          return withAlias(catalogue.settingsOf('a'), 'lts', version.label);
        });
        const [removed, named] = await Promise.allSettled([removing, naming]);
        outcomes.add(`${removed.status} ${named.status}`);
      }
      for (const outcome of outcomes) {
        assert.ok(['fulfilled rejected', 'rejected fulfilled'].includes(outcome), outcome);
      }
    });

    it('clears kept versions whose time is over, and neither younger nor published versions', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      await publish(store, 'b-1.0', { 'index.html': 'three' });
      await store.remove(idOf('b-1.0'));
      await store.clearUp(new Date());
      assert.equal((await store.removed()).length, 2);
      const other = await subject.another();
      // An object store keeps objects of what was removed for a day.
      await other.clearUp(new Date(Date.now() + KEEP_REMOVED_MS + 25 * 3_600_000));
      for (const view of [other, await subject.another()]) {
        assert.deepEqual(await view.removed(), []);
        assert.equal(await readPage(view, 'a-1.0', 'index.html'), 'two');
        assert.equal((await view.diskUse('b')).removed, 0);
      }
    });

    it('clears at most a quarter of the kept versions at once, at least ten, oldest first, or all on request', async () => {
      // Replaced versions are kept like removed ones; the last one is removed.
      const revisions: string[] = [];
      for (let number = 0; number < 45; number++) {
        const { version } = await publish(
          store,
          'a-1.0',
          { 'index.html': String(number) },
          { replace: number > 0 },
        );
        revisions.push(version.revision);
        await tick();
      }
      await store.remove(idOf('a-1.0'));
      const later = new Date(Date.now() + KEEP_REMOVED_MS + 25 * 3_600_000);
      const left = async () => (await store.diskUse('a')).removed;
      const sizes = [await left()];
      assert.equal(await store.clearUp(later), 33);
      const kept = (await store.removed()).map(({ version }) => version.revision);
      assert.deepEqual(kept.reverse(), revisions.slice(12));
      const other = await subject.another();
      assert.equal(await other.clearUp(later), 23);
      sizes.push(await left());
      assert.ok((sizes[1] ?? 0) < (sizes[0] ?? 0));
      assert.equal(await other.clearUp(later, { all: true }), 0);
      for (const view of [other, await subject.another()]) {
        assert.equal((await view.diskUse('a')).removed, 0);
        assert.equal(await view.clearUp(later), 0);
      }
    });

    it('trusts a correct clock only, and doubts a contradicted one, in a second store too', async () => {
      const now = Date.now();
      const judge = async (by: DocStore, time: number, uptimeMs: number | undefined) =>
        (await by.judgeClock(new Date(time), uptimeMs)).kind;
      assert.equal(await judge(store, now, undefined), 'believed');
      assert.equal(await judge(store, now, 2 * 3_600_000), 'believed');
      for (const view of [store, await subject.another()]) {
        assert.equal(await judge(view, now + 60_000, 0), 'believed');
        for (const years of [-3, -1, 1, 3]) {
          const wrong = now + years * 365 * 24 * 3_600_000;
          const expected = subject.believesEveryClock === true ? 'believed' : 'doubtful';
          for (const uptimeMs of [0, undefined]) assert.equal(await judge(view, wrong, uptimeMs), expected);
        }
      }
    });

    it('reports the bytes of versions, previews and kept versions of each project, in a second store too', async () => {
      const use = async (view: DocStore, project: string) => Object.values(await view.diskUse(project));
      assert.deepEqual(await use(store, 'a'), [0, 0, 0]);
      const page = { 'index.html': 'x'.repeat(1_000) };
      await publish(store, 'a-1.0', page);
      const [one = 0] = await use(store, 'a');
      assert.ok(one >= 1_000, String(one));
      await publish(store, 'a-2.0', page);
      await publish(store, 'a~pr-1', page);
      await publish(store, 'b-1.0', page);
      assert.deepEqual(await use(store, 'a'), [2 * one, one, 0]);
      await store.remove(idOf('a-1.0'));
      await publish(store, 'a-2.0', page, { replace: true });
      for (const view of [store, await subject.another()]) {
        const [versions, previews, removed = 0] = await use(view, 'a');
        assert.deepEqual([versions, previews], [one, one]);
        assert.ok(removed >= 2_000 && removed < 2 * one + 2_000, String(removed));
        assert.deepEqual(await use(view, 'b'), [one, 0, 0]);
      }
      await store.remove(idOf('a-1.0'), { purge: true });
      await store.remove(idOf('a-2.0'), { purge: true });
      await store.remove(idOf('a~pr-1'), { purge: true });
      assert.deepEqual(await use(store, 'a'), [0, 0, 0]);
    });

    it('purges a version: soon nothing of it is readable, in a second store either, and all other versions stay', async () => {
      const first = await publish(store, 'a-1.0', { 'index.html': 'one' });
      const second = await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      await publish(store, 'a-1.0.1', { 'index.html': 'beside' });
      const other = await subject.another();
      assert.equal(await textOf(await other.openArchive(second.version)), 'two');
      await store.remove(idOf('a-1.0'), { purge: true });
      assert.equal(store.catalogue().version('a-1.0'), undefined);
      for (const view of [store, other]) {
        for (const { version } of [first, second]) await until(() => isGone(view, version));
        assert.equal(await readPage(view, 'a-1.0.1', 'index.html'), 'beside');
      }
      await assert.rejects(store.remove(idOf('a-1.0'), { purge: true }), { code: 'version_not_found' });
      await assert.rejects(store.remove(idOf('b-1.0'), { purge: true }), { code: 'project_not_found' });
    });

    it('lists removed and replaced versions, newest first, as they were, in a second store too', async () => {
      const publishedAt = new Date('2026-01-02T03:04:05.678Z');
      assert.deepEqual(await store.removed(), []);
      const first = await publish(store, 'a-1.0', { 'index.html': 'one' }, { publishedAt });
      const second = await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      await publish(store, 'b-1.0', { 'index.html': 'stays' });
      await tick();
      await store.remove(idOf('a-1.0'));
      const other = await subject.another();
      for (const view of [store, other]) {
        const [newer, older, ...more] = await view.removed();
        assert.deepEqual(more, []);
        assert.deepEqual([newer?.version, newer?.isReplaced], [second.version, false]);
        assert.deepEqual([older?.version, older?.isReplaced], [first.version, true]);
        assert.deepEqual(older?.version.record.publishedAt, publishedAt);
        const { removedAt, expiresAt } = newer ?? assert.fail();
        assert.ok(Math.abs(Date.now() - removedAt.getTime()) < 60_000);
        assert.equal(expiresAt.getTime() - removedAt.getTime(), KEEP_REMOVED_MS);
        const named = ({ version: { directoryName, revision }, ...facts }: Removal) => [
          directoryName,
          revision,
          ...[facts.removedAt, facts.isReplaced, facts.expiresAt],
        ];
        assert.deepEqual((await view.removals()).map(named), (await view.removed()).map(named));
      }
    });

    it('keeps no copy of a preview that is replaced, or removed before its end', async () => {
      await publish(store, 'a~x', { 'index.html': 'one' });
      await publish(store, 'a~x', { 'index.html': 'two' }, { replace: true });
      await store.remove(idOf('a~x'));
      assert.deepEqual(await store.removed(), []);
    });

    it('keeps a preview removed after its end, and restores it with a new end or none, for a second store too', async () => {
      const expiresAt = new Date(Date.now() - 1_000);
      for (const end of [new Date(Date.now() + 3_600_000), undefined]) {
        const { version } = await publish(store, 'a~x', { 'index.html': 'one' }, { expiresAt });
        await store.remove(idOf('a~x'), { revision: version.revision });
        const other = await subject.another();
        assert.equal(other.catalogue().version('a~x'), undefined);
        const [removed, ...more] = await other.removed();
        assert.deepEqual([removed?.version, removed?.isReplaced, more], [version, false, []]);
        const { removedAt, expiresAt: keptUntil } = removed ?? assert.fail();
        assert.equal(keptUntil.getTime() - removedAt.getTime(), KEEP_REMOVED_MS);
        const restored = await other.restore(removed ?? assert.fail(), { replace: false, expiresAt: end });
        assert.deepEqual(restored.version.record.expiresAt, end);
        for (const view of [other, await subject.another()]) {
          assert.deepEqual((await versionOf(view, 'a~x')).record.expiresAt, end);
          assert.equal(await readPage(view, 'a~x', 'index.html'), 'one');
          assert.deepEqual(await view.removed(), []);
        }
        await store.remove(idOf('a~x'), { purge: true });
      }
    });

    it('keeps no copy of a preview that is replaced after its end, or purged', async () => {
      const expiresAt = new Date(Date.now() - 1_000);
      await publish(store, 'a~x', { 'index.html': 'one' }, { expiresAt });
      await publish(store, 'a~x', { 'index.html': 'two' }, { expiresAt, replace: true });
      assert.deepEqual(await store.removed(), []);
      await store.remove(idOf('a~x'));
      await store.remove(idOf('a~x'), { purge: true });
      assert.deepEqual(await store.removed(), []);
    });

    it('restores a removed version: its archive, pages and record, under a new revision', async () => {
      const publishedAt = new Date('2026-01-02T03:04:05.678Z');
      const { version } = await publish(
        store,
        'a-1.0',
        { 'index.html': 'one' },
        { publishedAt, source: SOURCE },
      );
      await store.remove(idOf('a-1.0'));
      const other = await subject.another();
      const restored = await other.restore(await removedOf(other, 'a-1.0'), { replace: false });
      assert.equal(restored.replaced, false);
      assert.notEqual(restored.version.revision, version.revision);
      const { revision } = version;
      const record = { ...version.record, restored: true };
      assert.deepEqual({ ...restored.version, revision }, { ...version, record });
      assert.deepEqual(record.source, SOURCE);
      await until(() => store.catalogue().version('a-1.0')?.revision === restored.version.revision);
      for (const view of [store, other, await subject.another()]) {
        assert.deepEqual(await versionOf(view, 'a-1.0'), restored.version);
        assert.equal(await readPage(view, 'a-1.0', 'index.html'), 'one');
        assert.equal(await textOf(await view.openArchive(restored.version)), 'one');
        assert.deepEqual(await view.removed(), []);
      }
    });

    it('forgets that a version was restored when it is published again', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await store.remove(idOf('a-1.0'));
      await store.restore(await removedOf(store, 'a-1.0'), { replace: false });
      assert.equal((await versionOf(store, 'a-1.0')).record.restored, true);
      await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      for (const view of [store, await subject.another()]) {
        assert.equal((await versionOf(view, 'a-1.0')).record.restored, undefined);
      }
    });

    it('undoes a replacement with permission, and otherwise refuses and changes nothing', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      const second = await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      const replaced = await removedOf(store, 'a-1.0');
      await assert.rejects(store.restore(replaced, { replace: false }), { code: 'version_exists' });
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'two');
      assert.deepEqual(await store.removed(), [replaced]);
      await assertStagings(0);
      assert.equal((await store.restore(replaced, { replace: true })).replaced, true);
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'one');
      const [undone, ...more] = await store.removed();
      assert.deepEqual([undone?.version, undone?.isReplaced, more], [second.version, true, []]);
    });

    it('lets exactly one of two stores restore a removed version', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await store.remove(idOf('a-1.0'));
      const other = await subject.another();
      const removed = await removedOf(other, 'a-1.0');
      const outcomes = await Promise.allSettled(
        [store, other].map((each) => each.restore(removed, { replace: false })),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      const codes = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
      assert.ok(['version_exists', 'version_not_found'].includes(codes[0]), codes[0]);
      await until(() => store.catalogue().version('a-1.0') !== undefined);
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'one');
    });

    it('restores no purged version, and changes nothing', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await publish(store, 'a-1.0', { 'index.html': 'two' }, { replace: true });
      await publish(store, 'b-1.0', { 'index.html': 'beside' });
      await store.remove(idOf('b-1.0'));
      const held = await removedOf(store, 'a-1.0');
      await store.remove(idOf('a-1.0'), { purge: true });
      const names = (await store.removed()).map(({ version }) => version.directoryName);
      assert.deepEqual(names, ['b-1.0']);
      await assert.rejects(store.restore(held, { replace: true }), { code: 'version_not_found' });
      assert.equal(store.catalogue().project('a'), undefined);
      await assertStagings(0);
      await store.remove(idOf('b-1.0'), { purge: true });
      assert.deepEqual(await store.removed(), []);
    });

    it('notifies subscribers of additions and removals, after the catalogue shows them', async () => {
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

    it("notifies subscribers of a second store's changes", async () => {
      const told = new Set<string>();
      const other = await subject.another();
      store.subscribe(({ came, gone }) => {
        for (const { revision } of came) told.add(`came ${revision}`);
        for (const { revision } of gone) told.add(`gone ${revision}`);
      });
      const { revision } = (await publish(other, 'a-1.0', { 'index.html': 'one' })).version;
      await until(() => told.has(`came ${revision}`));
      await other.remove(idOf('a-1.0'));
      await until(() => told.has(`gone ${revision}`));
    });

    it('keeps the settings of a project, whether it has versions or not', async () => {
      assert.equal(store.catalogue().settingsOf('a'), NO_SETTINGS);
      await store.changeSettings('a', () => FULL);
      await store.changeSettings('b', () => withHidden(NO_SETTINGS, '1.0', true));
      const other = await subject.another();
      for (const view of [store, other]) {
        assert.deepEqual(view.catalogue().settingsOf('a'), FULL);
        assert.deepEqual(view.catalogue().projects, []);
      }
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      assert.deepEqual(store.catalogue().project('a')?.settings, FULL);
      await store.remove(idOf('a-1.0'));
      assert.deepEqual(store.catalogue().settingsOf('a'), FULL);
      await other.changeSettings('a', () => NO_SETTINGS);
      await until(() => store.catalogue().settingsOf('a') === NO_SETTINGS);
      assert.deepEqual([...store.catalogue().settings.keys()], ['b']);
    });

    it('shows changed settings at once, to a second store within the stated time, and notifies subscribers of both', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await publish(store, 'a-2.0', { 'index.html': 'two' });
      const other = await subject.another();
      const told: string[] = [];
      for (const view of [store, other]) {
        view.subscribe(({ came, gone, settings }) => {
          const [change, ...others] = settings;
          assert.deepEqual([came, gone, others], [[], [], []]);
          assert.deepEqual([change?.project, change?.before], ['a', NO_SETTINGS]);
          assert.deepEqual([...(change?.after.hidden ?? [])], ['2.0']);
          told.push(view.catalogue().project('a')?.latest.label ?? '');
        });
      }
      const before = store.catalogue();
      await store.changeSettings('a', (catalogue) => withHidden(catalogue.settingsOf('a'), '2.0', true));
      assert.equal(store.catalogue().project('a')?.latest.label, '1.0');
      assert.equal(before.project('a')?.latest.label, '2.0');
      await until(() => other.catalogue().project('a')?.latest.label === '1.0');
      await until(() => told.length >= 2 || store === other);
      assert.deepEqual([...new Set(told)], ['1.0']);
      const unchanged = store.catalogue();
      await store.changeSettings('a', (catalogue) => catalogue.settingsOf('a'));
      assert.equal(store.catalogue(), unchanged);
    });

    it('loses no change among concurrent changes of settings', async () => {
      const other = await subject.another();
      const labels = Array.from({ length: 10 }, (_, number) => `${number}.0`);
      await Promise.all(
        labels.flatMap((label) => [
          store.changeSettings('a', (now) => withHidden(now.settingsOf('a'), label, true)),
          other.changeSettings('a', (now) => withDeprecated(now.settingsOf('a'), label, 'Use another one')),
        ]),
      );
      await until(() => {
        const { hidden, deprecated } = store.catalogue().settingsOf('a');
        return hidden.size === labels.length && deprecated.size === labels.length;
      });
    });

    it('decides on settings by the latest change of a second store', async () => {
      const other = await subject.another();
      await other.changeSettings('a', () => FULL);
      let seen: unknown;
      await store.changeSettings('a', (catalogue) => {
        seen = catalogue.settingsOf('a');
        return catalogue.settingsOf('a');
      });
      assert.deepEqual(seen, FULL);
    });

    it('changes no settings when the decision refuses or returns none', async () => {
      await store.changeSettings('a', () => FULL);
      const refusal = refuse.manageNotAllowed('ci');
      const refused = store.changeSettings('a', () => {
        throw refusal;
      });
      await assert.rejects(refused, refusal);
      const tooMany = Array.from({ length: 10_000 }, (_, number) => `1.${number}`);
      for (const hidden of [['latest'], ['b-1.0'], ['../x'], tooMany]) {
        const settings = { ...NO_SETTINGS, hidden: new Set(hidden) };
        await assert.rejects(
          store.changeSettings('a', () => settings),
          { code: 'invalid_settings' },
        );
      }
      for (const project of ['', '.', '..', 'a/b', '.hidden', 'a-', 'x'.repeat(101), 'a-1.0.0', '\0']) {
        await assert.rejects(
          store.changeSettings(project, () => NO_SETTINGS),
          RangeError,
          project,
        );
      }
      assert.deepEqual(store.catalogue().settingsOf('a'), FULL);
      assert.deepEqual([...store.catalogue().settings.keys()], ['a']);
      const again = await subject.another();
      assert.deepEqual(again.catalogue().settingsOf('a'), FULL);
    });

    it("publishes and restores a project at an alias's address, and shadows the alias in every store meanwhile", async () => {
      const other = await subject.another();
      const stores = [store, other];
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await other.changeSettings('a', () => withAlias(NO_SETTINGS, 'stable', '1.0'));
      const shown = async (label: string | undefined) => {
        for (const each of stores) await until(() => each.catalogue().resolve('a-stable')?.label === label);
      };
      await shown('1.0');
      await publish(store, 'a-stable-7.0', { 'index.html': 'seven' });
      await shown(undefined);
      await store.remove(idOf('a-stable-7.0'));
      await shown('1.0');
      const removed = (await store.removed()).find(({ version }) => version.project === 'a-stable');
      assert.ok(removed);
      await store.restore(removed, { replace: false, expiresAt: undefined });
      await shown(undefined);
      assert.equal(await readPage(other, 'a-stable-7.0', 'index.html'), 'seven');
      assert.deepEqual([...(other.catalogue().project('a')?.shadowed ?? [])], ['stable']);
    });

    it("publishes no new version at an alias's address, whichever store set the alias, and keeps the staging", async () => {
      const other = await subject.another();
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await other.changeSettings('a', () => withAlias(NO_SETTINGS, 'stable', '1.0'));
      for (const view of [store, other]) {
        const { staging, record } = await stageSite(view, { 'index.html': 'x' });
        const taken = view.publish(staging, { record, id: idOf('a-stable') }, { replace: true });
        await assert.rejects(taken, { code: 'name_taken' });
        await staging.discard();
      }
      await until(() => store.catalogue().resolve('a-stable')?.label === '1.0');
      assert.equal(store.catalogue().version('a-stable'), undefined);
      await other.changeSettings('a', () => NO_SETTINGS);
      await publish(other, 'a-stable', { 'index.html': 'two' });
      assert.equal(await readPage(other, 'a-stable', 'index.html'), 'two');
    });

    it('checks first whether a version exists, then whether an alias has its address, to publish and to restore', async () => {
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await publish(store, 'a-stable', { 'index.html': 'two' });
      await store.changeSettings('a', () => withAlias(NO_SETTINGS, 'stable', '1.0'));
      const id = idOf('a-stable');
      const attempt = async (replace: boolean) => {
        const { staging, record } = await stageSite(store, { 'index.html': 'three' });
        const publishing = store.publish(staging, { id, record }, { replace });
        return publishing
          .then(
            () => 'published',
            ({ code }) => code,
          )
          .finally(() => staging.discard());
      };
      assert.equal(await attempt(false), 'version_exists');
      assert.equal(await readPage(store, 'a-stable', 'index.html'), 'two');
      assert.equal(await attempt(true), 'published');
      await store.remove(id);
      assert.deepEqual([await attempt(false), await attempt(true)], ['name_taken', 'name_taken']);
      const removed = await removedOf(store, 'a-stable');
      await assert.rejects(store.restore(removed, { replace: true }), { code: 'name_taken' });
      assert.equal(store.catalogue().version('a-stable'), undefined);
    });

    it('sees a version just published by a second store when it decides on an alias', async () => {
      const other = await subject.another();
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      await publish(other, 'a-stable', { 'index.html': 'two' });
      const change = store.changeSettings('a', (catalogue) => {
        const taken = catalogue.whyNoAlias('a', 'stable');
        if (taken !== undefined) throw taken;
        return withAlias(catalogue.settingsOf('a'), 'stable', '1.0');
      });
      await assert.rejects(change, { code: 'name_taken' });
      assert.equal(other.catalogue().settingsOf('a'), NO_SETTINGS);
    });

    it('lets either an alias or a version have an address, when both are requested at once', async () => {
      const other = await subject.another();
      await publish(store, 'a-1.0', { 'index.html': 'one' });
      for (let round = 0; round < 5; round++) {
        const outcomes = await Promise.allSettled([
          store.changeSettings('a', (catalogue) => {
            const taken = catalogue.whyNoAlias('a', 'stable');
            if (taken !== undefined) throw taken;
            return withAlias(catalogue.settingsOf('a'), 'stable', '1.0');
          }),
          publish(other, 'a-stable', { 'index.html': 'two' }),
        ]);
        const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
        assert.deepEqual(
          refused.map(({ reason }) => reason.code),
          ['name_taken'],
        );
        if (outcomes[1].status === 'fulfilled') await other.remove(idOf('a-stable'));
        await store.changeSettings('a', () => NO_SETTINGS);
      }
    });

    it('accepts prototype names for projects, aliases and versions in settings', async () => {
      const settings = withDeprecated(withAlias(NO_SETTINGS, 'constructor', 'toString'), 'valueOf', 'Old');
      await store.changeSettings('constructor', () => settings);
      const other = await subject.another();
      assert.deepEqual(other.catalogue().settingsOf('constructor'), settings);
      assert.equal(other.catalogue().settingsOf('toString'), NO_SETTINGS);
    });

    it('refuses names of derived files that lead elsewhere', async () => {
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

    it('keeps files derived from a publication, whole or not at all, as long as the publication', async () => {
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
      await until(async () => (await store.derived.open(revision, 'index.db')) === undefined);
    });

    it('accepts names of the maximum length', async () => {
      const name = `${'p'.repeat(90)}-1.${'2'.repeat(98)}`;
      await publish(store, name, { [`${'d'.repeat(255)}/${'f'.repeat(250)}.html`]: 'deep' });
      assert.equal(await readPage(store, name, `${'d'.repeat(255)}/${'f'.repeat(250)}.html`), 'deep');
    });

    it('accepts prototype names', async () => {
      await publish(store, 'constructor-1.0', { 'index.html': 'one', '__proto__/constructor': 'file' });
      assert.equal(await readPage(store, 'constructor-1.0', '__proto__/constructor'), 'file');
      assert.equal(store.catalogue().project('toString'), undefined);
      assert.equal(await entry(store, 'constructor-1.0', 'toString'), undefined);
    });

    it('shows a reader the old site or the new one during a replacement, never a mixture', async () => {
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

    it('keeps a preview with its end beside the versions, whatever their names', async () => {
      const expiresAt = new Date('2026-02-03T04:05:06.789Z');
      await publish(store, 'a~x', { 'index.html': 'preview' }, { expiresAt });
      await publish(store, 'a-x', { 'index.html': 'version' });
      await publish(store, 'b~1.0', { 'index.html': 'alone' });
      for (const view of [store, await subject.another()]) {
        const preview = await versionOf(view, 'a~x');
        assert.deepEqual([preview.project, preview.label, preview.record.expiresAt], ['a', 'x', expiresAt]);
        assert.equal((await versionOf(view, 'b~1.0')).record.expiresAt, undefined);
        assert.equal((await versionOf(view, 'a-x')).record.expiresAt, undefined);
        assert.equal(await readPage(view, 'a~x', 'index.html'), 'preview');
        assert.equal(await readPage(view, 'a-x', 'index.html'), 'version');
        assert.deepEqual(
          view.catalogue().projects.map(({ directoryName }) => directoryName),
          ['a'],
        );
        assert.equal(view.catalogue().project('a')?.versions.length, 1);
      }
      assert.equal(await textOf(await store.openArchive(await versionOf(store, 'a~x'))), 'preview');
    });

    it('gives a preview a new end with each publication, and removes it without touching a version', async () => {
      const ends = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'].map((time) => new Date(time));
      await publish(store, 'a-x', { 'index.html': 'version' });
      for (const [round, expiresAt] of ends.entries()) {
        const files = { 'index.html': `round ${round}` };
        const { replaced } = await publish(store, 'a~x', files, { replace: true, expiresAt });
        assert.equal(replaced, round === 1);
        assert.deepEqual((await versionOf(store, 'a~x')).record.expiresAt, expiresAt);
      }
      assert.equal(await readPage(store, 'a~x', 'index.html'), 'round 1');
      await store.remove(idOf('a~x'));
      assert.equal(store.catalogue().version('a~x'), undefined);
      await assert.rejects(store.remove(idOf('a~x')), { code: 'preview_not_found' });
      assert.equal(await readPage(store, 'a-x', 'index.html'), 'version');
      assert.equal(await readPage(await subject.another(), 'a-x', 'index.html'), 'version');
    });

    it('removes no preview replaced by a second store after its end', async () => {
      const first = await publish(store, 'a~x', { 'index.html': 'old' }, { expiresAt: new Date(0) });
      const other = await subject.another();
      await publish(other, 'a~x', { 'index.html': 'new' }, { replace: true });
      const outdated = store.remove(idOf('a~x'), { revision: first.version.revision });
      await assert.rejects(outdated, { code: 'preview_not_found' });
      assert.equal(await readPage(other, 'a~x', 'index.html'), 'new');
    });

    it('shows the newer preview when expiry and replacement come at the same time, in two stores', async () => {
      const stores = [store, await subject.another()];
      const [start, end] = [new Date(1_000), new Date('2026-03-01T00:00:00Z')];
      let expired = 0;
      for (let round = 0; round < 30; round++) {
        await publish(store, 'a~x', { 'index.html': 'old' }, { replace: true, expiresAt: start });
        const replacing = stores[round % 2] ?? store;
        const files = { 'index.html': `new ${round}` };
        const expiring = stores.map(async (each) => {
          for (let times = 0; times < round % 5; times++) await new Promise(setImmediate);
          for await (const _ of new ExpirePreviews(each, new Changes(each)).execute(start)) expired += 1;
        });
        await Promise.all([publish(replacing, 'a~x', files, { replace: true, expiresAt: end }), ...expiring]);
        assert.equal(await readPage(replacing, 'a~x', 'index.html'), `new ${round}`);
        if (round % 10 === 9) {
          assert.equal(await readPage(await subject.another(), 'a~x', 'index.html'), `new ${round}`);
        }
      }
      assert.ok(expired > 0, 'expiry never came first');
    });

    it('can be closed twice', async () => {
      await store.close();
      await store.close();
    });
  });
}

interface Extras {
  readonly replace?: boolean;
  readonly publishedAt?: Date;
  readonly expiresAt?: Date;
  readonly source?: Source;
}

/** Stages a site and publishes it, with the content of its files as the archive. */
export async function publish(
  store: DocStore,
  name: string,
  files: Files,
  extras: Extras = {},
): Promise<Published> {
  const { staging, record } = await stageSite(store, files, extras);
  return store.publish(staging, { id: idOf(name), record }, { replace: extras.replace ?? false });
}

export async function stageSite(
  store: DocStore,
  files: Files,
  { publishedAt = new Date(), expiresAt, source }: Extras = {},
) {
  const staging: Staging = await store.stage();
  const received = await staging.receive(halves(fakeArchiveOf(files)), 20_000_000);
  const { facts } = await staging.prepare(new FakeArchives(files), NO_ARCHIVE_LIMITS);
  const more = { ...(expiresAt && { expiresAt }), ...(source && { source }) };
  return { staging, record: { ...more, publishedAt, archive: received, ...facts, token: 'ci' } };
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

/** The newest removed publication of a version. */
export async function removedOf(store: DocStore, name: string): Promise<RemovedVersion> {
  const removed = await store.removed();
  return removed.find(({ version }) => version.directoryName === name) ?? assert.fail(`${name} is not kept`);
}

async function isGone(store: DocStore, version: Version): Promise<boolean> {
  const archive = await store.openArchive(version).catch((error: Refusal) => error.code);
  if (typeof archive !== 'string') await archive.close();
  return archive === 'version_not_found';
}
