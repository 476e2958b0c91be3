import assert from 'node:assert/strict';
import { describe, it, type MockTracker } from 'node:test';
import fc from 'fast-check';
import {
  answer,
  type Candidate,
  type FoundPage,
  parseQuery,
  resolveWords,
  SearchBudget,
  type WordSource,
  weighWords,
  wordsOf,
} from '../../src/application/index.js';
import { findPhrases } from '../../src/application/search/phrases.js';
import { contentOf } from '../support/content-of.js';

/** A budget that lasts for so many looks. */
function budgetOf(looks: number): SearchBudget & { readonly looks: () => number } {
  let looked = 0;
  const budget = new SearchBudget(() => {
    looked += 1;
    return looked > looks ? 1 : 0;
  });
  return Object.assign(budget, { looks: () => looked });
}

/** Candidates for a query whose only section has this text, and how many of them were opened. */
function candidatesOf(typed: string, count: number, text: string) {
  const query = parseQuery(typed);
  const words: FoundPage['words'] = weighWords(
    query.words.map((word) => ({ ...word, pages: count })),
    count,
    'p',
  );
  let opened = 0;
  const candidates = Array.from({ length: count }, (_, at): Candidate => {
    const path = `${String(at).padStart(3, '0')}.html`;
    const page: FoundPage = {
      ...{ path, title: 'T', kind: 'ordinary', language: undefined, place: 'body', hasAll: true, words },
      pieces: query.pieces,
    };
    const open = () => {
      opened += 1;
      return { ...page, content: contentOf([{ heading: '', level: 1, text }]), way: [] };
    };
    return { revision: 'r', page, open };
  });
  return { query, candidates, opened: () => opened };
}

describe('The budget of a search', () => {
  it('ends the reading of candidates, and returns the read ones as incomplete', () => {
    const { query, candidates, opened } = candidatesOf('apple', 40, 'An apple.');
    // The clock is read once for each candidate that is ranked, then once for each that is read.
    const { results, total, incomplete } = answer(query, candidates, { limit: 10 }, budgetOf(45));
    assert.deepEqual(
      { results: results.length, total, incomplete, opened: opened() },
      { results: 5, total: 5, incomplete: true, opened: 5 },
    );
    assert.deepEqual(results[0]?.snippet.map(({ text }) => text).join(''), 'An apple.');
  });

  it('is not spent by a quick search, whose results are complete', () => {
    const { query, candidates } = candidatesOf('apple', 40, 'An apple.');
    const answered = answer(query, candidates, { limit: 10 }, budgetOf(1_000));
    assert.deepEqual([answered.results.length, answered.total], [10, 40]);
    assert.equal('incomplete' in answered, false);
  });

  it('bounds the characters of the pages that one search opens', () => {
    const text = `zorp quux ${'something '.repeat(39_999)}`;
    const { query, candidates, opened } = candidatesOf('"zorp quux"', 240, text);
    const answered = answer(query, candidates, { limit: 2 }, budgetOf(Number.POSITIVE_INFINITY));
    assert.equal(opened(), 50);
    // The last one was too much.
    assert.deepEqual([answered.results.length, answered.total, answered.incomplete], [2, 49, true]);
  });

  it('is checked inside a page that has a word a hundred thousand times in other words', () => {
    // The word itself stands nowhere, so each occurrence is looked at.
    const { query, candidates } = candidatesOf('a b', 1, 'xaxbx'.repeat(40_000));
    const budget = budgetOf(5);
    assert.equal(answer(query, candidates, { limit: 1 }, budget).incomplete, true);
    assert.ok(budget.looks() <= 6);
  });

  it('is checked between the headings of a page', () => {
    const { query, candidates } = candidatesOf('apple', 1, 'apple');
    const [first] = candidates;
    assert.ok(first !== undefined);
    const headings = Array.from({ length: 5_000 }, () => ({ heading: 'An apple', level: 2, text: '' }));
    const many = { ...first, open: () => ({ ...first.page, content: contentOf(headings), way: [] }) };
    const budget = budgetOf(20);
    assert.equal(answer(query, [many], { limit: 1 }, budget).incomplete, true);
    assert.equal(budget.looks(), 21);
  });
});

describe('The time of a search', () => {
  /** Returns whether a share is spent after `passed` ms by the clock, `worked` ms of them as CPU time of the process. */
  function usedAfter(mock: MockTracker, passed: number, worked: number): (share: number) => boolean {
    let [now, user] = [0, 0];
    mock.method(performance, 'now', () => now);
    mock.method(process, 'cpuUsage', (since = { user: 0, system: 0 }) => ({
      user: user - since.user,
      system: 0,
    }));
    const budget = SearchBudget.start();
    now += passed;
    user += worked * 1_000;
    return (share) => budget.isSpent(share);
  }

  it('is one second of work, however many threads work', ({ mock }) => {
    assert.equal(usedAfter(mock, 999, 3_000)(1), false);
    assert.equal(usedAfter(mock, 1_000, 3_000)(1), true);
  });

  it('is measured by the wall clock alone until a share is spent', ({ mock }) => {
    const isSpent = usedAfter(mock, 500, 500);
    const asked = (process.cpuUsage as typeof process.cpuUsage & { mock: { callCount(): number } }).mock;
    const before = asked.callCount();
    assert.deepEqual([isSpent(0.6), asked.callCount() - before], [false, 0]);
    assert.deepEqual([isSpent(0.4), asked.callCount() - before], [true, 1]);
  });

  it('ends at the next check once nobody waits', () => {
    let isAbandoned = false;
    const budget = SearchBudget.start(() => isAbandoned);
    assert.equal(budget.isSpent(1), false);
    isAbandoned = true;
    assert.deepEqual([budget.isSpent(1), budget.isOver], [true, true]);
  });

  it('continues while the machine is busy, until four seconds have passed', ({ mock }) => {
    assert.equal(usedAfter(mock, 3_999, 999)(1), false);
    assert.equal(usedAfter(mock, 3_000, 1_000)(1), true);
    assert.equal(usedAfter(mock, 4_000, 10)(1), true);
  });
});

