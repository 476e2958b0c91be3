import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inSeries, Project, versionsBefore } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const seriesOf = (first: string, ...others: string[]) => {
  const versions = [first, ...others].map((label) => makeVersion('p', label));
  const { versions: sorted } = new Project('p', [makeVersion('p', first), ...versions.slice(1)]);
  return inSeries(sorted).map(({ major, versions, preReleases }) => [
    major,
    versions.map(({ label }) => label),
    preReleases.map(({ label }) => label),
  ]);
};

describe('Versions in series', () => {
  it('group one major version each, newest first, with pre-releases beside them', () => {
    assert.deepEqual(seriesOf('1.0', '1.10', '1.9', 'v2.0.0', '2.1.0-rc.1', '2.0.0-rc.1'), [
      ['2', ['v2.0.0'], ['2.1.0-rc.1', '2.0.0-rc.1']],
      ['1', ['1.10', '1.9', '1.0'], []],
    ]);
  });

  it('are pre-releases alone without a release', () => {
    assert.deepEqual(seriesOf('3.0rc1', '3.0b1'), [['3', ['3.0rc1', '3.0b1'], []]]);
  });

  it('end with branches and commits, and group dates by year', () => {
    assert.deepEqual(seriesOf('main', '2024.01.15', '2023-12-01', 'abc1234'), [
      ['2024', ['2024.01.15'], []],
      ['2023', ['2023-12-01'], []],
      [undefined, ['main', 'abc1234'], []],
    ]);
  });
});

describe('The previous version', () => {
  const before = (...labels: readonly [string, ...string[]]) => {
    const [first, ...others] = labels.map((label) => makeVersion('p', label));
    assert.ok(first);
    const { versions } = new Project('p', [first, ...others]);
    return Object.fromEntries(
      [...versionsBefore(versions)].map(([label, { label: older }]) => [label, older]),
    );
  };

  it('is the release before a release, and any version before a pre-release', () => {
    assert.deepEqual(before('1.0', '1.10', '1.9', '2.0rc2', '2.0rc1', '2.0'), {
      '1.9': '1.0',
      '1.10': '1.9',
      '2.0rc1': '1.10',
      '2.0rc2': '2.0rc1',
      '2.0': '1.10',
    });
  });

  it('is undefined for the first release, and for branches', () => {
    assert.deepEqual(before('main', '1.0rc1', '1.0', 'develop'), {});
    assert.deepEqual(before('1.0rc1', '1.0rc2', 'main'), { '1.0rc2': '1.0rc1' });
  });
});
