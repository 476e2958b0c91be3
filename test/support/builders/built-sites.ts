/**
 * Small sites by the builders of documentation that npm and Debian have, kept in `.corpus/built/`: those of npm by their
 * versions and sources, the others until that is deleted.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root.js';
import { zipOf } from '../zip-writer.js';

/** Recipe to build a site. */
export interface Builder {
  readonly name: string;
  /** A page with text, controls and navigation. */
  readonly page: string;
  /** Name of a button that is there once a reader scrolls up. */
  readonly scrollsUpWith?: string;
  /** Changes with everything that the site depends on. */
  readonly key?: string;
  /** Directory of its packages: builders with the same packages share it. */
  readonly home?: string;
  /** Runs a task while no other process does that for a builder with the same packages. */
  readonly alone?: <Result>(task: () => Promise<Result>) => Promise<Result>;
  /** Leaves a site in `<work>/site`. The site is to be published as `<name>-1.0`. */
  readonly build: (work: string) => Promise<void>;
}

export interface BuiltSite {
  readonly directory: string;
  /** Returns the archive to upload. */
  zip(): Promise<Buffer>;
}

export const CACHE = join(ROOT, '.corpus', 'built');

/**
 * The site of a builder, or why this machine cannot have it. Where CI is `true` a site that cannot be built is an error.
 */
export async function builtSite(builder: Builder): Promise<BuiltSite | { readonly unavailable: string }> {
  const { name, key, alone = (task) => task() } = builder;
  const directory = join(CACHE, key === undefined ? name : `${name}-${key}`);
  try {
    if (!(await hasFiles(directory))) await alone(() => build(builder, directory));
    return { directory, zip: () => zipOfDirectory(directory) };
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    const { stderr, message } = error as { stderr?: string; message: string };
    return { unavailable: `no site by ${name}: ${stderr?.trim().split('\n').at(-1) || message}` };
  }
}

async function build(builder: Builder, directory: string): Promise<void> {
  if (await hasFiles(directory)) return;
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(join(CACHE, '.work-'));
  try {
    await builder.build(work);
    if (!(await hasFiles(join(work, 'site')))) throw new Error('it built nothing');
    await rename(join(work, 'site'), directory).catch(async (error: unknown) => {
      // Another process may have built the same meanwhile.
      if (!(await hasFiles(directory))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Runs a command; its error has what the command wrote. */
export async function run(cwd: string, command: string, ...args: readonly string[]): Promise<void> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', CI: 'true' };
  await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
}

/** Writes files, with their directories. */
export async function write(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

/** Downloads of packages, by name: two builders need the largest one. */
const downloads = new Map<string, Promise<string>>();

/** Returns the path of a package from Debian's archive. */
function downloaded(name: string): Promise<string> {
  const download = async () => {
    const directory = join(CACHE, `.${name}`);
    await mkdir(directory, { recursive: true });
    await run(directory, 'apt-get', '-q', '-o', 'APT::Sandbox::User=root', 'download', name);
    return join(directory, (await readdir(directory)).find((file) => file.endsWith('.deb')) ?? '');
  };
  const found = downloads.get(name) ?? download();
  downloads.set(name, found);
  return found;
}

/** Part of a Debian package. */
export interface PackagePart {
  /** Directory of the site. */
  readonly from: string;
  readonly patterns: readonly string[];
  /** Packages that it has symbolic links into. */
  readonly others?: readonly string[];
}

/** Unpacks the paths of a Debian package that fit the patterns, without installing it. */
export async function unpackPackage(
  work: string,
  name: string,
  { from, patterns, others = [] }: PackagePart,
): Promise<void> {
  const unpack = async (each: string, ...wanted: readonly string[]) => {
    const script =
      'dpkg-deb --fsys-tarfile "$0" | tar -x --wildcards --no-wildcards-match-slash --no-anchored "$@"';
    await run(work, 'sh', '-c', script, await downloaded(each), ...wanted);
  };
  for (const other of others) await unpack(other);
  await unpack(name, ...patterns.map((pattern) => `./${from}/${pattern}`));
  // Links into packages that are not there.
  await run(work, 'find', from, '-xtype', 'l', '-delete');
  await cp(join(work, from), join(work, 'site'), { recursive: true, dereference: true });
}

async function hasFiles(directory: string): Promise<boolean> {
  return readdir(directory).then(
    (names) => names.length > 0,
    () => false,
  );
}

async function zipOfDirectory(directory: string): Promise<Buffer> {
  const files: Record<string, Buffer> = {};
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[path.slice(directory.length + 1)] = await readFile(path);
  }
  return zipOf(files);
}
