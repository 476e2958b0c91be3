import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ThreadedLinkChecking } from '../../src/adapters/links/threaded-link-checking.js';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { CheckLinks, type FoundLinks, LINK_BUDGET, type LinkChecking } from '../../src/application/index.js';
import { parseDirectoryName, refuse, type Version } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';

const TEXT = `<h1>Title</h1><p>${'word '.repeat(20)}</p>`;
const pageOf = (...links: string[]) => links.map((link) => `<a href="${link}">`).join('') + TEXT;

/** Nobody asks for the numbers of dead links. */
const unknown = { note: async () => {} };

describe('CheckLinks', () => {
  const threads = new ThreadedLinkChecking();
  after(() => threads.close());

  /** Notes what is asked of the threads. */
  function watched() {
    const asked: string[] = [];
    const checking: Pick<LinkChecking, 'read' | 'check'> = {
      read: (...of) => {
        asked.push('read');
        return threads.read(...of);
      },
      check: (...of) => {
        asked.push('check');
        return threads.check(...of);
      },
    };
    return { asked, checking };
  }

  async function world(files: Readonly<Record<string, string>>) {
    const docs = new MemoryDocStore();
    const { version } = await publish(docs, 'a-1.0', files);
    return { docs, version };
  }

  /** Links of an upload, as the job that unpacks it finds them. */
  async function found(files: Readonly<Record<string, string>>): Promise<FoundLinks> {
    const pages = Object.entries(files).map(([path, html]) => ({ path, bytes: Buffer.from(html) }));
    const { file } = await threads.read(pages, LINK_BUDGET);
    const checked = await threads.check({ file, paths: Object.keys(files), redirects: '' });
    return { file, ...(checked ?? assert.fail()) };
  }

  const FILES = { 'index.html': pageOf('b.html', 'old', 'c.html#x'), 'c.html': TEXT, _redirects: '/old /c' };

  it('reads the links of a version once, keeps them with it, and remembers the report', async () => {
    const { docs, version } = await world(FILES);
    const { asked, checking } = watched();
    const links = new CheckLinks(docs, checking, unknown);
    const [report, again] = await Promise.all([links.of(version), links.of(version)]);
    assert.equal(again, report);
    assert.deepEqual(report, {
      pages: 2,
      links: 3,
      dead: 2,
      isCut: false,
      byPage: [
        {
          path: 'index.html',
          links: [
            { link: 'b.html', target: 'b.html', missing: 'page', closest: 'c.html' },
            { link: 'c.html#x', target: 'c.html#x', missing: 'anchor' },
          ],
        },
      ],
    });
    assert.deepEqual(asked, ['read', 'check']);
    assert.deepEqual(await new CheckLinks(docs, checking, unknown).of(version), report);
    assert.deepEqual(asked, ['read', 'check', 'check']);
  });

  it('finds no links in a site without pages', async () => {
    const { docs, version } = await world({ 'guide.pdf': 'no page' });
    const report = await new CheckLinks(docs, threads, unknown).of(version);
    assert.deepEqual(report, { pages: 0, links: 0, dead: 0, isCut: false, byPage: [] });
  });

  it('rereads the links where the stored file is damaged', async () => {
    const { docs, version } = await world(FILES);
    const { asked, checking } = watched();
    const garbage = async function* () {
      yield Buffer.from('garbage');
    };
    await docs.derived.write(version.revision, 'links', garbage());
    assert.equal((await new CheckLinks(docs, checking, unknown).of(version))?.dead, 2);
    assert.deepEqual(asked, ['check', 'read', 'check']);
  });

  it('keeps the links found by an upload although the store is read-only', async () => {
    const { docs, version } = await world(FILES);
    const { asked, checking } = watched();
    const links = new CheckLinks(docs, checking, unknown);
    await links.keep(version, await found(FILES));
    assert.equal((await links.of(version))?.dead, 3, 'the upload did not look at redirects');
    assert.deepEqual(asked, []);
    assert.notEqual(await docs.derived.open(version.revision, 'links'), undefined);
    const broken = {
      open: docs.derived.open.bind(docs.derived),
      write: () => Promise.reject(new Error('full')),
    };
    const readOnly = { open: docs.open.bind(docs), listFiles: docs.listFiles.bind(docs), derived: broken };
    await new CheckLinks(readOnly, checking, unknown).keep(version, await found(FILES));
  });

  it('keeps the links found by an upload although the version is being checked, in vain', async () => {
    const { docs, version } = await world(FILES);
    const check = () => Promise.reject(refuse.linkCheckBusy());
    const links = new CheckLinks(docs, { read: threads.read.bind(threads), check }, unknown);
    const own = await found(FILES);
    const busy = assert.rejects(links.of(version), { code: 'unavailable' });
    await links.keep(version, own);
    await busy;
    assert.equal((await links.of(version))?.dead, 3);
  });

  it('reads the beginning of a page that is too long to be read to its end, and says so', async () => {
    const { docs, version } = await world({ 'a.html': pageOf('b.html') + ' '.repeat(11_000_000) });
    const report = await new CheckLinks(docs, threads, unknown).of(version);
    assert.deepEqual([report?.pages, report?.dead, report?.isCut], [1, 1, true]);
  });

  it('rereads a copied-in directory each time', async () => {
    const { docs, version } = await world(FILES);
    const { asked, checking } = watched();
    const links = new CheckLinks(docs, checking, unknown);
    const copied: Version = { ...version, origin: 'copied' } as Version;
    for (let time = 0; time < 2; time++) assert.equal((await links.of(copied))?.dead, 2);
    assert.deepEqual(asked, ['read', 'check', 'read', 'check']);
    assert.equal(await docs.derived.open(version.revision, 'links'), undefined);
  });

  it('skips a site with too many files to list or too large links', async () => {
    const { docs, version } = await world(FILES);
    const many = {
      open: docs.open.bind(docs),
      derived: docs.derived,
      listFiles: async () => ({ paths: [], more: true }),
    };
    assert.equal(await new CheckLinks(many, threads, unknown).of(version), undefined);
    let checks = 0;
    const check = async () => {
      checks += 1;
      return undefined;
    };
    const links = new CheckLinks(docs, { read: threads.read.bind(threads), check }, unknown);
    for (const _ of [1, 2]) assert.equal(await links.of(version), undefined);
    assert.equal(checks, 1);
  });

  for (const [what, upload, versions, expected] of [
    ['are all new without a release before', 'a-1.0', [], [2, 2]],
    ['are compared with the release before in the order of versions', 'a-1.5', ['a-2.0', 'a-1.0'], [2, 1]],
    ['are compared with no later release', 'a-0.9', ['a-1.0'], [2, 2]],
    ['of a preview are compared with the latest version', 'a~pr-1', ['a-1.0', 'a-0.5'], [2, 1]],
  ] as const) {
    it(`finds which dead links of an upload are new: they ${what}`, async () => {
      const docs = new MemoryDocStore();
      for (const name of versions) {
        await publish(docs, name, { 'index.html': name === 'a-1.0' ? pageOf('x.html?1') : TEXT });
      }
      const links = new CheckLinks(docs, threads, unknown);
      const id = parseDirectoryName(upload) ?? assert.fail();
      const { version } = await publish(docs, upload, { 'x.txt': '' });
      assert.equal(version.directoryName, id.directoryName);
      const project = docs.catalogue().project('a');
      const result = await links.compare(
        await found({ 'index.html': pageOf('x.html', 'y.html') }),
        version,
        project,
      );
      assert.deepEqual([result.dead, result.new], expected);
      assert.deepEqual(result.first.at(-1), { page: 'index.html', link: 'y.html' });
    });
  }
});
