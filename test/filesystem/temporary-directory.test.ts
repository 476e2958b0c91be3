import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { temporaryDirectory } from '../../src/adapters/filesystem/index.js';
import { skipUnless } from '../support/needs.js';
import { ROOT } from '../support/root.js';
import { run } from '../support/spawned-server.js';

const MODULE = new URL('dist/adapters/filesystem/index.js', `file://${ROOT}`).href;
const PROGRAM = `
  const { temporaryDirectory } = await import(${JSON.stringify(MODULE)});
  console.log(temporaryDirectory(process.argv[1]));
  setInterval(() => {}, 1_000);`;

async function place(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A process with a temporary directory below `parent`, and what kills it without a chance to clear up. */
async function holding(t: TestContext, parent: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, parent]);
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(() => assert.fail('it ended, and said no directory'));
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  const directory = String(line).trim();
  await writeFile(join(directory, 'archive.zip'), 'half of it');
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { directory, kill };
}

describe('A temporary directory', () => {
  it('is private to this user', async (t) => {
    const directory = temporaryDirectory(await place(t));
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
  });

  it('is removed by the next process after its own was killed, and stays while that runs', async (t) => {
    const parent = await place(t);
    const { directory, kill } = await holding(t, parent);
    const running = temporaryDirectory(parent);
    assert.deepEqual((await readdir(parent)).sort(), [basename(directory), basename(running)].sort());
    await kill();
    temporaryDirectory(parent);
    assert.deepEqual(
      (await readdir(parent)).filter((name) => name === basename(directory)),
      [],
    );
    assert.ok((await readdir(parent)).includes(basename(running)));
  });

  it('is removed after a killed process without following symlinks in it', async (t) => {
    const parent = await place(t);
    const outside = await place(t);
    await writeFile(join(outside, 'file'), 'stays');
    const { directory, kill } = await holding(t, parent);
    await symlink(outside, join(directory, 'link'));
    await kill();
    const next = temporaryDirectory(parent);
    assert.deepEqual(await readdir(parent), [basename(next)]);
    assert.equal(await readFile(join(outside, 'file'), 'utf8'), 'stays');
  });

  it('stays unless it is known to belong to a killed process of this user', async (t) => {
    const parent = await place(t);
    const { directory, kill } = await holding(t, parent);
    await kill();
    const odd = join(parent, 'lectern-odd');
    await mkdir(odd);
    await symlink('not of a process', join(odd, 'owner'));
    await mkdir(join(parent, 'lectern-without'));
    await writeFile(join(parent, 'lectern-file'), '');
    await cp(directory, join(parent, 'lectern-copy'), { recursive: true, verbatimSymlinks: true });
    const elsewhere = join(await place(t), 'elsewhere');
    await rename(directory, elsewhere);
    await symlink(elsewhere, join(parent, 'lectern-link'));
    const before = await readdir(parent);
    const next = temporaryDirectory(parent);
    assert.deepEqual((await readdir(parent)).sort(), [...before, basename(next)].sort());
    assert.deepEqual((await readdir(elsewhere)).sort(), ['archive.zip', 'owner']);
  });

  const needsRoot = skipUnless(process.getuid?.() === 0, 'only root gives files away');
  it('stays when another user owns it', needsRoot, async (t) => {
    const parent = await place(t);
    const { directory, kill } = await holding(t, parent);
    await kill();
    await chown(directory, 65_534, 65_534);
    temporaryDirectory(parent);
    assert.ok((await readdir(parent)).includes(basename(directory)));
  });

  it('is removed by the next command after a killed one', async (t) => {
    const parent = await place(t);
    const docs = await place(t);
    const { kill } = await holding(t, parent);
    await kill();
    const { stderr } = await run(['prune', '-d', docs], { TMPDIR: parent });
    assert.deepEqual(await readdir(parent), [], stderr);
  });
});
