import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FoundLease, judgeByRenewal } from '../../src/adapters/filesystem/housekeeping/lease.js';
import { type Fate, fateOf } from '../../src/adapters/filesystem/housekeeping/process-identity.js';

const SELF = { host: 'h', boot: 'b', namespace: 'n', pid: 1, started: '10', directory: 'd' };
const OWNER = { ...SELF, pid: 7, started: '70' };
/** Start times of the processes that there are now; the one of 8 cannot be told. */
const STARTED: Readonly<Record<number, string>> = { 7: '70', 8: '' };
const fate = (owner: object) => fateOf(owner, SELF, (pid) => STARTED[pid]);

describe('The fate of a lease', () => {
  const cases: readonly (readonly [title: string, owner: object, fate: Fate])[] = [
    ['a running process', OWNER, 'alive'],
    ['a process of unknown start', { ...OWNER, pid: 8 }, 'alive'],
    ['an ended process', { ...OWNER, pid: 9 }, 'dead'],
    ['a process whose number was reused', { ...OWNER, started: '69' }, 'dead'],
    ['a process before the last boot', { ...OWNER, boot: 'a' }, 'dead'],
    ['a process on the directory that this one was copied from', { ...OWNER, directory: 'c' }, 'dead'],
    ['no process', {}, 'dead'],
    ['a number that is a text', { ...OWNER, pid: '7' }, 'dead'],
    ['a process on another machine', { ...OWNER, host: 'i', boot: 'a' }, 'unknown'],
    ['a process in another container', { ...OWNER, namespace: 'm', pid: 9 }, 'unknown'],
  ];
  for (const [title, owner, expected] of cases) {
    it(`takes the owner for ${expected}: ${title}`, () => assert.equal(fate(owner), expected));
  }

  it('declares a lease of unknown fate dead when not renewed since the previous check, and no other', () => {
    const lease = { file: '', hasEnded: false, isOfThisBoot: false, lastSeenMs: 0 };
    const leases: readonly FoundLease[] = [
      { ...lease, id: 'stalled', fate: 'unknown', stamp: 1n },
      { ...lease, id: 'renewed', fate: 'unknown', stamp: 3n },
      { ...lease, id: 'new', fate: 'unknown', stamp: 4n },
      { ...lease, id: 'alive', fate: 'alive', stamp: 5n },
    ];
    const before = new Map([
      ['stalled', 1n],
      ['renewed', 2n],
      ['alive', 5n],
    ]);
    const fates = (stamps: ReadonlyMap<string, bigint>) =>
      judgeByRenewal(leases, stamps).map((each) => each.fate);
    assert.deepEqual(fates(new Map()), ['unknown', 'unknown', 'unknown', 'alive']);
    assert.deepEqual(fates(before), ['dead', 'unknown', 'unknown', 'alive']);
  });
});
