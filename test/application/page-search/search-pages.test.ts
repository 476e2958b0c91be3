import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { type FoundPages, type PageSearch, pathOfHit, SearchPages } from '../../../src/application/index.js';
import { Catalogue, NO_SETTINGS, type SitePath, type Version } from '../../../src/domain/index.js';
import { makePreview, makeVersion } from '../../domain/make-version.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { siteOf } from '../../support/searchable-site.js';
import { seenIn } from '../../support/seen-in.js';

const siteAbout = (...words: string[]) =>
  siteOf(
    Object.fromEntries(words.map((word) => [`${word}.html`, `<title>${word}</title><p>fruit ${word}</p>`])),
  );

describe('SearchPages', () => {
  let index: MemorySearchIndex;
  let catalogue: Catalogue;
  let missed: string[];
  let pages: SearchPages;
  beforeEach(() => {
    index = new MemorySearchIndex();
    catalogue = Catalogue.empty;
    missed = [];
    const docs = { open: async () => undefined };
    pages = new SearchPages(docs, index, {
      onMissing: (versions) => missed.push(...versions.map(({ directoryName }) => directoryName)),
    });
  });

  const look = () => seenIn({ catalogue: () => catalogue });
  const publish = async (version: Version, ...words: string[]) => {
    catalogue = catalogue.changed({ come: [version] });
    if (words.length > 0) await index.build(version.revision, siteAbout(...words));
  };
  const find = (query: string, more: Partial<PageSearch> = {}): Promise<FoundPages> =>
    pages.find(look, { query, limit: 10, ...more });
  const places = ({ hits }: FoundPages) =>
    hits
      .flatMap((hit) => [hit, ...(hit.sameIn ?? [])])
      .map(({ version, path }) => `${version.directoryName}/${path}`)
      .sort();
  const names = (versions: readonly Version[]) => versions.map(({ directoryName }) => directoryName);

  it('searches the latest version of each project', async () => {
    await publish(makeVersion('a', '1.0'), 'apple', 'old');
    await publish(makeVersion('a', '2.0'), 'apple');
    await publish(makeVersion('a', '3.0-rc1'), 'apple');
    await publish(makeVersion('b', '1.0'), 'apple');
    assert.deepEqual(places(await find('apple')), ['a-2.0/apple.html', 'b-1.0/apple.html']);
    assert.deepEqual(places(await find('old ')), []);
    assert.deepEqual(missed, []);
  });

  it('searches one project, or one version of a project', async () => {
    await publish(makeVersion('a', '1.0'), 'apple');
    await publish(makeVersion('a', '2.0'), 'apple');
    await publish(makeVersion('b', '1.0'), 'apple');
    assert.deepEqual(places(await find('apple', { project: 'a' })), ['a-2.0/apple.html']);
    assert.deepEqual(places(await find('apple', { project: 'a', version: 'latest' })), ['a-2.0/apple.html']);
    assert.deepEqual(places(await find('apple', { project: 'a', version: '1.0' })), ['a-1.0/apple.html']);
  });

  it('finds pages of a hidden version only when that version is searched', async () => {
    await publish(makeVersion('a', '1.0'), 'apple');
    await publish(makeVersion('a', '2.0'), 'apple');
    await publish(makeVersion('b', '1.0'), 'apple');
    const hiding = (...labels: string[]) => ({ ...NO_SETTINGS, hidden: new Set(labels) });
    catalogue = catalogue.changed({
      settings: new Map([
        ['a', hiding('2.0')],
        ['b', hiding('1.0')],
      ]),
    });
    assert.deepEqual(places(await find('apple')), ['a-1.0/apple.html']);
    assert.deepEqual(places(await find('apple', { project: 'a', version: '2.0' })), ['a-2.0/apple.html']);
    assert.deepEqual(places(await find('apple', { project: 'b' })), []);
    assert.deepEqual(places(await find('apple', { project: 'b', version: 'latest' })), ['b-1.0/apple.html']);
  });

  it('searches the version of an alias', async () => {
    await publish(makeVersion('a', '1.0'), 'apple');
    await publish(makeVersion('a', '2.0'), 'apple');
    const settings = { ...NO_SETTINGS, aliases: new Map([['lts', '1.x']]) };
    catalogue = catalogue.changed({ settings: [['a', settings]] });
    assert.deepEqual(places(await find('apple', { project: 'a', version: 'lts' })), ['a-1.0/apple.html']);
  });

  const inGroup = (version: Version, group: string, ...tags: string[]): Version => ({
    ...version,
    record: { ...version.record, docinfo: { ...version.record.docinfo, group, tags } },
  });

  it('searches the projects of a group or tag, also with a named project, and no other project', async () => {
    await publish(inGroup(makeVersion('a', '1.0'), 'Fruit', 'red'), 'apple');
    await publish(inGroup(makeVersion('b', '1.0'), 'fruit', 'green'), 'apple');
    await publish(makeVersion('c', '1.0'), 'apple');
    assert.deepEqual(places(await find('apple', { group: 'FRUIT' })), [
      'a-1.0/apple.html',
      'b-1.0/apple.html',
    ]);
    assert.deepEqual(places(await find('apple', { group: 'fruit', tag: 'Red' })), ['a-1.0/apple.html']);
    assert.deepEqual(places(await find('apple', { project: 'b', tag: 'green' })), ['b-1.0/apple.html']);
    assert.deepEqual(places(await find('apple', { project: 'b', tag: 'red' })), []);
    assert.deepEqual(places(await find('apple', { group: 'nothing' })), []);
  });

  /** Places and the project that the words named: `cup 2.0 | lid`. */
  const byWords = async (query: string, more: Partial<PageSearch> = {}) => {
    const found = await find(query, { mayNameProject: true, ...more });
    const { inWords } = found;
    return [
      inWords && `${inWords.project.directoryName} ${inWords.version.label} | ${inWords.rest}`,
      ...places(found),
    ];
  };

  it('searches the project named by the words for the remaining words', async () => {
    await publish(makeVersion('cup', '1.0'), 'apple', 'old');
    await publish(makeVersion('cup', '2.0'), 'apple');
    await publish(makeVersion('jug', '1.0'), 'apple', 'cup');
    assert.deepEqual(await byWords('Cup: apple'), ['cup 2.0 | apple', 'cup-2.0/apple.html']);
    assert.deepEqual(await byWords('cup 1 old'), ['cup 1.0 | old', 'cup-1.0/old.html']);
    assert.deepEqual(await byWords('cup apple', { offset: 5 }), ['cup 2.0 | apple']);
    for (const [query, more] of [
      ['cup apple', { project: 'jug' }],
      ['cup fruit project:jug', {}],
      ['cup apple', { mayNameProject: false }],
    ] as const)
      assert.equal((await byWords(query, more))[0], undefined, query);
  });

  it('searches all projects for all words when the named project has no page with the remaining words', async () => {
    await publish(makeVersion('cup', '1.0'), 'apple');
    await publish(makeVersion('jug', '1.0'), 'cup', 'pear');
    const [named, ...wide] = await byWords('cup pear');
    assert.deepEqual([named, wide], [undefined, places(await find('cup pear'))]);
    assert.ok(wide.includes('jug-1.0/pear.html'));
    assert.deepEqual(await byWords('cup pear fruit'), ['cup 1.0 | pear fruit', 'cup-1.0/apple.html']);
    assert.deepEqual(await byWords('cup pear', { isQuestion: true }), [
      undefined,
      'jug-1.0/cup.html',
      'jug-1.0/pear.html',
    ]);
    assert.deepEqual(await byWords('cup pear apple', { isQuestion: true }), [
      'cup 1.0 | pear apple',
      'cup-1.0/apple.html',
    ]);
  });

  it('searches an older version of the project named by the words, except for a question', async () => {
    await publish(makeVersion('cup', '1.0'), 'apple');
    await publish(makeVersion('jug', '1.0'), 'apple');
    await publish(makeVersion('cup', '2.0'));
    assert.deepEqual(await byWords('cup apple'), ['cup 2.0 | apple', 'cup-1.0/apple.html']);
    assert.deepEqual(await byWords('cup apple', { isQuestion: true }), ['cup 2.0 | apple']);
    assert.deepEqual(await byWords('cup 2.0 apple'), ['cup 2.0 | apple']);
  });

  it('resolves no words to a project that the reader may not see, or that is removed during the search', async () => {
    await publish(makeVersion('cup', '1.0'), 'apple');
    await publish(makeVersion('jug', '1.0'), 'cup');
    const seen = (query: string) =>
      pages.find(() => catalogue.seenBy({ rights: 'jug', maySee: (name) => name === 'jug' }, new Date()), {
        query,
        limit: 9,
        mayNameProject: true,
      });
    const hidden = await seen('cup apple');
    catalogue = catalogue.changed({ gone: [makeVersion('cup', '1.0')] });
    assert.deepEqual(hidden, await find('cup apple', { mayNameProject: true }));
    await publish(makeVersion('cup', '1.0'), 'apple');
    const { search } = index;
    index.search = async (...asked) => {
      const answer = await search.apply(index, asked);
      catalogue = catalogue.changed({ gone: [makeVersion('cup', '1.0')] });
      return answer;
    };
    assert.deepEqual(await byWords('cup fruit'), [undefined, 'jug-1.0/cup.html']);
  });

  it('passes synonyms to the index', async () => {
    const synonyms = new Map([['k8s', ['kubernetes']]]);
    const asked: unknown[] = [];
    const { search } = index;
    index.search = async (query, live, options, searching) => {
      asked.push(options.synonyms);
      return search.call(index, query, live, options, searching);
    };
    const docs = { open: async () => undefined };
    await new SearchPages(docs, index, { synonyms }).find(look, { query: 'k8s', limit: 1 });
    assert.deepEqual(asked, [synonyms]);
  });

  /** Rows of equal pages, by project. */
  const rows = ({ hits }: FoundPages) =>
    hits.map(({ version, sameIn = [] }) =>
      [version, ...sameIn.map((hit) => hit.version)].map((v) => v.project),
    );

  it('folds equal pages of several projects into one result: a favourite first, else the most read project', async () => {
    for (const project of ['a', 'b', 'c']) await publish(makeVersion(project, '1.0'), 'apple');
    const reads = { of: (project: string) => ({ b: 7, c: 9 })[project] ?? 0 };
    const docs = { open: async () => undefined };
    const counting = new SearchPages(docs, index, { reads });
    const asked = { query: 'apple', limit: 9 };
    assert.deepEqual(rows(await counting.find(look, asked)), [['c', 'b', 'a']]);
    const favourites = ['b', 'none'];
    assert.deepEqual(rows(await counting.find(look, { ...asked, favourites })), [['b', 'c', 'a']]);
  });

  it('shows the next of several equal pages when the first one is removed', async () => {
    await publish(makeVersion('a', '1.0', { origin: 'copied' }), 'apple');
    await publish(makeVersion('b', '1.0'), 'apple');
    await publish(makeVersion('c', '1.0', { origin: 'copied' }), 'apple');
    await publish(makeVersion('d', '1.0'), 'apple');
    const found = await find('apple');
    assert.deepEqual([rows(found), found.total], [[['b', 'd']], 1]);
  });

  it('folds no page that the reader may not see', async () => {
    for (const project of ['a', 'b', 'c']) await publish(makeVersion(project, '1.0'), 'apple');
    const all = catalogue;
    catalogue = catalogue.changed({ gone: [makeVersion('b', '1.0')] });
    assert.deepEqual(rows(await find('apple')), [['a', 'c']]);
    catalogue = all;
    assert.deepEqual(rows(await find('apple')), [['a', 'b', 'c']]);
  });

  it('counts facets with the best results first, and ungrouped projects among the groups', async () => {
    const titled = (title: string, text: string, ...more: string[]) =>
      siteOf({
        'index.html': `<title>${title}</title><h1>${title}</h1><p>${text}</p>`,
        ...Object.fromEntries(more.map((path) => [path, `<title>${path}</title><p>apple ${path}</p>`])),
      });
    const publishing = async (version: Version, site: ReturnType<typeof siteOf>) => {
      catalogue = catalogue.changed({ come: [version] });
      await index.build(version.revision, site);
    };
    await publishing(inGroup(makeVersion('a', '1.0'), 'Big', 'big'), titled('A', 'fruit', '1', '2', '3'));
    await publishing(inGroup(makeVersion('b', '1.0'), 'Small', 'small'), titled('Apple', 'apple'));
    await publishing(makeVersion('c', '1.0'), titled('The apple of c', 'apple'));
    const { facets, hits } = await find('apple', { facets: true, limit: 1 });
    assert.deepEqual(
      hits.map(({ version }) => version.project),
      ['b'],
    );
    const names = (values: readonly { name: string | undefined }[] = []) => values.map(({ name }) => name);
    assert.deepEqual(names(facets?.projects), ['b', 'c', 'a']);
    assert.deepEqual(names(facets?.groups), ['Small', undefined, 'Big']);
    assert.deepEqual(names(facets?.tags), ['small', 'big']);
    const inNone = await find('apple', { ungrouped: true });
    assert.deepEqual(places(inNone), ['c-1.0/index.html']);
  });

  it('counts matches by project, group and tag, most first where no facet has a result', async () => {
    await publish(inGroup(makeVersion('a', '1.0'), 'Fruit', 'red'), 'apple');
    await publish(inGroup(makeVersion('b', '1.0'), 'fruit', 'red', 'green'), 'apple');
    const { search } = index;
    index.search = async (...asked) => ({
      ...(await search.apply(index, asked)),
      revisions: [],
      facets: {
        projects: new Map([
          ['a', 2],
          ['b', 3],
          ['unseen', 9],
        ]),
        pageKinds: new Map([
          ['list', 1],
          ['guide', 4],
        ]),
      },
    });
    const { facets } = await find('apple', { facets: true });
    const counts = (of: readonly { name: string | undefined; pages: number }[] = []) =>
      of.map(({ name, pages }) => `${name} ${pages}`);
    assert.deepEqual(counts(facets?.projects), ['b 3', 'a 2']);
    assert.deepEqual(counts(facets?.groups), ['Fruit 5']);
    assert.deepEqual(counts(facets?.tags), ['red 5', 'green 3']);
    assert.deepEqual(counts(facets?.pageKinds), ['guide 4', 'list 1']);
  });

  it('finds each page of all listed versions once, in the newest version that has it', async () => {
    await publish(makeVersion('a', '1.0'), 'apple', 'old');
    await publish(makeVersion('a', '2.0'), 'apple');
    await publish(makeVersion('a', '3.0'), 'apple');
    await publish(makeVersion('a', '4.0'));
    await publish(makeVersion('b', '1.0'), 'apple');
    const settings = { ...NO_SETTINGS, hidden: new Set(['3.0']) };
    catalogue = catalogue.changed({ settings: [['a', settings]] });
    const found = await find('fruit', { project: 'a', version: 'all' });
    assert.deepEqual(
      found.hits.map(({ path, version, alsoIn = [] }) => [
        path,
        version.label,
        alsoIn.map(({ label }) => label),
      ]),
      [
        ['apple.html', '2.0', ['1.0']],
        ['old.html', '1.0', []],
      ],
    );
    assert.deepEqual([found.total, found.more, found.indexing], [2, false, []]);
    assert.deepEqual(missed, []);
    await assert.rejects(find('fruit', { project: 'none', version: 'all' }), { code: 'project_not_found' });
  });

  it('requests an index of the newest listed version for a search in all versions, where `latest` is pinned to a hidden version', async () => {
    await publish(makeVersion('a', '1.0'));
    await publish(makeVersion('a', '2.0'));
    await publish(makeVersion('a', '3.0'));
    const hiding = { ...NO_SETTINGS, hidden: new Set(['3.0']) };
    catalogue = catalogue.changed({
      settings: [['a', { ...hiding, aliases: new Map([['latest', '3.0']]) }]],
    });
    assert.deepEqual(names((await find('fruit', { project: 'a', version: 'all' })).indexing), ['a-2.0']);
    assert.deepEqual(missed, ['a-2.0']);
    catalogue = catalogue.changed({
      settings: [['a', { ...hiding, aliases: new Map([['latest', '1.0']]) }]],
    });
    assert.deepEqual(names((await find('fruit', { project: 'a', version: 'all' })).indexing), ['a-1.0']);
  });

  it('searches a version named `all` where it exists', async () => {
    await publish(makeVersion('a', 'all'), 'apple');
    await publish(makeVersion('a', '2.0'), 'apple', 'pear');
    assert.deepEqual(places(await find('fruit', { project: 'a', version: 'all' })), ['a-all/apple.html']);
  });

  it('finds pages of a preview only when that preview is searched, with or without versions beside it', async () => {
    await publish(makeVersion('a', '1.0'), 'apple');
    await publish(makePreview('a', '1.0'), 'apple', 'pear');
    await publish(makePreview('b', 'pr-1'), 'apple');
    assert.deepEqual(places(await find('apple')), ['a-1.0/apple.html']);
    assert.deepEqual(places(await find('pear project:a')), []);
    assert.deepEqual(places(await find('pear', { project: 'a' })), []);
    const { hits } = await find('pear', { project: 'a', version: '~1.0' });
    assert.deepEqual(hits.map(pathOfHit), ['/a~1.0/pear.html']);
    const alone = await find('apple', { project: 'b', version: '~pr-1' });
    assert.deepEqual(alone.hits.map(pathOfHit), ['/b~pr-1/apple.html']);
    await assert.rejects(find('apple', { project: 'b' }), { code: 'project_not_found' });
  });

  it('requests an index of a searched preview', async () => {
    await publish(makePreview('a', 'pr-1'));
    const found = await find('apple', { project: 'a', version: '~pr-1' });
    assert.deepEqual([found.hits, names(found.indexing), missed], [[], ['a~pr-1'], ['a~pr-1']]);
  });

  it('refuses a missing, expired or removed preview', async () => {
    await publish(makePreview('a', 'pr-1', { expiresAt: new Date() }), 'apple');
    await publish(makePreview('a', 'pr-2'), 'apple');
    assert.equal((await find('apple', { project: 'a', version: '~pr-2' })).hits.length, 1);
    catalogue = catalogue.changed({ gone: [makePreview('a', 'pr-2')] });
    for (const version of ['~pr-1', '~pr-2', '~pr-3', '~', '~../a', '~~pr-1']) {
      await assert.rejects(find('apple', { project: 'a', version }), { code: 'preview_not_found' }, version);
    }
    assert.deepEqual(missed, []);
  });

  it('finds nothing of a preview that is replaced, or expires, during the search', async () => {
    const preview = makePreview('a', 'pr-1', { expiresAt: new Date(Date.now() + 3_600_000) });
    await publish(preview, 'apple');
    const { search } = index;
    const searching = { project: 'a', version: '~pr-1' };
    index.search = async (...asked) => {
      const answer = await search.apply(index, asked);
      await publish({ ...preview, revision: 'another' });
      return answer;
    };
    const found = await find('apple', searching);
    assert.deepEqual([found.hits, found.total, names(found.indexing)], [[], 0, ['a~pr-1']]);
    await index.build('another', siteAbout('apple'));
    index.search = async (...asked) => {
      const answer = await search.apply(index, asked);
      await publish(makePreview('a', 'pr-1', { revision: 'another', expiresAt: new Date() }));
      return answer;
    };
    await assert.rejects(find('apple', searching), { code: 'preview_not_found' });
  });

  it('leaves out a preview whose docinfo turns search off', async () => {
    await publish(makePreview('a', 'pr-1', { docinfo: { search: false } }), 'apple');
    const found = await find('apple', { project: 'a', version: '~pr-1' });
    assert.deepEqual([found.hits, found.indexing, missed], [[], [], []]);
  });

  it('refuses a missing project or version', async () => {
    await publish(makeVersion('a', '1.0'), 'apple');
    await assert.rejects(find('apple', { project: 'x' }), { code: 'project_not_found' });
    await assert.rejects(find('apple', { project: 'a', version: '2.0' }), { code: 'version_not_found' });
  });

  it('lets the version before answer while the latest is being indexed, and reports it', async () => {
    await publish(makeVersion('a', '1.0'), 'apple');
    await publish(makeVersion('a', '1.5-rc1'), 'apple');
    await publish(makeVersion('a', '2.0'));
    const found = await find('apple');
    assert.deepEqual(places(found), ['a-1.0/apple.html']);
    assert.deepEqual(names(found.indexing), ['a-2.0']);
    assert.deepEqual(missed, ['a-2.0']);
    await index.build('a-2.0.1', siteAbout('apple'));
    const later = await find('apple');
    assert.deepEqual(places(later), ['a-2.0/apple.html']);
    assert.deepEqual(later.indexing, []);
  });

  it('finds nothing in a named version before it is indexed', async () => {
    await publish(makeVersion('a', '1.0'));
    await publish(makeVersion('a', '2.0'), 'apple');
    const found = await find('apple', { project: 'a', version: '1.0' });
    assert.deepEqual([places(found), names(found.indexing), missed], [[], ['a-1.0'], ['a-1.0']]);
  });

  it('finds nothing of a version once it is replaced or removed', async () => {
    await publish(makeVersion('a', '1.0'), 'apple');
    assert.equal((await find('apple')).hits.length, 1);
    await publish(makeVersion('a', '1.0', { revision: 'another' }));
    const found = await find('apple');
    assert.deepEqual([places(found), names(found.indexing)], [[], ['a-1.0']]);
    catalogue = Catalogue.empty;
    assert.deepEqual(places(await find('apple')), []);
  });

  it('finds nothing of a version removed during the search', async () => {
    await publish(makeVersion('a', '1.0'), 'apple');
    await publish(makeVersion('b', '1.0'), 'apple');
    const { search } = index;
    index.search = async (...asked) => {
      const answer = await search.apply(index, asked);
      catalogue = catalogue.changed({ gone: [makeVersion('b', '1.0')] });
      return answer;
    };
    assert.deepEqual(places(await find('apple')), ['a-1.0/apple.html']);
  });

  it('falls back to another version when an index turns out to be missing', async () => {
    await publish(makeVersion('a', '1.0'), 'apple');
    await publish(makeVersion('a', '2.0'), 'apple');
    await find('apple');
    await index.drop('a-2.0.1');
    const found = await find('apple');
    assert.deepEqual([places(found), names(found.indexing)], [['a-1.0/apple.html'], ['a-2.0']]);
  });

  it('leaves out projects that turn search off', async () => {
    await publish(makeVersion('a', '1.0', { docinfo: { search: false } }), 'apple');
    const found = await find('apple', { project: 'a' });
    assert.deepEqual([found.hits, found.indexing, missed], [[], [], []]);
  });

  it('leaves out deleted pages of copied-in directories', async () => {
    await publish(makeVersion('a', '1.0', { origin: 'copied' }), 'apple', 'pear');
    const docs = {
      open: async (_: Version, path: SitePath) =>
        path.toString() === 'pear.html' ? fileThatCloses() : undefined,
    };
    const { hits, total } = await new SearchPages(docs, index).find(look, { query: 'fruit', limit: 10 });
    assert.deepEqual([hits.map(({ path }) => path), total], [['pear.html'], 1]);
  });
});

function fileThatCloses() {
  const file = {
    size: 0,
    modifiedAt: new Date(0),
    etag: '',
    stream: async function* () {},
    close: async () => {},
  };
  return { kind: 'file' as const, file };
}
