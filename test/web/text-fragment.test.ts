import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publicDirectory } from '../../src/adapters/web/index.js';

interface Run {
  readonly text: string;
  readonly isMarked: boolean;
}

const { textDirective } = (await import(`${publicDirectory}/-/assets/find-pages.js`)) as {
  textDirective: (runs: readonly Run[]) => string | undefined;
};

/** The runs of a snippet whose marked parts are in brackets. */
const runsOf = (snippet: string): readonly Run[] =>
  snippet
    .split(/(\[[^\]]*\])/)
    .filter((text) => text !== '')
    .map((text) => ({ text: text.replace(/^\[|\]$/g, ''), isMarked: text.startsWith('[') }));

describe('The text directive of a snippet', () => {
  for (const [snippet, directive] of [
    ['… and then [boil] the water …', 'and%20then-,boil,-the%20water'],
    ['[boil] the water', 'boil,-the%20water'],
    ['then [boil]', 'then-,boil'],
    ['[boil] [the] [water] [now]', 'boil%20the%20water%20now'],
    ['a [boil] the [water]', 'a-,boil,-the%20water'],
    ['use [--dry-run], or [a,b] & c', 'use-,%2D%2Ddry%2Drun,-%2C%20or'],
    ['[日本] の', '%E6%97%A5%E6%9C%AC,-%E3%81%AE'],
    ['nothing is marked', undefined],
    ['half a letter [\ud83d]', undefined],
  ] as const) {
    it(`is ${directive} for '${snippet}'`, () => {
      assert.equal(textDirective(runsOf(snippet)), directive);
    });
  }
});
