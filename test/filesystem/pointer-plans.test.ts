import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Entry, planMove, planRemoval } from '../../src/adapters/filesystem/publishing/pointers.js';

const NOTHING: Entry = { kind: 'nothing' };
const DIRECTORY: Entry = { kind: 'directory' };
const FOREIGN: Entry = { kind: 'link', target: '../elsewhere' };
const UPLOADED: Entry = { kind: 'link', target: '.lectern/sites/a-1.0/g1/site', generation: 'g1' };
const DANGLING: Entry = { ...UPLOADED, kind: 'dangling' };
const ALL = [NOTHING, DIRECTORY, FOREIGN, UPLOADED, DANGLING];

describe('The plan for the entry of a version', () => {
  const steps = (options: { replace: boolean; over?: string }) =>
    ALL.map((entry) => planMove(entry, { ...options, keeps: true }).step);

  it('creates a new entry, repairs a dangling symlink, and refuses any other replacement without permission', () => {
    assert.deepEqual(steps({ replace: false }), ['create', 'refuse', 'refuse', 'refuse', 'heal']);
  });

  it('replaces symlinks, and displaces directories, with permission', () => {
    assert.deepEqual(steps({ replace: true }), ['create', 'displace', 'replace', 'replace', 'heal']);
  });

  it('replaces only the damaged generation in a repair, and keeps a newer one', () => {
    const others = ['superseded', 'superseded', 'superseded'];
    assert.deepEqual(steps({ replace: true, over: 'g1' }), [...others, 'replace', 'heal']);
    assert.deepEqual(steps({ replace: true, over: 'g0' }), [...others, 'superseded', 'superseded']);
  });

  it('keeps the generation of a replaced upload, unless nothing is kept or it is damaged', () => {
    const keptOf = (entry: Entry, options: { keeps: boolean; over?: string }) =>
      planMove(entry, { replace: true, ...options }).kept;
    assert.equal(keptOf(UPLOADED, { keeps: true }), 'g1');
    assert.equal(keptOf(UPLOADED, { keeps: false }), undefined);
    assert.equal(keptOf(UPLOADED, { keeps: true, over: 'g1' }), undefined);
    for (const entry of [NOTHING, DIRECTORY, FOREIGN, DANGLING]) {
      assert.equal(keptOf(entry, { keeps: true }), undefined, entry.kind);
    }
  });

  it('removes a symlink alone, and moves a directory to the kept versions or to the trash', () => {
    const removals = (keeps: boolean) => ALL.map((entry) => planRemoval(entry, keeps).step);
    assert.deepEqual(removals(true), ['none', 'keep', 'unlink', 'unlink', 'unlink']);
    assert.deepEqual(removals(false), ['none', 'discard', 'unlink', 'unlink', 'unlink']);
  });

  it('keeps the generation of a removed upload, unless nothing is kept', () => {
    const kept = (keeps: boolean) => ALL.map((entry) => planRemoval(entry, keeps).kept);
    assert.deepEqual(kept(true), [undefined, undefined, undefined, 'g1', 'g1']);
    assert.deepEqual(kept(false), [undefined, undefined, undefined, undefined, undefined]);
  });
});
