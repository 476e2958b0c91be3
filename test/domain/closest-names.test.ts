import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { closestNames } from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';

const NAMES = ['flask', 'flask-login', 'my-project', 'my-project-tools', 'postgresql', 'qt'];

const MEANT: readonly (readonly [wanted: string, names: readonly string[]])[] = [
  ['flaks', ['flask']],
  ['Flask', ['flask', 'flask-login']],
  ['falsk', ['flask']],
  ['myproject', ['my-project']],
  ['my_project', ['my-project', 'my-project-tools']],
  ['My.Project', ['my-project', 'my-project-tools']],
  ['postgres', ['postgresql']],
  ['login', ['flask-login']],
  ['qt6', ['qt']],
  ['zebra', []],
  ['', []],
  ['---', []],
];

describe('The closest names', () => {
  for (const [wanted, names] of MEANT) {
    it(`are ${names.length === 0 ? 'none' : names.join(' and ')} for '${wanted}'`, () =>
      assert.deepEqual(closestNames(wanted, NAMES), names));
  }

  it('differ by at most six letters, however long they are', () => {
    const name = 'abcdefghij'.repeat(5);
    assert.deepEqual(closestNames(`${'x'.repeat(6)}${name.slice(6)}`, [name]), [name]);
    assert.deepEqual(closestNames(`${'x'.repeat(7)}${name.slice(7)}`, [name]), []);
  });

  it('respect the requested maximum', () => {
    const many = Array.from({ length: 50 }, (_, index) => `tool-${index}`);
    assert.equal(closestNames('tool', many).length, 3);
    assert.equal(closestNames('tool', many, 5).length, 5);
  });

  it('equal the result of a comparison with each name', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 12 });
    fc.assert(
      fc.property(word, fc.uniqueArray(word, { maxLength: 12 }), (wanted, names) => {
        assert.deepEqual(closestNames(wanted, names), closestByEachName(wanted, names));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are existing names, whatever is requested', () => {
    fc.assert(
      fc.property(anyString(), (wanted) => {
        for (const name of closestNames(wanted, NAMES)) assert.ok(NAMES.includes(name));
      }),
    );
  });

  it('match the beginning of a question longer than any name', () => {
    const question = `${'some-project-with-a-nmae-'.repeat(4)}${'x'.repeat(100_000)}`;
    assert.deepEqual(closestNames(question, ['some-project-with-a-name-'.repeat(4)]), [
      'some-project-with-a-name-'.repeat(4),
    ]);
  });
});

/** The rule, without any haste. */
function closestByEachName(wanted: string, names: readonly string[]): readonly string[] {
  const plain = (name: string) => name.replace(/-+/g, '-').replace(/^-|-$/g, '');
  const target = plain(wanted);
  const ranks = names.map((name) => ({ name, rank: rankOf(target, plain(name)) }));
  return ranks
    .filter(({ rank }) => target !== '' && rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

function rankOf(wanted: string, name: string): number {
  const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
  const edits = editsBetween(wanted, name);
  if (edits <= allowed) return edits;
  const [short = '', long = ''] = [wanted, name].toSorted((a, b) => a.length - b.length);
  const contains = short.length >= 3 && long.includes(short);
  return contains ? allowed + 1 + (long.length - short.length) / 1000 : Number.POSITIVE_INFINITY;
}

/** Optimal string alignment, with the whole table. */
function editsBetween(a: string, b: string): number {
  const table = [...Array(a.length + 1).keys()].map((i) => [i, ...Array<number>(b.length).fill(0)]);
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.NaN;
  for (let j = 1; j <= b.length; j++) (table[0] as number[])[j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      const cost = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped);
      (table[i] as number[])[j] = cost;
    }
  }
  return at(a.length, b.length);
}
