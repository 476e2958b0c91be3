import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import semver from 'semver';
import {
  ANYBODY,
  Catalogue,
  chooseVersion,
  closestVersion,
  isStable,
  NO_SETTINGS,
  releaseNumbers,
} from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';
import { makePreview, makeVersion } from './make-version.js';

function seen(labels: readonly string[], settings = NO_SETTINGS) {
  const versions = labels.map((label) => makeVersion('tool', label));
  return Catalogue.of([...versions, makePreview('tool', 'pr-1')])
    .changed({ settings: [['tool', settings]] })
    .seenBy(ANYBODY, new Date());
}

/** `2.1.3 range`; undefined where no version is meant. */
function chosen(labels: readonly string[], asked?: string, settings = NO_SETTINGS): string | undefined {
  const found = chooseVersion(seen(labels, settings), 'tool', asked);
  return found && `${found.version.label} ${found.why}`;
}

const HOSTED = ['0.9.1', '1.2.0', '1.2.5', '1.10.0', '2.0.0', '2.1.3', '2.2.0', '3.0.0-rc.1', 'main'];
const MEANT: readonly (readonly [asked: string, chosen: string | undefined])[] = [
  ['2.1.3', '2.1.3 label'],
  ['"2.1.3"', '2.1.3 label'],
  ['main', 'main label'],
  ['latest', '2.2.0 latest'],
  ['~pr-1', 'pr-1 preview'],
  ['v2.1.3', '2.1.3 exact'],
  ['==2.1.3', '2.1.3 exact'],
  ['=2.1.3', '2.1.3 exact'],
  ['^2.1', '2.2.0 range'],
  ['~2.1', '2.1.3 range'],
  ['~=2.1', '2.2.0 range'],
  ['~=2.1.0', '2.1.3 range'],
  ['~> 1.2.1', '1.2.5 range'],
  ['>=1.2,<2', '1.10.0 range'],
  ['>= 1.2, < 2', '1.10.0 range'],
  ['>=1.2 <1.10', '1.2.5 range'],
  ['>=1.2,!=1.10.*,<2', '1.2.5 range'],
  ['==1.2.*', '1.2.5 range'],
  ['1.x', '1.10.0 range'],
  ['<=1.x', '1.10.0 range'],
  ['<=2.1.*', '2.1.3 range'],
  ['<2.x', '1.10.0 range'],
  ['>=1.x', '2.2.0 range'],
  ['>1.2.x <2', '1.10.0 range'],
  ['>2.1.x', '2.2.0 range'],
  ['>2.x', undefined],
  ['1', '1.10.0 range'],
  ['v2', '2.2.0 range'],
  ['1.2 - 2.1', '2.1.3 range'],
  ['^0.8 || ^1.2', '1.10.0 range'],
  ['[1.2,2.0)', '1.10.0 range'],
  ['[1.2.5]', '1.2.5 range'],
  ['(,1.2],[2.0,2.2)', '2.1.3 range'],
  ['*', '2.2.0 range'],
  ['^3.0.0-rc.0', '3.0.0-rc.1 range'],
  ['>2.2', '2.2.0 nearest'],
  ['^3', undefined],
  ['2.1.7', '2.1.3 nearest'],
  ['==2.3', '2.2.0 nearest'],
  ['1.0.0', '1.2.0 nearest'],
  ['4.1', undefined],
  ['', undefined],
  ['~nothing', undefined],
  ['git+https://example.org/x', undefined],
];

describe('The version that a manifest or lock file requests', () => {
  for (const [asked, wanted] of MEANT) {
    it(`is ${wanted ?? 'none'} for ${JSON.stringify(asked)}`, () =>
      assert.equal(chosen(HOSTED, asked), wanted));
  }
  it('is the latest version without a request', () =>
    assert.equal(chosen(['1.0', '2.0', '3.0rc1']), '2.0 latest'));
  it('is the target of an alias', () => {
    const settings = { ...NO_SETTINGS, aliases: new Map([['stable', '1.0']]) };
    assert.equal(chosen(['1.0', '2.0'], 'stable', settings), '1.0 alias');
  });
  it('is a hidden version only when named', () => {
    const settings = { ...NO_SETTINGS, hidden: new Set(['1.1']) };
    assert.equal(chosen(['1.0', '1.1'], '1.1', settings), '1.1 label');
    assert.equal(chosen(['1.0', '1.1'], '^1.0', settings), '1.0 range');
  });
  it('is the newest of many matching numbers', () =>
    assert.equal(chosen(['15.3', '15.20', '17.11'], '15'), '15.20 range'));
  it('is undefined for an unreadable project', () =>
    assert.equal(chooseVersion(seen(['1.0']), 'other', '1.0'), undefined));
});

