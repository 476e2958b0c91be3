import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { closestNames } from '../../src/domain/index.js';

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
    it(`to '${wanted}' are ${names.length === 0 ? 'none' : names.join(' and ')}`, () =>
      assert.deepEqual(closestNames(wanted, NAMES), names));
  }

  it('are no more than were asked for', () => {
    const many = Array.from({ length: 50 }, (_, index) => `tool-${index}`);
    assert.equal(closestNames('tool', many).length, 3);
    assert.equal(closestNames('tool', many, 5).length, 5);
  });

  it('are names that there are, whatever is asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (wanted) => {
        for (const name of closestNames(wanted, NAMES)) assert.ok(NAMES.includes(name));
      }),
    );
  });

  it('are those to the beginning of a question that is longer than any name', () => {
    const question = `${'some-project-with-a-nmae-'.repeat(4)}${'x'.repeat(100_000)}`;
    assert.deepEqual(closestNames(question, ['some-project-with-a-name-'.repeat(4)]), [
      'some-project-with-a-name-'.repeat(4),
    ]);
  });
});
