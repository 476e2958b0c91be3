import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageHit } from '../../src/application/index.js';
import type { Project } from '../../src/domain/index.js';
import { makeProject, pages, searchOf, words } from './samples.js';

const tool = makeProject('tool', ['1.0']);
const other = makeProject('other', ['1.0']);

const hitOf = (project: Project, path: string, title: string, heading?: string): PageHit => ({
  project,
  version: project.latest,
  path,
  title,
  ...(heading === undefined ? {} : { heading }),
  snippet: [],
});
const shown = (hits: readonly PageHit[], place?: Project) =>
  words(
    pages.search(
      searchOf({
        query: 'x',
        place: place && { project: place, version: place.latest },
        found: { hits, total: hits.length, indexing: [] },
      }),
    ),
  );

describe('Pages that were found', () => {
  it('show their paths where they have the same title', () => {
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

  it('show no paths where the same title is that of another project', () => {
    const hits = [hitOf(tool, 'overview.html', 'Overview'), hitOf(other, 'overview.html', 'Overview')];
    assert.doesNotMatch(shown(hits), /overview\.html/);
  });

  it('are looked for by other words where there are none, and without quotation marks', () => {
    const none = (query: string) =>
      words(pages.search(searchOf({ query, found: { hits: [], total: 0, indexing: [] } })));
    assert.match(none('apple pie'), /No page has these words Try fewer words, or other ones\./);
    assert.match(none('"apple pie"'), /No page has these words Try it without the quotation marks/);
  });

  it('are said to be some of them where the search was stopped, also where there are none', () => {
    const stopped = (hits: readonly PageHit[]) =>
      words(
        pages.search(
          searchOf({ query: 'x', found: { hits, total: hits.length, indexing: [], incomplete: true } }),
        ),
      );
    const sentence = 'the search took too long and was stopped; there may be more';
    assert.match(stopped([hitOf(tool, 'a.html', 'A')]), new RegExp(`1 page for “ x ”; ${sentence}`));
    assert.match(stopped([]), new RegExp(`Nothing found yet: ${sentence}`));
  });

  it('show their paths once where they have no title', () => {
    const text = shown([hitOf(tool, 'a.html', ''), hitOf(tool, 'b.html', '')]);
    assert.equal(text.match(/[ab]\.html/g)?.length, 2);
  });
});