const stable = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((numbers) => numbers.join('.'));
const label = fc
  .tuple(stable, fc.constantFrom('', '', '-rc.1', '-alpha.2'))
  .map(([numbers, tag]) => numbers + tag);
const hosted = fc.uniqueArray(label, { minLength: 1, maxLength: 12 });
const partial = fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }).map((numbers) => numbers.join('.'));
const npmRange = fc.oneof(
  fc.tuple(fc.constantFrom('^', '~', '', '>='), partial).map((parts) => parts.join('')),
  fc.tuple(stable, stable).map(([low, high]) => `>=${low} <${high}`),
  fc.tuple(stable, stable).map(([low, high]) => `^${low} || ~${high}`),
  fc.tuple(stable, partial).map(([low, high]) => `${low} - ${high}`),
);

const CLOSEST: readonly (readonly [asked: string, closest: string])[] = [
  ['^7', '3.0.0-rc.1'],
  ['4.1', '3.0.0-rc.1'],
  ['>2.x', '3.0.0-rc.1'],
  ['<0.9', '0.9.1'],
  ['"^7"', '3.0.0-rc.1'],
  ['mian', 'main'],
  ['stabel', 'stable'],
  ['git+https://example.org/x', '2.2.0'],
  ['', '2.2.0'],
];

describe('The version closest to an unmet request', () => {
  const project = (labels: readonly string[], settings = NO_SETTINGS) =>
    seen(labels, settings).project('tool') ?? assert.fail();
  for (const [asked, closest] of CLOSEST) {
    it(`is ${closest} for ${JSON.stringify(asked)}`, () => {
      const settings = { ...NO_SETTINGS, aliases: new Map([['stable', '2.0.0']]) };
      assert.equal(closestVersion(project(HOSTED, settings), asked), closest);
    });
  }
  it('is the one before rather than the one after, unless the latter is closer', () => {
    assert.equal(closestVersion(project(['2.9', '4.0']), '^3'), '2.9');
    assert.equal(closestVersion(project(['2.9', '6.0']), '^5'), '6.0');
    assert.equal(closestVersion(project(['1.0', '2.0.0-rc.1']), '^2'), '2.0.0-rc.1');
  });
  it('is never hidden', () => {
    const settings = { ...NO_SETTINGS, hidden: new Set(['4.0']) };
    assert.equal(closestVersion(project(['2.0', '4.0', '9.0'], settings), '^4'), '2.0');
  });
  it('is a listed version, whatever is requested', () =>
    fc.assert(
      fc.property(hosted, anyString(), (labels, asked) =>
        assert.ok(labels.includes(closestVersion(project(labels), asked))),
      ),
    ));
});

describe('An npm range', () => {
  it('selects the version that npm would select', () =>
    fc.assert(
      fc.property(hosted, npmRange, (labels, range) => {
        const found = chooseVersion(seen(labels), 'tool', range);
        if (found === undefined || found.why === 'nearest')
          assert.equal(semver.maxSatisfying(labels, range), null);
        else if (found.why === 'range')
          assert.equal(found.version.label, semver.maxSatisfying(labels, range));
      }),
    ));
});

describe('A range of any kind', () => {
  const anyRange = fc.oneof(
    npmRange,
    fc.tuple(fc.constantFrom('~=', '==', '~>', '<', '>', '!='), partial).map((parts) => parts.join('')),
    fc.tuple(stable, stable).map(([low, high]) => `[${low},${high})`),
  );
  it('selects a pre-release only when it names one', () =>
    fc.assert(
      fc.property(hosted, anyRange, (labels, range) => {
        const found = chooseVersion(seen(labels), 'tool', range);
        assert.ok(found === undefined || isStable(found.version.label));
      }),
    ));
  it('selects no other major version when it names one', () =>
    fc.assert(
      fc.property(
        hosted,
        fc.constantFrom('^', '~', '~=', '~>', '==', '', 'v'),
        partial,
        (labels, sign, numbers) => {
          const found = chooseVersion(seen(labels), 'tool', sign + numbers);
          const major = found && releaseNumbers(found.version.label)?.[0];
          assert.ok(major === undefined || major === numbers.split('.')[0]);
        },
      ),
    ));
  it('may be any text', () =>
    fc.assert(fc.property(hosted, anyString(), (labels, text) => void chosen(labels, text))));
  it('may be long, or nested', () => {
    for (const text of [
      '('.repeat(10_000),
      '^1 || '.repeat(10_000),
      '[1,2)'.repeat(39),
      `^${'9'.repeat(190)}`,
    ])
      assert.equal(chosen(['3.0'], text), undefined);
  });
});
