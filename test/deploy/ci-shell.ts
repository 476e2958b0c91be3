import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Name of a hostile branch. A shell that evaluates it creates a file. */
export const HOSTILE = 'feature/$(id>injected)`id>injected`';

export interface Step {
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly shell?: readonly string[];
}

/**
 * Runs a script as a CI service would, with nothing but what the service gives it.
 * @param home with a directory `tools`, whose programs come before those of the machine
 */
export async function runStep(home: string, { script, cwd, env, shell = ['sh', '-e'] }: Step) {
  const [program = '', ...options] = shell;
  const child = spawn(program, [...options, '-c', script], {
    cwd,
    env: { PATH: `${join(home, 'tools')}:${process.env.PATH}`, HOME: home, CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, notes] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  await assert.rejects(access(join(cwd, 'injected')), /ENOENT/);
  assert.doesNotMatch(out + notes, /the client of the build|secret-ci/);
  return { code: child.exitCode, out, notes };
}
