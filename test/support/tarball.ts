import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.js';

const run = promisify(execFile);
const SOURCES = ['src', 'scripts', 'tsconfig.json', 'tsconfig.build.json'];
const FILES = ['package.json', 'package-lock.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];

export interface Tarball {
  readonly path: string;
  /** What it holds, below `package/`. */
  readonly files: readonly string[];
  /** The copy of the project that it was packed in. */
  readonly project: string;
}

/** Runs `npm pack` with its scripts, in a copy of the project: meanwhile other tests run from dist/. */
export async function packLectern(place: string): Promise<Tarball> {
  const project = join(place, 'project');
  await mkdir(project);
  for (const name of [...SOURCES, ...FILES])
    await cp(join(ROOT, name), join(project, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', place], { cwd: project });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { path: join(place, filename), files: files.map(({ path }) => path), project };
}

/** Versions by path in node_modules, as package-lock.json locks what is not for development alone. */
export async function lockedVersions(): Promise<Record<string, string>> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: true }>>;
  };
  return Object.fromEntries(
    Object.entries(packages).flatMap(([path, { version, dev }]) =>
      path === '' || dev ? [] : [[path, version]],
    ),
  );
}

/** Versions by path in node_modules, as npm says that it has installed them below a directory. */
export async function installedVersions(directory: string): Promise<Record<string, string>> {
  const { packages } = JSON.parse(
    await readFile(join(directory, 'node_modules/.package-lock.json'), 'utf8'),
  ) as { readonly packages: Readonly<Record<string, unknown>> };
  const versions = Object.keys(packages).map(async (path) => {
    const { version } = JSON.parse(await readFile(join(directory, path, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    return [path, version] as const;
  });
  return Object.fromEntries(await Promise.all(versions));
}
