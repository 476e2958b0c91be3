import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inOrder, Project, type ReleaseStatus, releaseStatusOf } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const STATUSES: readonly (readonly [label: string, others: readonly string[], status: ReleaseStatus])[] = [
  ['2.0', ['1.0', '3.0rc1'], 'latest'],
  ['1.0', ['2.0'], 'older'],
  ['3.0rc1', ['2.0'], 'pre-release'],
  ['1.0rc1', ['2.0'], 'pre-release'],
  ['1.0rc1', ['1.0rc2'], 'older'],
  ['main', ['1.0'], 'unreleased'],
  ['main', [], 'latest'],
];

describe('A version', () => {
  for (const [label, others, status] of STATUSES) {
    it(`is ${status} with label ${label}, beside ${others.join(' and ') || 'nothing'}`, () => {
      const version = makeVersion('tool', label);
      const project = new Project('tool', [version, ...others.map((other) => makeVersion('tool', other))]);
      assert.equal(releaseStatusOf(project, version), status);
    });
  }
});

describe('The order of projects', () => {
  const project = (name: string, day: string) =>
    new Project(name, [makeVersion(name, '1.0', { publishedAt: new Date(day) })]);
  const projects = [
    project('lib-10', '2026-01-01'),
    project('Ant', '2026-01-02'),
    project('lib-2', '2026-01-03'),
  ];
  const names = (order: 'name' | 'newest') => inOrder(projects, order).map(({ name }) => name);

  it('compares names naturally: without case, and numbers as numbers', () =>
    assert.deepEqual(names('name'), ['Ant', 'lib-2', 'lib-10']));

  it('compares the days of the latest versions for newest', () =>
    assert.deepEqual(names('newest'), ['lib-2', 'Ant', 'lib-10']));
});
