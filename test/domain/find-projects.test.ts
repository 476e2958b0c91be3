import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Docinfo, findProjects, Project, SearchTerm } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const projectOf = (directoryName: string, docinfo: Docinfo = {}) =>
  new Project(directoryName, [makeVersion(directoryName, '1.0', { docinfo })]);

const LIBRARY = [
  projectOf('core', { name: 'Core', description: 'Used by the Payments SDK' }),
  projectOf('payments-sdk', { name: 'Payments SDK', tags: ['http', 'billing'], owner: 'Team Blue' }),
  projectOf('retry', { description: 'Tries again, with backoff', group: 'Networking' }),
  projectOf('form'),
];

const found = (text: string) =>
  findProjects(LIBRARY, SearchTerm.of(text) ?? assert.fail('too long')).map(
    ({ directoryName }) => directoryName,
  );

const FOUND: readonly (readonly [term: string, projects: readonly string[], why: string])[] = [
  ['payments sdk', ['payments-sdk', 'core'], 'names come before descriptions'],
  ['SDK  pay', ['payments-sdk', 'core'], 'words in any order, and parts of them'],
  ['backoff', ['retry'], 'words of the description count'],
  ['billing', ['payments-sdk'], 'tags count'],
  ['blue', ['payments-sdk'], 'owners count'],
  ['networking tries', ['retry'], 'groups count, and words may be in several texts'],
  ['paymnets', ['core', 'payments-sdk'], 'two letters may be swapped'],
  ['paments', ['core', 'payments-sdk'], 'one letter may be missing'],
  ['payyments', ['core', 'payments-sdk'], 'one letter may be added'],
  ['pavments s', ['core', 'payments-sdk'], 'one letter may be wrong, in one word of several'],
  ['paymn', ['core', 'payments-sdk'], 'a typo in an unfinished word'],
  ['tries blue', [], 'all words have to be of one project'],
  ['pyamnets', [], 'two typos in one word are too many'],
  ['fomr', ['form'], 'four letters may have a typo'],
  ['fro', [], 'three letters may have no typo'],
  ['from', ['form'], 'a typo is corrected when nothing is found without'],
  ['core', ['core'], 'no typo is corrected when something is found'],
];

describe('The search of the index', () => {
  for (const [term, projects, why] of FOUND) {
    it(`finds ${projects.join(', ') || 'nothing'} for '${term}': ${why}`, () => {
      assert.deepEqual(found(term), projects);
    });
  }

  it('finds everything for white space', () => {
    assert.deepEqual(found(' '), ['core', 'payments-sdk', 'retry', 'form']);
  });

  it('finds a word with any single typo', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdef'), minLength: 5, maxLength: 12 });
    const letter = fc.constantFrom(...'abcdef');
    fc.assert(
      fc.property(word, letter, fc.nat(), fc.nat(3), (right, other, place, kind) => {
        const at = place % (right.length - 1);
        const [before, after] = [right.slice(0, at), right.slice(at)];
        const typed = [
          before + other + after,
          before + after.slice(1),
          before + other + after.slice(1),
          before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2),
        ][kind];
        const project = projectOf(right);
        assert.equal(findProjects([project], SearchTerm.of(typed ?? '') ?? SearchTerm.none)[0], project);
      }),
    );
  });
});
