import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inOrder, Project, type Standing, standingOf } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const STANDINGS: readonly (readonly [label: string, others: readonly string[], standing: Standing])[] = [
  ['2.0', ['1.0', '3.0rc1'], 'latest'],
  ['1.0', ['2.0'], 'older'],
  ['3.0rc1', ['2.0'], 'pre-release'],
  ['1.0rc1', ['2.0'], 'pre-release'],
  ['1.0rc1', ['1.0rc2'], 'older'],
  ['main', ['1.0'], 'unreleased'],
  ['main', [], 'latest'],
];

describe('A version', () => {
  for (const [label, others, standing] of STANDINGS) {
    it(`${label} beside ${others.join(' and ') || 'nothing'} is ${standing}`, () => {
      const version = makeVersion('tool', label);
      const project = new Project('tool', [version, ...others.map((other) => makeVersion('tool', other))]);
      assert.equal(standingOf(project, version), standing);
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

  it('by name goes by what people read: without case, and numbers as numbers', () =>
    assert.deepEqual(names('name'), ['Ant', 'lib-2', 'lib-10']));

  it('by newest goes by the day of the latest version', () =>
    assert.deepEqual(names('newest'), ['lib-2', 'Ant', 'lib-10']));
});
