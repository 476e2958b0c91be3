import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareLabels, isSemantic, isStable } from '../../src/domain/index.js';

/** Versions in order, from the tests of Python's `packaging`, without epochs and local versions. */
// biome-ignore format: a list
const ORDERED = [
  '1.0.dev456', '1.0a1', '1.0a2.dev456', '1.0a12.dev456', '1.0a12', '1.0b1.dev456', '1.0b2', '1.0b2.post345.dev456',
  '1.0b2.post345', '1.0b2-346', '1.0c1.dev456', '1.0c1', '1.0rc2', '1.0c3', '1.0', '1.0.post456.dev34', '1.0.post456',
  '1.1.dev1', '1.2', '1.2.r32', '1.2.rev33',
];

/** Each row is one version in its many spellings. */
// biome-ignore format: one version a line
const SPELLINGS = [
  ['1.0.dev0', '1.0dev', '1.0.dev', '1.0dev0', '1.0-dev', '1.0-dev0', '1.0DEV', '1.0_dev_0', '1.0.0.dev00', 'v1.0.dev'],
  ['1.0a0', '1.0a', '1.0.a', '1.0-a', '1.0alpha', '1.0.alpha.0', '1.0_A', '1.0-ALPHA-0', '1.0.0.0a00'],
  ['1.0b2', '1.0.b2', '1.0-b.2', '1.0beta2', '1.0_beta_2', '1.0Beta-02'],
  ['1.0rc1', '1.0c1', '1.0.c1', '1.0-rc-1', '1.0pre1', '1.0preview1', '1.0.preview.01', '1.0RC1', '1.0_c_1'],
  ['1.0', '1', '1.0.0.0.0', 'v1.0', '01.00', '1.0_0'],
  ['1.0.post5', '1.0post5', '1.0-post5', '1.0.rev5', '1.0-r5', '1.0r5', '1.0-5', '1.0.POST.5', '1.0_post_05', '1-05'],
  ['1.0a1.post2.dev3', '1.0.a.1.post.2.dev.3', '1.0alpha1-2.dev3', '1.0A1r2dev3'],
];

interface Pep440 {
  readonly release: readonly number[];
  readonly pre: readonly [letter: 'a' | 'b' | 'rc', number: number] | null;
  readonly post: number | null;
  readonly dev: number | null;
}

const number = fc.nat(12);
const version: fc.Arbitrary<Pep440> = fc.record({
  release: fc.array(number, { minLength: 1, maxLength: 3 }),
  pre: fc.option(fc.tuple(fc.constantFrom('a' as const, 'b' as const, 'rc' as const), number)),
  post: fc.option(number),
  dev: fc.option(number),
});
const LETTERS = {
  a: ['a', 'alpha', 'A'],
  b: ['b', 'beta', 'Beta'],
  rc: ['rc', 'c', 'pre', 'preview', 'RC'],
} as const;
const separator = fc.constantFrom('', '.', '-', '_');
/** Any spelling of a version but full semantic versions, which follow semver instead. */
const spelled = version
  .chain((parts) =>
    fc
      .tuple(
        separator,
        separator,
        separator,
        separator,
        fc.nat(4),
        fc.constantFrom('post', 'rev', 'r', 'Post'),
        fc.constantFrom('', 'v'),
      )
      .map(([s1, s2, s3, s4, nth, post, v]) => {
        const letters = parts.pre === null ? [] : LETTERS[parts.pre[0]];
        const pre = parts.pre === null ? '' : `${s1}${letters[nth % letters.length]}${s2}${parts.pre[1]}`;
        const postText =
          parts.post === null ? '' : nth === 0 ? `-${parts.post}` : `${s3}${post}${s4}${parts.post}`;
        const dev = parts.dev === null ? '' : `${s1}dev${s4}${parts.dev}`;
        return { parts, label: `${v}${parts.release.join('.')}${pre}${postText}${dev}` };
      }),
  )
  .filter(({ label }) => !isSemantic(label));

/** The comparison key of PEP 440, written down straight from its text. */
function key({ release, pre, post, dev }: Pep440): readonly number[] {
  const numbers = [0, 1, 2].map((index) => release[index] ?? 0);
  const stage = pre !== null ? { a: 1, b: 2, rc: 3 }[pre[0]] : post === null && dev !== null ? 0 : 4;
  return [...numbers, stage, pre?.[1] ?? 0, post ?? -1, dev ?? Number.POSITIVE_INFINITY];
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

describe('Versions of Python packages', () => {
  it('are ordered as the packaging library orders them', () => {
    for (const [at, older] of ORDERED.entries()) {
      for (const newer of ORDERED.slice(at + 1))
        assert.ok(compareLabels(older, newer) < 0, `${older} < ${newer}`);
    }
  });

  it('are ordered by the rules of PEP 440, in every spelling', () => {
    fc.assert(
      fc.property(spelled, spelled, (a, b) => {
        const expected = compareKeys(key(a.parts), key(b.parts));
        if (expected !== 0)
          assert.equal(Math.sign(compareLabels(a.label, b.label)), expected, `${a.label} ${b.label}`);
      }),
      { numRuns: 5000 },
    );
  });

  it('are ordered by the rules of PEP 440 when only their suffixes differ', () => {
    const pair = fc.tuple(spelled, spelled).map(([a, b]) => ({ a, b }));
    const same = (parts: Pep440): Pep440 => ({ ...parts, release: [1, 0] });
    const at10 = (label: string) => label.replace(/^(v?)[\d.]*\d/, '$11.0');
    fc.assert(
      fc.property(pair, ({ a, b }) => {
        const [left, right] = [at10(a.label), at10(b.label)];
        const expected = compareKeys(key(same(a.parts)), key(same(b.parts)));
        if (expected !== 0) assert.equal(Math.sign(compareLabels(left, right)), expected, `${left} ${right}`);
      }),
      { numRuns: 5000 },
    );
  });

  it('have one position in all their spellings', () => {
    for (const [at, row] of SPELLINGS.entries()) {
      for (const label of row) {
        for (const [other, otherRow] of SPELLINGS.entries()) {
          if (other === at) continue;
          const [first = '', expected] = [
            otherRow[0],
            Math.sign(compareLabels(row[0] ?? '', otherRow[0] ?? '')),
          ];
          assert.equal(Math.sign(compareLabels(label, first)), expected, `${label} against ${first}`);
        }
      }
    }
  });

  it('are stable without a pre-release or development suffix', () => {
    fc.assert(
      fc.property(spelled, ({ parts, label }) => {
        assert.equal(isStable(label), parts.pre === null && parts.dev === null, label);
      }),
      { numRuns: 3000 },
    );
  });
});
