import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedAnswers } from '../../src/adapters/search/sqlite-search-index.js';
import type { SearchAnswer } from '../../src/application/index.js';

const answerOf = (title: string, more: Partial<SearchAnswer> = {}): SearchAnswer => ({
  results: [{ revision: 'r', path: 'a.html', title, kind: 'page', snippet: [], score: 1 }],
  total: 1,
  more: false,
  corrections: [],
  omittedTerms: [],
  missing: [],
  ...more,
});

/** A search that the test answers, with the number of times that it was begun. */
function slowSearch() {
  const begun: { resolve(answer: SearchAnswer): void; reject(error: Error): void; signal: AbortSignal }[] =
    [];
  const search = (signal: AbortSignal) =>
    new Promise<SearchAnswer>((resolve, reject) => {
      begun.push({ resolve, reject, signal });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return { begun, search };
}

describe('Identical questions', () => {
  it('share one search while it runs, and its cached answer afterwards', async () => {
    const answers = new SharedAnswers();
    const { begun, search } = slowSearch();
    const asked = [1, 2, 3].map(() => answers.ask('q', undefined, search));
    const other = answers.ask('other', undefined, search);
    assert.equal(begun.length, 2);
    begun[0]?.resolve(answerOf('first'));
    begun[1]?.resolve(answerOf('second'));
    for (const each of await Promise.all(asked)) assert.equal(each.results[0]?.title, 'first');
    assert.equal((await other).results[0]?.title, 'second');
    assert.equal((await answers.ask('q', undefined, search)).results[0]?.title, 'first');
    assert.equal(begun.length, 2);
  });

  it('are searched again after a build or a drop, also during a search', async () => {
    const answers = new SharedAnswers();
    const { begun, search } = slowSearch();
    const before = answers.ask('q', undefined, search);
    answers.forget();
    const after = answers.ask('q', undefined, search);
    assert.equal(begun.length, 2);
    begun[0]?.resolve(answerOf('before'));
    assert.equal((await before).results[0]?.title, 'before');
    begun[1]?.resolve(answerOf('after'));
    assert.equal((await after).results[0]?.title, 'after');
    assert.equal((await answers.ask('q', undefined, search)).results[0]?.title, 'after');
    answers.forget();
    const again = answers.ask('q', undefined, search);
    assert.equal(begun.length, 3);
    begun[2]?.resolve(answerOf('again'));
    assert.equal((await again).results[0]?.title, 'again');
  });

  it('are searched again after an incomplete answer, or a failure', async () => {
    const answers = new SharedAnswers();
    const { begun, search } = slowSearch();
    for (const [index, more] of [{ missing: ['r-2'] }, { incomplete: true }, undefined].entries()) {
      const asked = answers.ask('q', undefined, search);
      assert.equal(begun.length, index + 1);
      if (more === undefined) {
        begun[index]?.reject(new Error('no'));
        await assert.rejects(asked, /no/);
      } else {
        begun[index]?.resolve(answerOf('part', more));
        await asked;
      }
    }
    const last = answers.ask('q', undefined, search);
    assert.equal(begun.length, 4);
    begun[3]?.resolve(answerOf('whole'));
    await last;
  });

  it('continue when one of two waiting clients leaves, and stop when both have left', async () => {
    const answers = new SharedAnswers();
    const { begun, search } = slowSearch();
    const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()];
    const first = answers.ask('q', one.signal, search);
    const second = answers.ask('q', two.signal, search);
    one.abort(new Error('one left'));
    await assert.rejects(first, /one left/);
    assert.equal(begun[0]?.signal.aborted, false);
    two.abort(new Error('two left'));
    await assert.rejects(second, /two left/);
    assert.equal(begun[0]?.signal.aborted, true);
    const third = answers.ask('q', three.signal, search);
    assert.equal(begun.length, 2, 'whoever asks afterwards has a search of their own');
    begun[1]?.resolve(answerOf('third'));
    assert.equal((await third).results[0]?.title, 'third');
    three.abort();
    await assert.rejects(answers.ask('q', three.signal, search), { name: 'AbortError' });
  });
});
