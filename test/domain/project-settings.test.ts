import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  MAX_SENTENCE,
  MAX_SETTINGS_BYTES,
  NO_SETTINGS,
  type ProjectSettings,
  parseSettings,
  SettingsError,
  settingsBody,
  settingsText,
  versionIdOf,
  whyNoSentence,
  withAlias,
  withDeprecated,
  withDescription,
  withHidden,
  withRetention,
} from '../../src/domain/index.js';
import { anyLabel } from './labels.js';

const faultsOf = (value: unknown): readonly string[] => {
  try {
    parseSettings('tool', value);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
};

/** Labels that stand behind `tool-` as they are. */
const labels = anyLabel.filter((label) => versionIdOf('tool', label) !== undefined);

const settings: fc.Arbitrary<ProjectSettings> = fc
  .record({
    aliases: fc.array(fc.tuple(labels, labels), { maxLength: 5 }),
    hidden: fc.array(labels, { maxLength: 5 }),
    deprecated: fc.array(fc.tuple(labels, fc.constantFrom('Old', 'Wörter gehen verloren')), { maxLength: 5 }),
    retention: fc.option(
      fc
        .record(
          { keepPerMinor: fc.integer({ min: 1, max: 9 }), maxAgeDays: fc.integer({ min: 1, max: 100_000 }) },
          { requiredKeys: [] },
        )
        .map((rules) => ({ ...rules })),
      { nil: undefined },
    ),
  })
  .map(({ aliases, hidden, deprecated, retention }) =>
    withRetention(
      { aliases: new Map(aliases), hidden: new Set(hidden), deprecated: new Map(deprecated) },
      retention,
    ),
  );

describe('A description set in place of a docinfo', () => {
  const FULL = {
    title: 'Ledger',
    description: 'Books money.',
    group: 'Payments',
    tags: ['sdk', 'python'],
    owner: 'Team Blue',
    repository: 'https://git.example.org/ledger',
    contact: 'blue@example.org',
  };

  it('is part of the settings, parses back unchanged, and is removed when empty', () => {
    const each = withDescription(NO_SETTINGS, FULL);
    assert.deepEqual(parseSettings('tool', JSON.parse(settingsText(each))).about, FULL);
    assert.deepEqual(withDescription(each, {}), NO_SETTINGS);
    assert.equal(settingsText(parseSettings('tool', { about: {} })), '{}');
  });

  for (const [about, fault] of [
    ['text', 'about: expected an object'],
    [{ name: 'x' }, 'about.name: unknown field'],
    [{ constructor: 'x' }, 'about.constructor: unknown field'],
    [{ title: '' }, 'about.title: expected a non-empty string'],
    [{ title: 7 }, 'about.title: expected a non-empty string'],
    [{ title: ' x' }, 'about.title: expected no leading or trailing white space'],
    [{ title: 'x'.repeat(101) }, 'about.title: expected at most 100 characters'],
    [{ description: 'x'.repeat(1_001) }, 'about.description: expected at most 1000 characters'],
    [{ owner: 'a\nb' }, 'about.owner: expected one line without control characters'],
    [{ owner: 'a\u2028b' }, 'about.owner: expected one line without control characters'],
    [{ tags: 'sdk' }, 'about.tags: expected a list of strings'],
    [{ tags: [] }, 'about.tags: expected 1 to 10 strings'],
    [{ tags: ['a', 'A'] }, 'about.tags: expected strings that differ by more than case'],
    [{ tags: ['a,b'] }, 'about.tags: expected no comma in each'],
    [{ tags: ['x'.repeat(41)] }, 'about.tags: expected at most 40 characters in each'],
  ] as const) {
    it(`is refused: ${JSON.stringify(about).slice(0, 40)}`, () => {
      assert.deepEqual(faultsOf({ about }), [fault]);
    });
  }
});

describe('The settings of a project', () => {
  it('count a sentence by characters, not by UTF-16 units', () => {
    const sentence = '😀'.repeat(MAX_SENTENCE);
    assert.equal(whyNoSentence(sentence), undefined);
    assert.equal(whyNoSentence(`${sentence}.`), `expected at most ${MAX_SENTENCE} characters`);
  });

  it('parse back from their JSON form unchanged', () => {
    fc.assert(
      fc.property(settings, (each) => {
        const again = parseSettings('tool', JSON.parse(settingsText(each)));
        assert.equal(settingsText(again), settingsText(each));
        assert.deepEqual(new Map(again.aliases), new Map(each.aliases));
        assert.deepEqual(again.hidden, each.hidden);
        assert.deepEqual(again.retention, each.retention);
      }),
    );
  });

  it('have one JSON form, whatever the order of changes', () => {
    const one = withHidden(withHidden(withAlias(NO_SETTINGS, 'b', '1.0'), '2.0', true), '1.0', true);
    const other = withAlias(withHidden(withHidden(NO_SETTINGS, '1.0', true), '2.0', true), 'b', '1.0');
    assert.equal(settingsText(one), settingsText(other));
    assert.deepEqual(settingsBody(one), { aliases: { b: '1.0' }, hidden: ['1.0', '2.0'] });
  });

  it('are undefined once everything is unset', () => {
    let each = withAlias(NO_SETTINGS, 'stable', '1.x');
    each = withHidden(withDeprecated(each, '1.0', 'Old'), '2.0', true);
    each = withRetention(each, { maxAgeDays: 9, keepPerMinor: 2, copiedIn: false });
    assert.equal(
      settingsText(each),
      '{"aliases":{"stable":"1.x"},"hidden":["2.0"],"deprecated":{"1.0":"Old"},"retention":{"keep_per_minor":2,"max_age_days":9}}',
    );
    each = withAlias(withHidden(withDeprecated(each, '1.0', undefined), '2.0', false), 'stable', undefined);
    // Rules that keep all versions are something else than no rules.
    assert.equal(settingsText(withRetention(each, {})), '{"retention":{}}');
    assert.equal(settingsText(withRetention(each, undefined)), '{}');
  });

  it('are immutable: a change makes new settings', () => {
    const before = withAlias(NO_SETTINGS, 'stable', '1.0');
    withAlias(before, 'stable', '2.0');
    withHidden(before, '1.0', true);
    withDeprecated(before, '1.0', 'Old');
    assert.equal(settingsText(before), '{"aliases":{"stable":"1.0"}}');
    assert.equal(settingsText(NO_SETTINGS), '{}');
  });

  const FAULTS: readonly [value: unknown, faults: readonly string[]][] = [
    [[], ['the settings: expected an object']],
    [null, ['the settings: expected an object']],
    [{ colour: 'red', aliases: {} }, ['colour: unknown field']],
    [{ 'a b': 1 }, ['["a b"]: unknown field']],
    [{ aliases: [] }, ['aliases: expected an object']],
    [
      { aliases: { stable: 1, 'a/b': '1.0', next: 'x/y', Latest: '1.0' } },
      [
        'aliases.stable: expected a string',
        'aliases["a/b"]: expected a name like that of a version',
        'aliases.next: expected a version, or N.x or N.M.x',
        'aliases.Latest: expected a name like that of a version',
      ],
    ],
    [{ aliases: { a: 'latest' } }, ['aliases.a: expected a version, or N.x or N.M.x']],
    [
      { aliases: JSON.parse('{"__proto__": "1.0"}') },
      ['aliases.__proto__: expected a name like that of a version'],
    ],
    [{ hidden: {} }, ['hidden: expected an array']],
    [
      { hidden: ['1.0', 7, 'latest'] },
      ['hidden[1]: expected the label of a version', 'hidden[2]: expected the label of a version'],
    ],
    [
      { deprecated: { '1.0': ' ', '2.0': 'x'.repeat(MAX_SENTENCE + 1), '3.0': 'a\nb', '-': 'Old' } },
      [
        'deprecated["1.0"]: expected a non-empty string',
        `deprecated["2.0"]: expected at most ${MAX_SENTENCE} characters`,
        'deprecated["3.0"]: expected one line without control characters',
        'deprecated.-: expected the label of a version',
      ],
    ],
    [{ retention: [] }, ['retention: expected an object']],
    [
      {
        retention: {
          keep_per_minor: 0,
          keep_pre_releases: 1.5,
          pre_release_days: -1,
          max_age_days: '7',
          copied_in: 1,
          keep: 1,
        },
      },
      [
        'retention.keep_per_minor: expected a whole number from 1 to 100000',
        'retention.keep_pre_releases: expected a whole number from 0 to 100000',
        'retention.pre_release_days: expected a whole number from 0 to 100000',
        'retention.max_age_days: expected a whole number from 1 to 100000',
        'retention.copied_in: expected true or false',
        'retention.keep: unknown field',
      ],
    ],
    [
      { hidden: Array.from({ length: 10_000 }, (_, number) => `1.${number}`) },
      [`the settings: expected at most ${MAX_SETTINGS_BYTES} bytes`],
    ],
  ];
  for (const [value, faults] of FAULTS) {
    it(`are refused with every fault by its path: ${JSON.stringify(value).slice(0, 80)}`, () => {
      assert.deepEqual(faultsOf(value), faults);
    });
  }
});
