import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inProject, parseQuery } from '../../src/application/search/query/parse-query.js';
import { ProjectNames } from '../../src/application/search/query/resolve-words.js';

const live = ['kettle-drum', 'Teapot'].map((project, at) => ({ revision: `r-${at}`, project }));

describe('The words of the names of projects', () => {
  const names = new ProjectNames(live);

  it('are known whole, by prefix, and by length for typos', () => {
    assert.deepEqual(
      ['kettl', 'teapot', 'cup'].map((token) => names.pagesWith(token)),
      [1, 1, 0],
    );
    assert.deepEqual(
      ['drum', 'dru', 'rum'].map((token) => names.hasPrefix(token)),
      [true, true, false],
    );
    assert.deepEqual(
      [6, 4, 5].map((length) => names.spellingsNear(length)),
      [['kettle', 'teapot'], ['drum'], []],
    );
  });
});

describe('The project filter of a query', () => {
  it('names one project, ignoring case, and leaves all projects in when absent', () => {
    assert.deepEqual(inProject(parseQuery('lid project:teapot'), live), live.slice(1));
    assert.deepEqual(inProject(parseQuery('lid'), live), live);
    assert.deepEqual(inProject(parseQuery('lid project:cup'), live), []);
  });
});
