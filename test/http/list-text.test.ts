import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ListText } from '../../src/adapters/http/list-text.js';
import { projectBody } from '../../src/adapters/http/projections.js';
import { PublicAddress } from '../../src/adapters/http/public-address.js';
import { Catalogue, type Project } from '../../src/domain/index.js';
import { makeVersion } from '../domain/make-version.js';

const at = new PublicAddress('/docs');
const inOneGo = (projects: readonly Project[]) =>
  JSON.stringify({ projects: projects.map((project) => projectBody(project, at)), count: projects.length });

const change = fc.record({
  isGone: fc.boolean(),
  project: fc.constantFrom('a', 'b', 'c', 'd'),
  label: fc.constantFrom('1.0', '2.0', 'main'),
  name: fc.string({ unit: 'binary' }),
  /** Whether only a part is listed before the whole. */
  isSearched: fc.boolean(),
});

describe('The text of a list', () => {
  it('is what it would be in one go, after any changes, also when it is taken from the one before', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const text = new ListText(at);
        let catalogue = Catalogue.empty;
        for (const { isGone, project, label, name, isSearched } of changes) {
          const version = makeVersion(project, label, { docinfo: { name } });
          catalogue = isGone ? catalogue.without(version) : catalogue.with(version);
          const { projects } = catalogue;
          if (isSearched) assert.equal(text.of(projects.slice(1)).toString(), inOneGo(projects.slice(1)));
          assert.equal(text.ofAll(projects).toString(), inOneGo(projects));
          assert.equal(text.of(projects.slice(1)).toString(), inOneGo(projects.slice(1)));
        }
      }),
    );
  });
});
