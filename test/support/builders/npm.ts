/** Sites by builders that npm has. Each list of packages is installed once, in `.corpus/built/`, and kept. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Builder, CACHE, run, write } from './built-sites.js';

interface NpmSite {
  readonly name: string;
  /** All that is installed by name, with its exact version: `vitepress@1.6.4`. */
  readonly packages: readonly string[];
  /** Source of the site, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Program of a package, and its arguments. It writes to `built/`. Without one, `files` are the site. */
  readonly command?: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Paths in `node_modules/` of what is copied into a site that no program builds, by path in the site. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Whether the source is a commit of a Git repository. */
  readonly isCommitted?: boolean;
}

/** Package with a newer Node, for builders that don't run on the oldest one that Lectern does. */
export const NEWER_NODE = `node-${process.platform}-${process.arch}`;

const PACKAGE = '{ "name": "kettle", "version": "1.0.0", "private": true }';

/** A site that is built anew where a version, the source or the command changes. */
export function builtByNpm({
  name,
  packages,
  files,
  command,
  copies,
  env = {},
  isCommitted,
}: NpmSite): Builder {
  const home = join(CACHE, `npm-${hashOf(packages)}`);
  const modules = join(home, 'node_modules');
  const node = packages.some((each) => each.startsWith(`${NEWER_NODE}@`))
    ? join(modules, NEWER_NODE, 'bin/node')
    : 'node';
  return {
    name,
    page: 'index.html',
    key: hashOf({ packages, files, command, copies, env }),
    home,
    alone: (task) => alone(`${home}.lock`, task),
    build: async (work) => {
      await install(home, packages);
      if (command === undefined) {
        await write(join(work, 'site'), files);
        for (const [path, from] of Object.entries(copies ?? {})) {
          await cp(join(modules, from), join(work, 'site', path));
        }
        return;
      }
      // Stays as it is for the next build of these files: webpack then takes what it keeps in `node_modules/.cache`.
      const source = join(home, `source-${hashOf(files)}`);
      if (!(await isThere(source))) {
        await write(source, { 'package.json': PACKAGE, ...files });
        if (isCommitted === true) await commit(source);
      }
      await rm(join(source, 'built'), { recursive: true, force: true });
      const [program, ...args] = command;
      const given = Object.entries(env).map(([key, value]) => `${key}=${value}`);
      await run(source, 'env', ...given, node, join(modules, '.bin', program), ...args);
      await rename(join(source, 'built'), join(work, 'site'));
    },
  };
}

/** Installs packages of npm once, without their scripts. Returns the path of `node_modules`. */
export async function installed(...packages: readonly string[]): Promise<string> {
  const home = join(CACHE, `npm-${hashOf(packages)}`);
  await alone(`${home}.lock`, () => install(home, packages));
  return join(home, 'node_modules');
}

async function install(home: string, packages: readonly string[]): Promise<void> {
  if (await isThere(join(home, 'installed'))) return;
  await rm(home, { recursive: true, force: true });
  await write(home, { 'package.json': '{ "private": true }' });
  await run(home, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages);
  await write(home, { installed: '' });
}

async function commit(directory: string): Promise<void> {
  const author = ['-c', 'user.name=Kettle', '-c', 'user.email=kettle@example.org'];
  await run(directory, 'git', 'init', '--quiet', '--initial-branch', 'main');
  await run(directory, 'git', 'add', '.');
  await run(directory, 'git', ...author, 'commit', '--quiet', '--message', 'docs: the kettle');
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

export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}
