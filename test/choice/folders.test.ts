import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import {
  FOR_ALL,
  FOR_NONE,
  IMPORTING_FOLDERS,
  READERS,
  SHARED_FOLDERS,
  SYSTEM_FOLDERS,
} from '../support/choice/folders.js';
import { projectTree } from '../support/choice/project-tree.js';
import { ROOT } from '../support/root.js';

describe('The tables by which tests are chosen', () => {
  let places: ReadonlySet<string>;
  before(async () => {
    const { files } = await projectTree();
    places = new Set(
      files.flatMap((path) => path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'))),
    );
  });

  it('name each folder of tests, once', async () => {
    const entries = await readdir(join(ROOT, 'test'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const systems = SYSTEM_FOLDERS.map(({ folder }) => folder).filter((folder) => !folder.includes('/'));
    assert.deepEqual([...IMPORTING_FOLDERS, ...SHARED_FOLDERS, ...systems].sort(), folders.sort());
  });

  it('name existing folders only', () => {
    const named = [
      ...SYSTEM_FOLDERS.flatMap(({ folder, rooms }) => [`test/${folder}`, ...rooms]),
      ...SYSTEM_FOLDERS.flatMap(({ smoke }) => (smoke === undefined ? [] : [`test/${smoke}`])),
      ...READERS.flatMap(([tests, folders]) => [tests, ...folders]),
      ...FOR_ALL,
      ...FOR_NONE,
    ];
    assert.deepEqual(
      named.filter((place) => place !== '' && !places.has(place)),
      [],
    );
  });

  it('have one test of each whole system that runs for any change of src', () => {
    for (const { folder, smoke } of SYSTEM_FOLDERS) {
      // The tests of browser/builders first build sites, for minutes.
      if (folder !== 'browser/builders') assert.equal(smoke?.split('/')[0], folder);
    }
  });
});
