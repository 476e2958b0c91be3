import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ROOT } from '../support/root.js';

describe('The changed files', () => {
  let place: string;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'lectern-changed-'));
    cpSync(join(ROOT, 'scripts/changed-files.mjs'), join(place, 'changed-files.mjs'));
    writeFileSync(join(place, '.gitignore'), '*.mjs\n');
    for (const name of ['a', 'b', 'c']) write(name, `${name} of main\n`.repeat(9));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  const write = (name: string, text: string) => writeFileSync(join(place, name), text);

  function run(program: string, ...words: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: place, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  function git(...words: readonly string[]): void {
    const author = ['-c', 'user.name=Kettle', '-c', 'user.email=kettle@example.org'];
    const { status, stderr } = run('git', ...author, ...words);
    assert.equal(status, 0, stderr);
  }

  function commitOn(branch: string): void {
    git('init', '--quiet', '--initial-branch', branch);
    git('add', '.');
    git('commit', '--quiet', '--message', 'all');
  }

  function commit(): void {
    git('commit', '--quiet', '--all', '--message', 'more');
  }

  /** Paths that are changed, or why nothing can be said. */
  function changed(since?: string): readonly string[] | string {
    const program = `import { changedFiles } from './changed-files.mjs';
      try { console.log(JSON.stringify(changedFiles(${JSON.stringify(since)}).paths)); } catch ({ message }) { console.log(JSON.stringify(message)); }`;
    const { stdout, stderr } = run(process.execPath, '--input-type=module', '-e', program);
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  }

  it("are the branch's and the uncommitted changes, deleted, moved or new, without later changes of main", () => {
    commitOn('main');
    git('switch', '--quiet', '--create', 'mine');
    write('a', 'another');
    commit();
    git('switch', '--quiet', 'main');
    write('c', 'newer on main');
    commit();
    git('switch', '--quiet', 'mine');
    assert.deepEqual(changed(), ['a']);
    renameSync(join(place, 'b'), join(place, 'größe und mehr'));
    assert.deepEqual(changed(), ['a', 'b', 'größe und mehr']);
    git('add', '--all');
    assert.deepEqual(changed(), ['a', 'b', 'größe und mehr']);
  });

  it('are the uncommitted files on main, or the files of the last commit', () => {
    commitOn('main');
    write('a', 'another');
    commit();
    assert.deepEqual(changed(), ['a']);
    write('c', 'not committed');
    assert.deepEqual(changed(), ['c']);
    assert.deepEqual(changed('HEAD~1'), ['a', 'c']);
    assert.deepEqual(changed('HEAD'), ['c']);
  });

  it('are refused without a base to compare with', () => {
    assert.equal(changed(), 'there is no commit to compare with: run npm test instead');
    commitOn('trunk');
    assert.equal(changed(), 'there is no branch main to compare with: add --since=<commit>');
    assert.equal(changed('v1'), 'there is no commit v1');
    assert.deepEqual(changed('HEAD'), []);
  });
});
