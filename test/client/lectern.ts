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

/** Commands that this file has run in a process of their own. */
const tried = new Set<string>();

/**
 * Runs `lectern`, with nothing of this machine's configuration: each command of a file once in a process of its own, as its
 * users do, and from then on in one that is kept.
 */
export async function lectern(
  args: readonly string[],
  { cwd = tmpdir(), env = {}, node = [] }: RunOptions = {},
): Promise<Run> {
  const clean = { PATH: process.env.PATH, HOME: '/nonexistent', ...env };
  const [command = ''] = args;
  if (tried.has(command) && node.length === 0) return runKept({ args, cwd, env: clean });
  tried.add(command);
  const child = spawn(process.execPath, [...node, MAIN, ...args], {
    cwd,
    env: clean,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, notes] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, notes };
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
