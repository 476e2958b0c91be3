import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Docinfo,
  filterProjects,
  groupsOf,
  isFiltering,
  Project,
  type ProjectFilter,
  tagsOf,
} from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const projectOf = (directoryName: string, docinfo?: Docinfo) =>
  new Project(directoryName, [makeVersion(directoryName, '1.0', { docinfo })]);

const LIBRARY = [
  projectOf('a', { group: 'Payments', tags: ['SDK', 'http'] }),
  projectOf('b', { group: 'payments', tags: ['sdk'] }),
  projectOf('c', { group: 'Straße 10' }),
  projectOf('d', { group: 'Straße 9', tags: ['http'] }),
  projectOf('e', { owner: 'Team Blue' }),
];

const kept = (filter: ProjectFilter) =>
  filterProjects(LIBRARY, filter).map(({ directoryName }) => directoryName);

describe('A filter of projects', () => {
  it('keeps the projects of a group, ignoring case', () => {
    assert.deepEqual(kept({ group: 'PAYMENTS' }), ['a', 'b']);
    assert.deepEqual(kept({ group: 'STRASSE 9' }), ['d']);
  });

  it('keeps ungrouped projects', () => {
    assert.deepEqual(kept({ ungrouped: true }), ['e']);
    assert.deepEqual(kept({ ungrouped: true, group: 'payments' }), []);
  });

  it('keeps the projects of a tag, or of both a tag and a group', () => {
    assert.deepEqual(kept({ tag: 'Http' }), ['a', 'd']);
    assert.deepEqual(kept({ tag: 'http', group: 'payments' }), ['a']);
  });

  it('keeps the projects of an owner, ignoring case', () => {
    assert.deepEqual(kept({ owner: 'team blue' }), ['e']);
    assert.deepEqual(kept({ owner: 'team blue', group: 'payments' }), []);
  });

  it('compares whole names, and keeps nothing for an unknown name', () => {
    assert.deepEqual(kept({ group: 'Pay' }), []);
    assert.deepEqual(kept({ tag: 'sd' }), []);
    assert.deepEqual(kept({ owner: 'Team' }), []);
  });

  it('keeps everything when empty', () => {
    assert.equal(kept({}).length, 5);
    assert.equal(isFiltering({ group: undefined }), false);
    for (const filter of [{ group: 'x' }, { ungrouped: true }, { tag: 'x' }, { owner: 'x' }] as const)
      assert.equal(isFiltering(filter), true);
  });
});

describe('Groups and tags', () => {
  it('are listed by name, spelled as in the first project, with the number of their projects', () => {
    assert.deepEqual(groupsOf(LIBRARY), [
      { name: 'Payments', projects: 2 },
      { name: 'Straße 9', projects: 1 },
      { name: 'Straße 10', projects: 1 },
    ]);
    assert.deepEqual(tagsOf(LIBRARY), [
      { name: 'http', projects: 2 },
      { name: 'SDK', projects: 2 },
    ]);
  });
});
