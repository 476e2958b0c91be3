/** Sites by builders that npm has. Each list of packages is installed once, in `.corpus/built/`, and kept. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Builder, CACHE, run, write } from './built-sites.js';

interface NpmSite {
  readonly name: string;
  /** All that is installed by name, with its exact version: `vitepress@1.6.4`. */
  readonly packages: readonly string[];
  /** Source of the site, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Program of a package, and its arguments. It writes to `built/`. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
}

const PACKAGE = '{ "name": "kettle", "version": "1.0.0", "private": true }';

/** A site that is built anew where a version, the source or the command changes. */
export function builtByNpm({ name, packages, files, command, env = {} }: NpmSite): Builder {
  const home = join(CACHE, `npm-${hashOf(packages)}`);
  return {
    name,
    page: 'index.html',
    key: hashOf({ packages, files, command, env }),
    alone: (task) => alone(`${home}.lock`, task),
    build: async (work) => {
      await install(home, packages);
      // Stays as it is for the next build of these files: webpack then takes what it keeps in `node_modules/.cache`.
      const source = join(home, `source-${hashOf(files)}`);
      if (!(await isThere(source))) await write(source, { 'package.json': PACKAGE, ...files });
      await rm(join(source, 'built'), { recursive: true, force: true });
      const [program, ...args] = command;
      const given = Object.entries(env).map(([key, value]) => `${key}=${value}`);
      await run(source, 'env', ...given, 'node', join(home, 'node_modules/.bin', program), ...args);
      await rename(join(source, 'built'), join(work, 'site'));
    },
  };
}

async function install(home: string, packages: readonly string[]): Promise<void> {
  if (await isThere(join(home, 'installed'))) return;
  await rm(home, { recursive: true, force: true });
  await write(home, { 'package.json': '{ "private": true }' });
  await run(home, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages);
  await write(home, { installed: '' });
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Runs a task while no other process runs one with this lock, which ends with the process that holds it. */
async function alone<Result>(lock: string, task: () => Promise<Result>): Promise<Result> {
  await mkdir(CACHE, { recursive: true });
  const holder = spawn('flock', [lock, 'sh', '-c', 'echo; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder, 'spawn');
  await once(holder.stdout, 'data');
  try {
    return await task();
  } finally {
    holder.stdin.end();
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}
