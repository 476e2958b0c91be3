import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  Catalogue,
  describeRule,
  describeRules,
  dueBy,
  isNumbered,
  isStable,
  NO_SETTINGS,
  Project,
  type ProjectSettings,
  type RetentionRules,
  releaseNumbers,
  retentionPlan,
  type Version,
  withAlias,
  withDeprecated,
  withHidden,
} from '../../src/domain/index.js';
import { anyLabel } from './labels.js';
import { type Facts, makeVersion } from './make-version.js';

const DAY = 24 * 60 * 60_000;
const START = Date.UTC(2026, 0, 1);
const day = (number: number) => new Date(START + number * DAY);

/** An uploaded version that was published on a day of the year. */
function uploaded(label: string, publishedOn = 0, more: Facts = {}): Version {
  return makeVersion('a', label, {
    publishedAt: day(publishedOn),
    archive: { size: 10, sha256: '' },
    ...more,
  });
}

function projectOf(versions: readonly Version[], settings?: ProjectSettings): Project {
  const [first = assert.fail(), ...others] = versions;
  return new Project('a', [first, ...others], settings);
}

/** Returns the versions due by a day, each with its rule: `1.0.1 keep_per_minor`. */
function going(
  versions: readonly Version[],
  rules: RetentionRules,
  by = day(0),
  settings?: ProjectSettings,
): readonly string[] {
  return dueBy(by, retentionPlan(projectOf(versions, settings), rules)).map(
    ({ version, rule }) => `${version.label} ${rule}`,
  );
}

