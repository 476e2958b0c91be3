import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageHit } from '../../src/application/index.js';
import type { Project } from '../../src/domain/index.js';
import { EXACT, makeProject, pages, searchOf, words } from './samples.js';

const tool = makeProject('tool', ['1.0']);
const other = makeProject('other', ['1.0']);

const hitOf = (project: Project, path: string, title: string, heading?: string): PageHit => ({
  project,
  version: project.latest,
  path,
  title,
  kind: heading === undefined ? 'page' : 'section',
  ...(heading === undefined ? {} : { heading }),
  snippet: [],
});
const shown = (hits: readonly PageHit[], place?: Project) =>
  words(
    pages.search(
      searchOf({
        query: 'x',
        place: place && { project: place, version: place.latest },
        found: { hits, total: hits.length, ...EXACT, indexing: [] },
      }),
    ),
  );

describe('Search results', () => {
  it('show their paths when they have the same title', () => {
    const hits = [
      hitOf(tool, 'server/overview.html', 'Overview'),
      hitOf(tool, 'client/overview.html', 'Overview', 'Limits'),
      hitOf(tool, 'install.html', 'Install'),
    ];
    for (const text of [shown(hits), shown(hits, tool)]) {
      assert.match(text, /Overview server\/overview\.html .*Overview › Limits client\/overview\.html/);
      assert.doesNotMatch(text, /install\.html/);
    }
  });

  it('have the name of their kind in front, and that of their project once where several are searched', () => {
    const kinds = ['function', 'type', 'release notes'] as const;
    const hits = kinds.map((kind) => ({ ...hitOf(tool, `${kind}.html`, kind.toUpperCase()), kind }));
    assert.match(
      shown([...hits, hitOf(other, 'a.html', 'A')]),
      /Function FUNCTION Tool 1\.0 .*Type TYPE .*Release notes RELEASE NOTES .*Page A Other 1\.0/,
    );
    assert.equal(shown(hits).match(/Tool 1\.0/g)?.length, 1);
    assert.doesNotMatch(shown(hits, tool), /FUNCTION Tool/);
  });

  it('show no paths when the same title belongs to another project', () => {
    const hits = [hitOf(tool, 'overview.html', 'Overview'), hitOf(other, 'overview.html', 'Overview')];
    assert.doesNotMatch(shown(hits), /overview\.html/);
  });

  it('suggest other words, and a search without quotation marks, when empty', () => {
    const none = (query: string) =>
      words(pages.search(searchOf({ query, found: { hits: [], total: 0, ...EXACT, indexing: [] } })));
    assert.match(none('apple pie'), /No page has these words Try fewer words, or other ones\./);
    assert.match(none('"apple pie"'), /No page has these words Try it without the quotation marks/);
  });

  it('are marked as incomplete when the search was stopped, also when empty', () => {
    const stopped = (hits: readonly PageHit[]) =>
      words(
        pages.search(
          searchOf({
            query: 'x',
            found: { hits, total: hits.length, ...EXACT, indexing: [], incomplete: true },
          }),
        ),
      );
    const sentence = 'the search took too long and was stopped; there may be more';
    assert.match(stopped([hitOf(tool, 'a.html', 'A')]), new RegExp(`1 page for “ x ”; ${sentence}`));
    assert.match(stopped([]), new RegExp(`Nothing found yet: ${sentence}`));
  });

  it('list the words on no page, struck through', () => {
    const found = {
      ...{ hits: [hitOf(tool, 'a.html', 'A')], total: 115, ...EXACT, indexing: [] },
      ...{
        correctedTo: 'ledger sdk xqz',
        omittedTerms: ['xqz'],
        corrections: [{ from: 'ledgr', to: 'ledger' }],
      },
    };
    const html = pages.search(searchOf({ query: 'ledgr sdk xqz', found }));
    assert.match(html, /“<del>ledgr<\/del>”/);
    assert.match(words(html), /No page has “ ledgr ” or “ xqz ”; 115 pages for “ ledger sdk ”/);
  });

  it('show their breadcrumbs, and keep the lines of code', () => {
    const hit = {
      ...hitOf(tool, 'a/b.html', 'B'),
      way: ['Guide', 'Deep'],
      snippet: [{ text: 'a\n b', isMarked: false }],
    };
    const html = pages.search(
      searchOf({ query: 'x', found: { hits: [hit], total: 1, ...EXACT, indexing: [] } }),
    );
    assert.match(html, /Guide › Deep/);
    assert.match(html, /class="hit-snippet is-code"><bdi>a\n b</);
  });

  it('offer filters by project, group and tag', () => {
    const counted = [{ name: 'Fruit & more', pages: 3 }];
    const projects = [tool, other].map((project) => ({ name: project.directoryName, project, pages: 2 }));
    const facets = { projects, groups: counted, tags: counted, pageKinds: [] };
    const found = { hits: [hitOf(tool, 'a.html', 'A')], total: 1, ...EXACT, facets, indexing: [] };
    const html = pages.search(searchOf({ query: 'x', filter: { tag: 'red' }, found }));
    assert.match(html, /href="\/-\/search\?q=x&amp;tag=red&amp;group=Fruit\+%26\+more"/);
    assert.match(html, /href="\/-\/search\?q=x&amp;project=tool"/);
    assert.doesNotMatch(html, /tag=Fruit/);
  });

  it('offer eight values of each filter, and the rest on demand, with counts apart from names', () => {
    const values = Array.from({ length: 11 }, (_, at) => ({ name: `Fruit ${at}`, pages: at + 1 }));
    const projects = [tool, other].map((project) => ({ name: project.directoryName, project, pages: 2 }));
    const groups = [...values.slice(0, 3), { name: undefined, pages: 4 }];
    const facets = { projects, groups, tags: values, pageKinds: [] };
    const found = { hits: [hitOf(tool, 'a.html', 'A')], total: 1, ...EXACT, facets, indexing: [] };
    const html = pages.search(searchOf({ query: 'x', found }));
    const [shown = '', more = ''] = html.slice(html.indexOf('<h3 class="tally">Tags')).split('<details');
    assert.equal(shown.match(/<li>/g)?.length, 8);
    assert.match(more, /^[^>]*><summary>3 more<\/summary>(.*Fruit (8|9|10)<){3}/);
    assert.match(
      html,
      /<a class="soft-link" href="[^"]*tag=Fruit\+2"><bdi>Fruit 2<\/bdi><\/a> <span class="tally">3</,
    );
    assert.match(html, /href="\/-\/search\?q=x&amp;ungrouped=true"><bdi>Ungrouped</);
    const inNone = pages.search(searchOf({ query: 'x', filter: { ungrouped: true }, found }));
    assert.doesNotMatch(inNone, /<h3 class="tally">Groups/);
    assert.match(words(inNone), /In the projects of Ungrouped/);
  });

  it('fold equal pages of other projects into one row, which opens on demand', () => {
    const sameIn = [hitOf(other, 'set/index.html', 'Configuration', 'retry.max')];
    const hit = { ...hitOf(tool, 'a.html', 'Configuration', 'retry.max'), sameIn };
    const before = ['1', '2', '3', '4'].map((title) => hitOf(tool, `${title}.html`, title));
    const html = pages.search(
      searchOf({ query: 'x', found: { hits: [...before, hit], total: 5, ...EXACT, indexing: [] } }),
    );
    assert.match(html, /<details class="hit-same small"><summary>In 2 projects<\/summary>/);
    assert.match(html, /<li data-project="other"><a href="\/other-latest\/set\/"><bdi>Other<\/bdi>/);
    // Only three results of one project are listed among others.
    assert.doesNotMatch(html, /4\.html/);
    assert.match(words(html), /More in Tool/);
  });

  it('show their paths once when they have no title', () => {
    const text = shown([hitOf(tool, 'a.html', ''), hitOf(tool, 'b.html', '')]);
    assert.equal(text.match(/[ab]\.html/g)?.length, 2);
  });
});
