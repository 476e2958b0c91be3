import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isNumbered, isStable, Project, type Version } from '../../src/domain/index.js';
import { anyLabel } from './labels.js';
import { makeVersion } from './make-version.js';

function latestOf(...labels: readonly [string, ...string[]]): string {
  const [first, ...others] = labels;
  return new Project('p', [makeVersion('p', first), ...others.map((label) => makeVersion('p', label))]).latest
    .label;
}

describe('The latest version', () => {
  it('is the newest stable version, despite newer pre-releases', () => {
    assert.equal(latestOf('2.0.0-rc.1', '1.10.0', '1.9.0', '2.x', '3.0.dev1'), '1.10.0');
  });

  it('does not depend on the time of publication', () => {
    const old = makeVersion('p', '1.0', { publishedAt: new Date('2026-06-01') });
    assert.equal(new Project('p', [old, makeVersion('p', '2.0')]).latest.label, '2.0');
  });

  it('counts post-releases and builds as stable', () => {
    assert.equal(latestOf('1.0', '1.0.post1', '1.1rc1'), '1.0.post1');
    assert.equal(latestOf('1.0.0', '1.0.0+b5'), '1.0.0+b5');
  });

  it('is the newest pre-release when no stable version exists', () => {
    assert.equal(latestOf('1.0.0-alpha', '1.0.0-rc.1', '1.0.0-beta.2'), '1.0.0-rc.1');
    assert.equal(latestOf('1.0.dev1'), '1.0.dev1');
  });

  it('is numbered whenever any version is, even when that is a pre-release', () => {
    assert.equal(latestOf('main', '0.1.0-alpha'), '0.1.0-alpha');
    assert.equal(latestOf('main', '0.1'), '0.1');
  });

  it('is the version published last when none has a number', () => {
    const main = makeVersion('p', 'main', { publishedAt: new Date('2026-03-01') });
    const develop = makeVersion('p', 'develop', { publishedAt: new Date('2026-03-02') });
    const abc = makeVersion('p', 'abc1234', { publishedAt: new Date('2026-02-01') });
    assert.equal(new Project('p', [main, develop, abc]).latest.label, 'develop');
    assert.equal(new Project('p', [abc, develop, main]).latest.label, 'develop');
  });

  it('is the same in any order of versions, and never unstable beside a stable one', () => {
    const published = fc.nat(3).map((day) => new Date(Date.UTC(2026, 0, 1 + day)));
    const versions: fc.Arbitrary<Version[]> = fc.uniqueArray(
      fc.tuple(anyLabel, published).map(([label, publishedAt]) => makeVersion('p', label, { publishedAt })),
      { minLength: 1, maxLength: 10, selector: ({ label }) => label },
    );
    const twice = versions.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(twice, ([inOneOrder, inAnother]) => {
        const one = new Project('p', inOneOrder as [Version, ...Version[]]);
        const another = new Project('p', inAnother as [Version, ...Version[]]);
        assert.deepEqual(one.versions, another.versions);
        assert.equal(one.latest, another.latest);
        const numbered = one.versions.filter(({ label }) => isNumbered(label));
        const stable = numbered.filter(({ label }) => isStable(label));
        if (numbered.length > 0) assert.equal(one.latest, (stable.length > 0 ? stable : numbered).at(-1));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('The versions of a project', () => {
  it('are listed oldest first', () => {
    const project = new Project('p', [
      makeVersion('p', '1.10'),
      makeVersion('p', 'main'),
      makeVersion('p', '1.9'),
    ]);
    assert.deepEqual(
      project.versions.map(({ label }) => label),
      ['main', '1.9', '1.10'],
    );
  });

  it('are found by their exact label only', () => {
    const project = new Project('p', [makeVersion('p', '1.0')]);
    assert.equal(project.version('1.0')?.label, '1.0');
    for (const label of ['1.0.0', 'v1.0', '1', 'latest', '', 'constructor', '__proto__']) {
      assert.equal(project.version(label), undefined, label);
    }
  });

  it('leave the input list unchanged', () => {
    const given: [Version, ...Version[]] = [makeVersion('p', '2.0'), makeVersion('p', '1.0')];
    assert.equal(new Project('p', given).latest.label, '2.0');
    assert.deepEqual(
      given.map(({ label }) => label),
      ['2.0', '1.0'],
    );
  });
});