describe('The rules of retention', () => {
  it('keep the newest releases of each minor, by version order and not by time', () => {
    const labels = ['1.0.0', '1.0.1', '1.0.10', 'v1.0.2', '1.1', '1.1.1', '2', '2.0.1', '2.0.1-rc1', 'main'];
    const versions = labels.map((label, index) => uploaded(label, labels.length - index));
    assert.deepEqual(going(versions, { keepPerMinor: 2 }), ['1.0.0 keep_per_minor', '1.0.1 keep_per_minor']);
    assert.deepEqual(going(versions, { keepPerMinor: 1 }), [
      '1.0.0 keep_per_minor',
      '1.0.1 keep_per_minor',
      'v1.0.2 keep_per_minor',
      '1.1 keep_per_minor',
      '2 keep_per_minor',
    ]);
  });

  it('keep the pre-releases published last, whatever their labels', () => {
    const versions = [
      uploaded('1.0', 1),
      uploaded('2.x', 9),
      uploaded('2.0-rc1', 2),
      uploaded('2.0-rc2', 3),
      uploaded('3.0-abc1234', 8),
      uploaded('main', 0),
    ];
    const rules = { keepPreReleases: 2 };
    assert.deepEqual(going(versions, rules), ['2.0-rc1 keep_pre_releases', '2.0-rc2 keep_pre_releases']);
    assert.equal(going(versions, { keepPreReleases: 0 }).length, 4);
  });

  it('keep a pre-release for some days after its final version, or after itself if later', () => {
    const versions = [
      uploaded('1.0-rc1', 1),
      uploaded('1.0', 10),
      uploaded('1.0-nightly', 20),
      uploaded('1.1-rc1', 12),
      uploaded('1.2', 13),
    ];
    const rules = { preReleaseDays: 5 };
    assert.deepEqual(going(versions, rules, new Date(day(15).getTime() - 1)), []);
    assert.deepEqual(going(versions, rules, day(15)), ['1.0-rc1 pre_release_days']);
    assert.deepEqual(going(versions, rules, day(24)), ['1.0-rc1 pre_release_days']);
    assert.deepEqual(going(versions, rules, day(999)), [
      '1.0-rc1 pre_release_days',
      '1.0-nightly pre_release_days',
    ]);
  });

  it('use a later release of the same minor when the final version is gone', () => {
    const versions = [uploaded('1.0-rc1', 1), uploaded('1.0.3', 30), uploaded('1.1', 2)];
    assert.deepEqual(going(versions, { preReleaseDays: 5 }, day(34)), []);
    assert.deepEqual(going(versions, { preReleaseDays: 5 }, day(35)), ['1.0-rc1 pre_release_days']);
  });

  it('keep a version for some days after its publication', () => {
    const versions = [uploaded('main', 3), uploaded('0.9', 1), uploaded('1.0', 2), uploaded('abc1234', 1)];
    assert.deepEqual(going(versions, { maxAgeDays: 1 }, day(1)), []);
    assert.deepEqual(going(versions, { maxAgeDays: 1 }, day(2)), [
      'abc1234 max_age_days',
      '0.9 max_age_days',
    ]);
    assert.deepEqual(going(versions, { maxAgeDays: 1 }, day(9)), [
      'abc1234 max_age_days',
      '0.9 max_age_days',
      'main max_age_days',
    ]);
  });

  it('name the first rule that removes a version', () => {
    const versions = [uploaded('1.0-rc1', 0), uploaded('1.0', 1), uploaded('1.1', 50)];
    const rules = { preReleaseDays: 10, maxAgeDays: 5 };
    const [first] = retentionPlan(projectOf(versions), rules);
    assert.deepEqual(
      [first?.version.label, first?.rule, first?.dueMs],
      ['1.0-rc1', 'max_age_days', day(5).getTime()],
    );
  });

  it('protect nothing for an alias shadowed by another project', () => {
    const catalogue = Catalogue.empty.changed({
      come: [makeVersion('a', '1.0'), makeVersion('a', '1.0.1'), makeVersion('a-lts', '7.0')],
      settings: [['a', withAlias(NO_SETTINGS, 'lts', '1.0')]],
    });
    const project = catalogue.project('a') ?? assert.fail();
    assert.equal(project.named('lts'), undefined);
    assert.deepEqual(retentionPlan(project, { keepPerMinor: 1 }), []);
  });

  it('protect latest, pinned and restored versions, and targets of aliases by label or series', () => {
    const labels = ['1.0', '1.1', '1.2', '2.0', '2.1', '3.0-rc1'];
    let settings = withAlias(NO_SETTINGS, 'lts', '1.x');
    settings = withAlias(withAlias(settings, 'stable', '2.0'), 'gone', '9.x');
    const versions = labels.map((label) => uploaded(label));
    const rules = { maxAgeDays: 1, keepPreReleases: 0 };
    const left = (more: ProjectSettings, all = versions) => {
      const gone = going(all, rules, day(9), more).map((each) => each.split(' ')[0]);
      return labels.filter((label) => !gone.includes(label));
    };
    assert.deepEqual(left(settings), ['1.2', '2.0', '2.1']);
    assert.deepEqual(left(withAlias(settings, 'latest', '3.0-rc1')), ['1.2', '2.0', '3.0-rc1']);
    const restored = versions.map((each) =>
      each.label === '1.0' ? { ...each, record: { ...each.record, restored: true as const } } : each,
    );
    assert.deepEqual(left(NO_SETTINGS, restored), ['1.0', '2.1']);
  });

  it('treat hidden and deprecated versions like any others', () => {
    const versions = ['1.0', '1.1', '1.2'].map((label) => uploaded(label));
    const settings = withDeprecated(withHidden(NO_SETTINGS, '1.2', true), '1.0', 'Old');
    // Latest is 1.1, since 1.2 is hidden.
    assert.deepEqual(going(versions, { maxAgeDays: 1 }, day(9), settings), [
      '1.0 max_age_days',
      '1.2 max_age_days',
    ]);
  });

  it('keep copied-in directories by default, and versions with unreadable records', () => {
    const unreadable = uploaded('0.8', 0, { archive: undefined });
    const directory = uploaded('0.9', 0, { origin: 'copied', archive: undefined });
    const versions = [unreadable, directory, uploaded('1.0')];
    assert.deepEqual(going(versions, { maxAgeDays: 1 }, day(9)), []);
    assert.deepEqual(going(versions, { maxAgeDays: 1, copiedIn: true }, day(9)), ['0.9 max_age_days']);
  });

  it('have a sentence each', () => {
    const rules = { maxAgeDays: 365, keepPerMinor: 3, keepPreReleases: 0, preReleaseDays: 1, copiedIn: true };
    assert.deepEqual(describeRules(rules), [
      'the newest 3 versions of each minor are kept',
      'no pre-release is kept',
      'a pre-release is kept for 1 day after its final version',
      'a version is kept for 365 days',
    ]);
    assert.equal(
      describeRule('keep_per_minor', { keepPerMinor: 1 }),
      'the newest version of each minor is kept',
    );
    assert.equal(
      describeRule('keep_pre_releases', { keepPreReleases: 2 }),
      'the last 2 pre-releases are kept',
    );
    assert.deepEqual(describeRules({}), []);
  });
});

const rules: fc.Arbitrary<RetentionRules> = fc.record(
  {
    keepPerMinor: fc.integer({ min: 1, max: 3 }),
    keepPreReleases: fc.integer({ min: 0, max: 3 }),
    preReleaseDays: fc.integer({ min: 0, max: 60 }),
    maxAgeDays: fc.integer({ min: 1, max: 200 }),
    copiedIn: fc.boolean(),
  },
  { requiredKeys: [] },
);
const label = fc.oneof(
  anyLabel,
  fc
    .tuple(fc.nat(2), fc.nat(2), fc.nat(3), fc.constantFrom('', '', '-rc.1', '-rc.2', '.dev3', '-nightly'))
    .map(([major, minor, patch, tag]) => `${major}.${minor}.${patch}${tag}`),
);
const versions: fc.Arbitrary<readonly Version[]> = fc.uniqueArray(
  fc
    .record({ label, on: fc.nat(365), isCopied: fc.boolean(), restored: fc.boolean() })
    .map(({ label, on, isCopied, restored }) =>
      uploaded(label, on, {
        ...(isCopied && on % 3 === 0 ? { origin: 'copied', archive: undefined } : {}),
        ...(restored && on % 5 === 0 ? { restored: true as const } : {}),
      }),
    ),
  { selector: (version) => version.label, minLength: 1, maxLength: 25 },
);
const settings: fc.Arbitrary<(versions: readonly Version[]) => ProjectSettings> = fc
  .record({
    pinned: fc.option(fc.nat()),
    aliased: fc.array(fc.nat(), { maxLength: 3 }),
    series: fc.array(fc.constantFrom('0.x', '1.x', '1.1.x', '2.0.x'), { maxLength: 2 }),
    hidden: fc.array(fc.nat(), { maxLength: 3 }),
  })
  .map(({ pinned, aliased, series, hidden }) => (versions) => {
    const labelAt = (index: number) => versions[index % versions.length]?.label ?? '';
    let each = NO_SETTINGS;
    for (const index of hidden) each = withHidden(each, labelAt(index), true);
    for (const index of aliased) each = withAlias(each, `alias-${index}`, labelAt(index));
    for (const target of series) each = withAlias(each, `series-${target}`, target);
    return pinned === null ? each : withAlias(each, 'latest', labelAt(pinned));
  });
