import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runKept } from '../support/kept.js';
import { MAIN } from '../support/root.js';

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly notes: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

/** Runs `lectern` as `runKept` does, with nothing of this machine's configuration. */
export async function lectern(
  args: readonly string[],
  { cwd = tmpdir(), env = {}, node = [] }: RunOptions = {},
): Promise<Run> {
  const clean = { PATH: process.env.PATH, HOME: '/nonexistent', ...env };
  const apart = async () => {
    const child = spawn(process.execPath, [...node, MAIN, ...args], {
      cwd,
      env: clean,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written = [text(child.stdout), text(child.stderr)] as const;
    const [stdout, stderr] = await Promise.all([...written, once(child, 'close')]);
    return { code: child.exitCode, stdout, stderr };
  };
  const { code, stdout, stderr } = await (node.length > 0
    ? apart()
    : runKept({ args, cwd, env: clean }, apart));
  return { code, out: stdout, notes: stderr };
}

/** A directory for one test, gone when the test is. */
export async function workplace(context: { after(clean: () => Promise<void>): void }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-client-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes files below a directory, and the directories that they need. */
export async function writeTree(
  directory: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  return directory;
}
