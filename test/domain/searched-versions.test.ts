import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Project, versionsThatAnswer, versionsToIndex } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const project = (name: string, labels: readonly [string, ...string[]], search?: boolean) => {
  const [first, ...others] = labels.map((label) =>
    makeVersion(name, label, search === undefined ? {} : { docinfo: { search } }),
  );
  assert.ok(first);
  return new Project(name, [first, ...others]);
};
const labels = (versions: readonly { readonly label: string }[]) => versions.map(({ label }) => label);

describe('The versions that answer a search', () => {
  it('are the latest, then older stable ones, newest first', () => {
    const tool = project('tool', ['0.9', '1.0', '1.1', '1.2', '2.0-rc1', '2.0', '3.0-rc1', 'main']);
    assert.deepEqual(labels(versionsThatAnswer(tool)), ['2.0', '1.2', '1.1', '1.0']);
  });
  it('are pre-releases when nothing else exists', () => {
    assert.deepEqual(labels(versionsThatAnswer(project('tool', ['1.0-rc1', '1.0-rc2', 'main']))), [
      '1.0-rc2',
      '1.0-rc1',
    ]);
  });
});

describe('The versions to index', () => {
  const projects = [project('a', ['1.0', '2.0', '3.0-rc1', '3.0-rc2']), project('b', ['main', '1.0'])];
  it('are the latest of all projects, then the newest ones', () => {
    assert.deepEqual(
      versionsToIndex(projects, 'latest').map(({ directoryName }) => directoryName),
      ['a-2.0', 'b-1.0', 'a-3.0-rc2'],
    );
  });
  it('are all, newest first, with the scope "all"', () => {
    assert.deepEqual(labels(versionsToIndex(projects, 'all')), [
      '2.0',
      '1.0',
      '3.0-rc2',
      '3.0-rc1',
      '1.0',
      'main',
    ]);
  });
  it('are none of a project that turns search off', () => {
    assert.deepEqual(versionsToIndex([project('a', ['1.0'], false)], 'all'), []);
  });
});