const now = fc.nat(700).map(day);

describe('The rules of retention, for any versions, settings and rules,', () => {
  it('never remove latest, pinned, aliased, restored or, by default, copied-in versions, and never change latest', () => {
    fc.assert(
      fc.property(versions, settings, rules, now, (all, settingsOf, rules, now) => {
        const settings = settingsOf(all);
        const project = projectOf(all, settings);
        const gone = dueBy(now, retentionPlan(project, rules)).map(({ version }) => version);
        assert.ok(!gone.includes(project.latest));
        for (const { version } of project.aliases)
          assert.ok(version === undefined || !gone.includes(version));
        assert.ok(!gone.some((version) => version.record.restored === true));
        assert.ok(rules.copiedIn === true || !gone.some(({ origin }) => origin === 'copied'));
        const left = projectOf(
          all.filter((version) => !gone.includes(version)),
          settings,
        );
        assert.equal(left.latest, project.latest);
        assert.deepEqual(left.aliases, project.aliases);
      }),
      { numRuns: 500 },
    );
  });

  it('are idempotent at a given moment', () => {
    fc.assert(
      fc.property(versions, settings, rules, now, (all, settingsOf, rules, now) => {
        const settings = settingsOf(all);
        const gone = dueBy(now, retentionPlan(projectOf(all, settings), rules)).map(({ version }) => version);
        const left = all.filter((version) => !gone.includes(version));
        assert.deepEqual(going(left, rules, now, settings), []);
      }),
      { numRuns: 500 },
    );
  });

  it('are idempotent after a partial removal', () => {
    fc.assert(
      fc.property(versions, rules, now, fc.nat(), (all, rules, now, mask) => {
        const gone = dueBy(now, retentionPlan(projectOf(all), rules)).map(({ version }) => version);
        const some = gone.filter((_, index) => (mask >> (index % 31)) & 1);
        const left = all.filter((version) => !some.includes(version));
        const rest = dueBy(now, retentionPlan(projectOf(left), rules)).map(({ version }) => version);
        assert.ok(rest.every((version) => gone.includes(version)));
      }),
      { numRuns: 300 },
    );
  });

  it('do not depend on the order in which versions are listed', () => {
    fc.assert(
      fc.property(versions, settings, rules, now, fc.nat(), (all, settingsOf, rules, now, turn) => {
        const settings = settingsOf(all);
        const at = turn % all.length;
        const turned = [...all.slice(at), ...all.slice(0, at)].reverse();
        assert.deepEqual(going(turned, rules, now, settings), going(all, rules, now, settings));
      }),
    );
  });

  it('are monotonic in time', () => {
    fc.assert(
      fc.property(versions, settings, rules, now, fc.nat(300), (all, settingsOf, rules, now, days) => {
        const settings = settingsOf(all);
        const later = going(all, rules, new Date(now.getTime() + days * DAY), settings);
        for (const each of going(all, rules, now, settings)) assert.ok(later.includes(each), each);
      }),
    );
  });

  it('leave at most the given number of releases of a minor, and of pre-releases, beside the latest version', () => {
    fc.assert(
      fc.property(versions, fc.integer({ min: 1, max: 3 }), (all, number) => {
        const uploads = all.map((each) => uploaded(each.label));
        const project = projectOf(uploads);
        const rules = { keepPerMinor: number, keepPreReleases: number };
        const gone = dueBy(day(0), retentionPlan(project, rules)).map(({ version }) => version.label);
        const left = uploads.map(({ label }) => label).filter((label) => !gone.includes(label));
        const others = left.filter((label) => label !== project.latest.label);
        assert.ok(others.filter((label) => !isStable(label)).length <= number);
        const releases = others.filter((label) => isNumbered(label) && isStable(label));
        for (const label of releases) {
          const minor = (each: string) => (releaseNumbers(each) ?? []).concat('0').slice(0, 2).join('.');
          assert.ok(releases.filter((each) => minor(each) === minor(label)).length <= number);
        }
      }),
    );
  });
});
