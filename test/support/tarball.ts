import assert from 'node:assert/strict';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './root.js';

const SOURCES = [
  ...['src', 'scripts', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.testing.json'],
  ...['test/contracts', 'test/support'],
];
const FILES = ['package.json', 'package-lock.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];

export interface Tarball {
  readonly path: string;
  /** Paths of its files, below `package/`. */
  readonly files: readonly string[];
  /** The copy of the project that it was packed in. */
  readonly project: string;
}

/** Script that packs a release. It is not TypeScript, so it is not among the sources that the tests are compiled with. */
const { packProject } = (await import(pathToFileURL(join(ROOT, 'scripts/release/tarball.mjs')).href)) as {
  packProject(project: string, libraries: string, place: string): Omit<Tarball, 'project'>;
};

/** Packs a copy of the project as it is, committed or not: meanwhile other tests run from dist/. */
export async function packLectern(place: string): Promise<Tarball> {
  const project = join(place, 'project');
  await mkdir(project);
  for (const name of [...SOURCES, ...FILES])
    await cp(join(ROOT, name), join(project, name), { recursive: true });
  return { ...packProject(project, join(ROOT, 'node_modules'), place), project };
}

interface Locked {
  readonly version: string;
  readonly dev?: true;
  /** Whether it is for some machines only: npm leaves out packages that were built for another one. */
  readonly optional?: true;
}

const packagesOf = async <T>(lock: string) =>
  (JSON.parse(await readFile(lock, 'utf8')) as { readonly packages: Readonly<Record<string, T>> }).packages;

/** Fails unless npm has installed in a directory just the packages of package-lock.json, without those for development. */
export async function assertInstalledAsLocked(directory: string): Promise<void> {
  const locked = Object.entries(await packagesOf<Locked>(join(ROOT, 'package-lock.json'))).filter(
    ([path, { dev }]) => path !== '' && !dev,
  );
  const installed = Object.keys(await packagesOf(join(directory, 'node_modules/.package-lock.json')));
  const expected = locked.filter(([path, { optional }]) => !optional || installed.includes(path));
  assert.deepEqual(installed.sort(), expected.map(([path]) => path).sort());
  for (const [path, { version }] of expected) {
    const manifest = JSON.parse(await readFile(join(directory, path, 'package.json'), 'utf8'));
    assert.equal(manifest.version, version, path);
  }
}
