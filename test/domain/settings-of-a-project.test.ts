import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Catalogue,
  NO_SETTINGS,
  newestOfSeries,
  type ProjectSettings,
  withAlias,
  withDeprecated,
  withHidden,
} from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

function catalogueWith(settings: ProjectSettings, labels: readonly string[]): Catalogue {
  return Catalogue.empty.changed({
    come: labels.map((label) => makeVersion('tool', label)),
    settings: [['tool', settings]],
  });
}

const projectWith = (settings: ProjectSettings, ...labels: string[]) =>
  catalogueWith(settings, labels).project('tool') ?? assert.fail();

const hiding = (...labels: string[]) =>
  labels.reduce((settings, label) => withHidden(settings, label, true), NO_SETTINGS);

describe('A hidden version', () => {
  it('is in the project, and in no list', () => {
    const project = projectWith(hiding('2.0'), '1.0', '2.0', '3.0');
    assert.deepEqual(
      project.listed.map(({ label }) => label),
      ['1.0', '3.0'],
    );
    assert.equal(project.versions.length, 3);
    assert.deepEqual([project.isHidden('2.0'), project.isHidden('3.0')], [true, false]);
  });

  it('is never the latest, unless pinned, or when all versions are hidden', () => {
    assert.equal(projectWith(hiding('2.0'), '1.0', '2.0').latest.label, '1.0');
    assert.equal(projectWith(hiding('2.0'), '1.0-rc1', '2.0').latest.label, '1.0-rc1');
    const pinned = withAlias(hiding('2.0'), 'latest', '2.0');
    assert.equal(projectWith(pinned, '1.0', '2.0').latest.label, '2.0');
    const none = projectWith(hiding('1.0', '2.0'), '1.0', '2.0');
    assert.deepEqual([none.latest.label, none.listed], ['2.0', []]);
  });

  it('is no target of a series', () => {
    const settings = withAlias(hiding('1.2'), 'lts', '1.x');
    assert.equal(projectWith(settings, '1.1', '1.2', '2.0').named('lts')?.label, '1.1');
  });
});

describe('An alias', () => {
  it('stands for the version of its target, else for the newest stable version of a series', () => {
    for (const [target, expected] of [
      ['1.0', '1.0'],
      ['1.x', '1.10.2'],
      ['1.2.x', '1.2.9'],
      ['1.0.x', '1.0'],
      ['2.x', undefined],
      ['3.x', undefined],
      ['main', 'main'],
      ['9.9', undefined],
    ] as const) {
      const labels = ['1.0', '1.2.9', '1.2.10-rc1', '1.10.2', 'v2.0-beta', 'main'];
      const project = projectWith(withAlias(NO_SETTINGS, 'stable', target), ...labels);
      assert.equal(project.named('stable')?.label, expected, target);
    }
  });

  it('prefers a version named like a series', () => {
    const settings = withAlias(NO_SETTINGS, 'stable', '2.x');
    assert.equal(projectWith(settings, '2.x', '2.17.0').named('stable')?.label, '2.x');
  });

  it('pins the latest version when named latest, and does nothing while its target is missing', () => {
    const settings = withAlias(NO_SETTINGS, 'latest', '1.x');
    assert.equal(projectWith(settings, '1.0', '1.9', '2.0').latest.label, '1.9');
    assert.equal(projectWith(settings, '2.0', '3.0').latest.label, '3.0');
  });

  it('is found by its address after the versions, and is listed with its target', () => {
    let settings = withAlias(NO_SETTINGS, 'stable', '1.0');
    settings = withAlias(withAlias(settings, 'main', '1.0'), 'gone', '9.0');
    const catalogue = catalogueWith(settings, ['1.0', '2.0', 'main']);
    assert.equal(catalogue.resolve('tool-stable')?.label, '1.0');
    assert.equal(catalogue.locate('tool-stable')?.project?.directoryName, 'tool');
    assert.equal(catalogue.resolve('tool-main')?.label, 'main');
    assert.equal(catalogue.resolve('tool-gone'), undefined);
    assert.equal(catalogue.resolve('tool-latest')?.label, '2.0');
    assert.equal(catalogue.version('tool-stable'), undefined);
    const project = catalogue.project('tool') ?? assert.fail();
    assert.deepEqual(
      project.aliases.map(({ alias, target, version }) => [alias, target, version?.label]),
      [
        ['gone', '9.0', undefined],
        ['main', '1.0', '1.0'],
        ['stable', '1.0', '1.0'],
      ],
    );
    assert.deepEqual([project.aliasesOf('1.0'), project.aliasesOf('2.0')], [['main', 'stable'], []]);
  });
});

describe('A series', () => {
  it('compares numbers, not texts', () => {
    const newest = (series: string, ...labels: string[]) =>
      newestOfSeries(
        series,
        labels.map((label) => ({ label })),
      )?.label;
    assert.equal(newest('1.x', '1.9', '1.10', '10.0', '2.0'), '1.10');
    assert.equal(newest('2024.01.x', '2024.1.15', '2024.02.1'), '2024.1.15');
    assert.equal(newest('1.2.x', 'v1.2', '1.20'), 'v1.2');
    for (const text of ['x', '.x', '1', '1.2', '1.2.3.x', 'v1.x', '1.x.x', '1.X', '1.*', '-1.x']) {
      assert.equal(newest(text, '1.2.3'), undefined, text);
    }
  });
});

describe('A catalogue', () => {
  it('keeps settings while versions change, and an unchanged project by identity', () => {
    const settings = withDeprecated(NO_SETTINGS, '1.0', 'Old');
    const first = catalogueWith(settings, ['1.0']);
    assert.equal(first.changed({ settings: [['tool', withDeprecated(NO_SETTINGS, '1.0', 'Old')]] }), first);
    assert.equal(first.project('tool')?.deprecation(makeVersion('tool', '1.0')), 'Old');
    const gone = first.changed({ gone: [makeVersion('tool', '1.0')] });
    assert.equal(gone.project('tool'), undefined);
    assert.equal(gone.settingsOf('tool'), settings);
    const back = gone.changed({ come: [makeVersion('tool', '1.0')] });
    assert.equal(back.project('tool')?.settings, settings);
    const without = back.changed({ settings: [['tool', NO_SETTINGS]] });
    assert.deepEqual([...without.settings], []);
    assert.equal(without.project('tool')?.deprecation(makeVersion('tool', '1.0')), undefined);
    assert.notEqual(without.project('tool')?.revision, back.project('tool')?.revision);
  });

  it('shares other projects when versions and settings change', () => {
    const one = catalogueWith(NO_SETTINGS, ['1.0']);
    const other = one.changed({ settings: [['other', hiding('1.0')]], come: [makeVersion('other', '1.0')] });
    assert.equal(other.project('tool'), one.project('tool'));
    assert.deepEqual(other.project('other')?.listed, []);
  });
});
