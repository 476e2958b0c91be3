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

  it('come within a second among 20,000 names, however long the question', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `some-project-with-a-name-${index}`);
    const startedAt = performance.now();
    closestNames('some-project-with-a-nmae-'.repeat(400), many);
    closestNames('some-project-with-a-nmae-777', many);
    assert.ok(performance.now() - startedAt < 1_000);
  });
});
