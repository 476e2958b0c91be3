import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import { DirectoryStamp } from '../../src/adapters/filesystem/catalogue/directory-stamp.js';
import { makeDirectory, removeAll } from './crash-world.js';

/** Longer than any file system takes to give a change other time stamps, in milliseconds. */
const LONG_MS = 60_000;

describe('A directory that was read', () => {
  let parent: string;
  let directory: string;
  /** A link to it. */
  let link: string;
  let other: string;
  beforeEach(async () => {
    parent = await makeDirectory();
    [directory, other, link] = [join(parent, 'directory'), join(parent, 'other'), join(parent, 'link')];
    await mkdir(directory);
    await mkdir(other);
    await symlink(directory, link);
  });
  afterEach(() => removeAll([parent]));

  /** Time stamps that were first seen so long ago. */
  function seenBefore(ms: number, t: TestContext): DirectoryStamp {
    const stamp = new DirectoryStamp(link);
    stamp.look();
    const now = performance.now();
    t.mock.method(performance, 'now', () => now + ms);
    return stamp;
  }

  async function linkTo(target: string): Promise<void> {
    await rm(link);
    await symlink(target, link);
  }

  it('is not read again when its last change was long before', (t) => {
    const stamp = seenBefore(LONG_MS, t);
    stamp.reading()();
    assert.equal(stamp.look(), false);
  });

  it('is read again when its last change may have been just before', (t) => {
    const stamp = seenBefore(0, t);
    stamp.reading()();
    assert.equal(stamp.look(), true);
  });

  it('is read again after an addition', async (t) => {
    const stamp = seenBefore(LONG_MS, t);
    stamp.reading()();
    await writeFile(join(directory, 'new'), '');
    assert.equal(stamp.look(), true);
  });

  it('is read again when another directory took its place during the read', async (t) => {
    const stamp = seenBefore(LONG_MS, t);
    const isRead = stamp.reading();
    await linkTo(other);
    isRead();
    await linkTo(directory);
    assert.equal(stamp.look(), true);
  });

  it('is read again when requested before the read was complete', (t) => {
    const stamp = seenBefore(LONG_MS, t);
    const isRead = stamp.reading();
    stamp.forget();
    isRead();
    assert.equal(stamp.look(), true);
  });
});
