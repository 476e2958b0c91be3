import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindFactor, parseQuery } from '../../src/application/index.js';
import { type PageKind, siteConventions } from '../../src/formats/html/index.js';
import { assertEnds } from '../support/assert-ends.js';
import { read } from './read.js';

/** Names of files, or titles, by what they are. */
type Table = Readonly<Record<PageKind, readonly string[]>>;

const PATHS: Table = {
  'release-notes': [
    ...['gnutls-news.html', 'dist.news.html', 'dist.news.old.html', 'foo-changelog.html', 'file.NEWS.html'],
    ...['release-notes-1.2.html', 'ChangeLog-2023.html', 'openapi_release_notes.html', 'ReleaseNotes.html'],
    ...['changelog.html', 'changes/index.html', 'release-15-1.html', 'releases/3.2.html', 'whats-new/3.html'],
    ...[
      'whats_new_3_0.html',
      'HISTORY.html',
      'releasenotes/6.1.0.html',
      'changes-in-2.0.html',
      'news.en.html',
    ],
  ],
  'generated-list': [
    ...['Function-Index.html', 'gnu/Concept-Index.html', 'Function-and-Data-Index.html', 'full_index.html'],
    ...['classes_hierarchy.html', 'Variable-Index_abt.html', 'genindex.html', 'index-all.html'],
  ],
  source: ['_modules/flask/app.html', 'src/std/vec.rs.html', 'api/src-html/Tea.html'],
  sample: ['slurm.conf.sample.html', 'sample.conf.html', 'kettle-example.yaml.html', 'example-config.html'],
  past: ['api/deprecated.html', 'deprecations.html', 'Obsolete-Functions.html', 'obsolete/kettle.html'],
  ordinary: [
    ...['index.html', 'newsreader.html', 'newsletter.html', 'news-reader.html', 'reading-news.html'],
    ...['sources-of-light.html', 'source.html', 'release.html', 'lock-release.html', 'releasing.html'],
    ...['method.Window.get_release_notes.html', 'property.Window.release-notes.html', 'get_news.html'],
    ...['indexing.html', 'create-index.html', 'XREFindex.html', 'util/genindexer.html', 'man_index.html'],
    ...['example.html', 'sample.html', 'v.sample.html', 'slurm.conf.html', 'examples/tea.html'],
    ...['history.html', 'changed.html', 'schema-changes.html', 'func.DEPRECATED_FOR.html', 'src/guide.html'],
  ],
};

const TITLES: Table = {
  'release-notes': [
    ...[
      'Release Notes',
      'Changelog',
      'Change Log',
      'News',
      'GnuTLS NEWS',
      'History',
      'Version history',
      'Changes',
    ],
    ...[
      'Appendix E. Release Notes',
      'Apache Kettle 1.9 Release Notes',
      'What’s New in Kettle 3',
      'E.2. Release 17.1',
    ],
    ...['Release notes for the 2.x series', 'Changes in version 1.2', 'Changelog (2.0)'],
  ],
  'generated-list': [
    'Concept Index',
    'Index of functions',
    'Index of new symbols in 1.16',
    'Class Hierarchy',
  ],
  source: ['kettle.h Source File', 'JSDoc: Source: kettle.js'],
  sample: ['Sample configuration file', 'kettle.conf.sample', 'Example kettle.conf file'],
  past: ['Deprecated', 'Deprecated functions', 'Obsolete and removed options', 'tea_pour (deprecated)'],
  ordinary: [
    ...[
      'Writing release notes',
      'How to write a changelog',
      'Release',
      'release()',
      'The news reader',
      'Light sources',
    ],
    ...[
      'Indexes',
      'Creating an index',
      'Example',
      'Sample application',
      'History of a command',
      'News articles',
    ],
    ...['Detecting changes', 'Changes of state', 'typing.deprecated', 'Source filters', 'What is new()'],
  ],
};

const kindOf = (path: string, title: string, head = '') =>
  read(`<title>${title}</title>${head}<p>x`, { path }).kind;

describe('The kind of a page', () => {
  for (const [kind, paths] of Object.entries(PATHS)) {
    it(`is ${kind} by its path`, () => {
      for (const path of paths) assert.equal(kindOf(path, 'Kettle'), kind, path);
    });
  }

  for (const [kind, titles] of Object.entries(TITLES)) {
    it(`is ${kind} by its title`, () => {
      for (const title of titles) assert.equal(kindOf('kettle.html', title), kind, title);
    });
  }

  it('is read from its path and its builder when other builders have such paths', () => {
    const by = (generator: string) => `<meta name=generator content="${generator}">`;
    assert.equal(kindOf('functions.html', 'Kettle', by('Doxygen 1.9.4')), 'generated-list');
    assert.equal(kindOf('kettle_8h_source.html', 'Kettle', by('Doxygen 1.9.4')), 'source');
    assert.equal(kindOf('functions.html', 'Kettle', by('mdbook')), 'ordinary');
    assert.equal(kindOf('src/std/lib.html', 'Kettle', by('rustdoc')), 'source');
    const script = (src: string) => `<script src="${src}"></script>`;
    assert.equal(kindOf('src/Tea.html', 'Kettle', script('highlight.js')), 'source');
    assert.equal(kindOf('src/Tea.html', 'Kettle', script('../js/highlight.js')), 'ordinary');
  });

  it('is read quickly from a long path or title', () => {
    assertEnds(() => {
      for (const part of ['1', 'a-', 'a ', 'news-', '.old', 'index and ', 'x.conf']) {
        const long = part.repeat(5_000);
        for (const text of [`${long}!`, `news${long}!`, `news ${long}!`])
          assert.equal(kindOf(`${text}.html`, text), 'ordinary');
      }
    });
  });

  it('is read from its path rather than from its title', () => {
    assert.equal(kindOf('news.html', 'Deprecated functions'), 'release-notes');
  });

  it('is read from its title without the parts common to the site', () => {
    const conventions = siteConventions(
      ['Release notes', 'Whistle', 'Lid', 'Spout', 'Water', 'Tea'].map((title) =>
        read(`<title>${title} — Kettle 2.0</title><p>x`),
      ),
    );
    const page = read('<title>Release notes — Kettle 2.0</title><p>x', { conventions });
    assert.deepEqual([page.title, page.kind], ['Release notes', 'release-notes']);
  });
});

describe('The kind of pages that a search prefers', () => {
  const asks = (kind: PageKind, query: string) => {
    const words = parseQuery(query).words.map((word) => ({
      ...word,
      pages: 1,
      weight: 1,
      isOfProject: false,
    }));
    return kindFactor({ kind, words }) === 1;
  };

  it('is read from the words of the query', () => {
    for (const query of [
      'release 2.1',
      'changelog',
      'changes in 3',
      "what's new",
      'new features',
      'deprecated',
    ])
      assert.ok(asks('release-notes', query), query);
    assert.ok(asks('past', 'obsolete options'));
    assert.ok(asks('sample', 'example of a configuration'));
    assert.ok(asks('source', 'source of boil'));
    for (const query of ['index', 'index of functions', 'class hierarchy', 'alphabetical list'])
      assert.ok(asks('generated-list', query), query);
  });

  it('is undefined for words of most questions', () => {
    for (const query of ['create a new index', 'boil water', 'change the lid'])
      for (const kind of ['release-notes', 'past', 'sample', 'source', 'generated-list'] as const)
        assert.ok(!asks(kind, query), `${kind}: ${query}`);
  });

  it('always includes ordinary pages in full', () => {
    assert.ok(asks('ordinary', 'boil water'));
  });
});
