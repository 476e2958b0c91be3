import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { coversProject, isNameOrPattern } from '../../src/domain/index.js';

describe('A list of projects', () => {
  it('names every project when absent, and none when empty', () => {
    assert.equal(coversProject(undefined, 'a'), true);
    assert.equal(coversProject([], 'a'), false);
  });

  for (const [element, named, others] of [
    ['payments-*', ['payments-api', 'payments-'], ['payments', 'Payments-api', 'my-payments-api', '']],
    ['a', ['a'], ['a-b', 'A', 'ab', '']],
    ['*', [], ['a', '*a', '']],
    ['**', [], ['a', '*', '*a']],
    ['a*b', [], ['ab', 'a-b', 'a']],
  ] as const) {
    it(`names ${named.join(' and ') || 'nothing'} by ${element}, and not ${others.join(', ')}`, () => {
      for (const project of named) assert.equal(coversProject([element], project), true, project);
      for (const project of others) assert.equal(coversProject([element], project), false, project);
    });
  }

  it('may hold names, and beginnings with one * at the end', () => {
    const texts = ['a', 'a*', '*', '**', '*a', 'a*b', 'a**'];
    assert.deepEqual(texts.filter(isNameOrPattern), ['a', 'a*']);
  });

  it('matches like a regular expression of its elements', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '_', '1'), maxLength: 5 });
    const element = fc.oneof(
      letters,
      letters.filter((text) => text !== '').map((text) => `${text}*`),
    );
    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), letters, (projects, project) => {
        const oracle = projects.some((each) =>
          new RegExp(`^${each.replaceAll('.', '[.]').replace('*', '.*')}$`).test(project),
        );
        assert.equal(coversProject(projects, project), oracle);
      }),
      { numRuns: 10_000 },
    );
  });
});