describe('Typos of a query', () => {
  const sourceOf = (spellings: readonly string[], asked: number[] = []): WordSource => ({
    pagesWith: (token) => Number(spellings.some((each) => token === wordsOf(each)[0]?.tokens[0])),
    hasPrefix: () => false,
    spellingsNear: (length, _signature, _typos, most) => {
      asked.push(length);
      return spellings.filter((each) => each.length === length).slice(0, most);
    },
  });

  it('are corrected in the first three words that are on no page, and in no others', () => {
    const source = sourceOf(['kettle', 'whistle', 'volume', 'handle']);
    const typed = 'kettel wistle volmue handel ';
    assert.equal(resolveWords(parseQuery(typed), [source]).correctedTo, 'kettle whistle volume handel');
  });

  it('are compared with words of equal length first, within a limit of revisions', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `q${String(at).padStart(8, '0')}`);
    const asked: number[] = [];
    const never: number[] = [];
    resolveWords(parseQuery('qwertzuio '), [sourceOf(many, asked), sourceOf(['qwertzui'], never)]);
    assert.deepEqual([asked, never], [[9], []]);
  });

  it('are no longer corrected when the budget is spent', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `q${String(at).padStart(8, '0')}`);
    const budget = budgetOf(3);
    resolveWords(parseQuery('qwertzuio '), [sourceOf(many)], budget);
    assert.deepEqual([budget.looks(), budget.isIncomplete], [4, true]);
  });
});

describe('Phrases', () => {
  const isIn = (phrase: readonly string[], text: string) =>
    findPhrases([phrase], '', contentOf([{ heading: '', level: 1, text }]), new SearchBudget(() => 0)) !==
    undefined;

  it('count once each, up to twelve words in all', () => {
    assert.deepEqual(parseQuery('"Cool cellar" "cool, cellar" "pear"').phrases, [
      ['cool', 'cellar'],
      ['pear'],
    ]);
    const long = Array.from({ length: 20 }, (_, at) => `w${at}`);
    assert.deepEqual(parseQuery(`"${long.join(' ')}" "pear"`).phrases, [long.slice(0, 12)]);
  });

  it('are found like by a word-by-word comparison', () => {
    const part = fc.constantFrom(
      ...['a', 'b', 'ab', 'A', 'é', '_', '__x', 'a_b', '--a', '--a-b', 'c++', 'c#', 'operator<<', 'operator'],
      ...['日本', '日', '本語', 'ソフト', 'ไทย', 'ا', 'אב', '٣', '-', '.', ',', '::', ' ', '  ', '\n', '😀'],
    );
    const text = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''));
    const spaced = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.oneof(text, spaced), text, text, (quoted, before, after) => {
        const [phrase] = parseQuery(`"${quoted}"`).phrases;
        if (phrase === undefined) return;
        for (const searched of [before + after, `${before}${quoted}${after}`, `${before} ${quoted} ${after}`])
          assert.equal(
            isIn(phrase, searched),
            standsIn(phrase, searched),
            JSON.stringify([phrase, searched]),
          );
      }),
      { numRuns: 3_000 },
    );
  });

  it('are found in long runs without spaces', () => {
    assert.equal(isIn(parseQuery('"本語"').phrases[0] ?? [], `${'日'.repeat(300)}本語`), true);
  });

  it('do not continue from one section to the next', () => {
    const sections = ['cool', 'cellar'].map((text) => ({ heading: '', level: 1, text }));
    const content = contentOf(sections);
    assert.equal(findPhrases([['cool', 'cellar']], '', content, new SearchBudget(() => 0)), undefined);
  });
});

/** Whether the words of a phrase follow one another in a text; runs without spaces may begin before it and end after it. */
function standsIn(phrase: readonly string[], text: string): boolean {
  const words = wordsOf(text).map(({ folded }) => folded);
  return words.some((_, start) =>
    phrase.every((wanted, at) => {
      const word = words[start + at];
      if (word === undefined) return false;
      if (word === wanted) return true;
      if (!/\p{Lo}/u.test(wanted)) return false;
      if (phrase.length === 1) return word.includes(wanted);
      return at === 0 ? word.endsWith(wanted) : at === phrase.length - 1 && word.startsWith(wanted);
    }),
  );
}
