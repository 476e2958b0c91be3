/**
 * Real documentation to test and measure with, made from Debian's packages and kept in `.corpus/`:
 *
 *     node --import tsx bench/corpus.ts [small medium large]
 *
 * A package that is installed is taken from /usr/share/doc; otherwise `apt-get download` fetches it, without
 * installing anything. Delete `.corpus/` to make them anew.
 */
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../test/support/root.js';

export type CorpusSize = 'small' | 'medium' | 'large';

/** A real site, as a directory and as an archive to upload. */
export interface Corpus {
  readonly project: string;
  readonly version: string;
  /** `<project>-<version>-docs.zip` */
  readonly fileName: string;
  /** The archive's path. */
  readonly zip: string;
  /** The same files, not packed: regular files and directories only. */
  readonly directory: string;
  /** Number of files in either. */
  readonly files: number;
}

/** This machine cannot make the corpus, and why: for tests that would rather skip. */
export class CorpusUnavailable extends Error {
  override readonly name = 'CorpusUnavailable';
}

interface Source {
  readonly project: string;
  readonly package: string;
  /** Packages that the site's symbolic links lead into. */
  readonly linked: readonly string[];
  /** Where the site stands, below the root of the file system. */
  readonly site: string;
  /** Fewer files than this, and something has stripped the package. */
  readonly fewest: number;
}

const SOURCES: Readonly<Record<CorpusSize, Source>> = {
  small: {
    project: 'flask',
    package: 'python-flask-doc',
    linked: ['libjs-sphinxdoc', 'libjs-jquery', 'libjs-underscore'],
    site: 'usr/share/doc/python-flask-doc/html',
    fewest: 100,
  },
  medium: {
    project: 'postgresql',
    package: 'postgresql-doc-15',
    linked: [],
    site: 'usr/share/doc/postgresql-doc-15/html',
    fewest: 1_000,
  },
  large: {
    project: 'openjdk',
    package: 'openjdk-17-doc',
    linked: ['libjs-jquery', 'libjs-jquery-ui', 'libjs-jquery-ui-theme-base'],
    site: 'usr/share/doc/openjdk-17-jre-headless/api',
    fewest: 5_000,
  },
};

export const CORPUS_SIZES = Object.keys(SOURCES) as readonly CorpusSize[];

const CACHE = join(ROOT, '.corpus');
const RECORD = 'corpus.json';

/**
 * The corpus, made the first time and found in `.corpus/` from then on. Several processes may ask at once.
 * @throws CorpusUnavailable when this machine lacks a requirement; the message says which.
 */
export async function corpus(size: CorpusSize): Promise<Corpus> {
  const home = join(CACHE, size);
  const made = await recorded(home);
  if (made !== undefined) return made;
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(join(CACHE, `.${size}-`));
  try {
    await make(SOURCES[size], work);
    // Whoever comes first wins; the others find it made.
    await rename(join(work, 'made'), home).catch(async (error: unknown) => {
      if ((await recorded(home)) === undefined) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  const corpus = await recorded(home);
  if (corpus === undefined) throw new CorpusUnavailable(`${home} is broken; delete it and try again`);
  return corpus;
}

/**
 * The corpus, or why there is none, for tests that would rather skip. With `CI` set nothing is skipped: there it
 * throws like `corpus`.
 */
export async function corpusIfAvailable(
  size: CorpusSize,
): Promise<Corpus | { readonly unavailable: string }> {
  try {
    return await corpus(size);
  } catch (error) {
    if (error instanceof CorpusUnavailable && !process.env.CI) return { unavailable: error.message };
    throw error;
  }
}

type Recorded = Pick<Corpus, 'project' | 'version' | 'files'>;

async function recorded(home: string): Promise<Corpus | undefined> {
  const record = await readFile(join(home, RECORD), 'utf8').catch(() => undefined);
  if (record === undefined) return undefined;
  const { project, version, files } = JSON.parse(record) as Recorded;
  const fileName = `${project}-${version}-docs.zip`;
  return { project, version, fileName, zip: join(home, fileName), directory: join(home, 'site'), files };
}

async function make(source: Source, work: string): Promise<void> {
  const { site, packageVersion } = (await installed(source)) ?? (await downloaded(source, work));
  const made = join(work, 'made');
  const directory = join(made, 'site');
  await mkdir(made);
  await copyWithoutLinks(site, directory);
  const files = await countFiles(directory);
  if (files < source.fewest) {
    throw new CorpusUnavailable(`${source.package} has only ${files} files, not at least ${source.fewest}`);
  }
  const version = upstreamVersion(packageVersion);
  await pack(directory, join(made, `${source.project}-${version}-docs.zip`));
  const record: Recorded = { project: source.project, version, files };
  await writeFile(join(made, RECORD), `${JSON.stringify(record)}\n`);
}

interface Found {
  readonly site: string;
  readonly packageVersion: string;
}

/** The package where dpkg installed it, unless its documentation was left out (`path-exclude` of slim images). */
async function installed(source: Source): Promise<Found | undefined> {
  const site = join('/', source.site);
  const status = await run('dpkg-query', [
    '--show',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholders are dpkg's
    '--showformat=${db:Status-Abbrev}${Version}',
    source.package,
  ]).catch(() => '');
  if (!status.startsWith('ii ') || !(await exists(join(site, 'index.html')))) return undefined;
  if ((await countFiles(site)) < source.fewest) return undefined;
  return { site, packageVersion: status.slice(3).trim() };
}

/** The package from Debian's archive, unpacked below `work` with those that its links lead into. */
async function downloaded(source: Source, work: string): Promise<Found> {
  const packages = [source.package, ...source.linked];
  const debs = join(work, 'debs');
  const root = join(work, 'root');
  await mkdir(debs);
  await mkdir(root);
  try {
    await run('apt-get', ['-q', '-o', 'APT::Sandbox::User=root', 'download', ...packages], debs);
  } catch (error) {
    const reason = `${source.package} is not installed, and apt-get could not download it: ${saying(error)}`;
    throw new CorpusUnavailable(`${reason} (run 'apt-get update' on a Debian 12 machine)`, { cause: error });
  }
  const found = (await run('find', [debs, '-name', '*.deb'])).split('\n').filter((line) => line !== '');
  for (const deb of found) await run('dpkg-deb', ['--extract', deb, root]);
  const own = found.find((deb) => deb.startsWith(join(debs, `${source.package}_`)));
  if (own === undefined) throw new CorpusUnavailable(`apt-get downloaded no ${source.package}`);
  const packageVersion = (await run('dpkg-deb', ['--field', own, 'Version'])).trim();
  return { site: join(root, source.site), packageVersion };
}

/** Copies the targets of links, not the links; dead links are left out. */
async function copyWithoutLinks(from: string, to: string): Promise<void> {
  const dangling = await run('find', ['-L', from, '-type', 'l']);
  try {
    await run('cp', ['--recursive', '--dereference', '--no-target-directory', from, to]);
  } catch (error) {
    // cp goes on after a link that leads nowhere, and fails at the end: see whether that was all.
    if (dangling === '') throw error;
  }
  const [there, here] = [await countFiles(from), await countFiles(to)];
  if (there !== here) throw new Error(`${from} has ${there} files, but ${here} were copied`);
}

async function pack(directory: string, zip: string): Promise<void> {
  try {
    await run('zip', ['-q', '-X', '-r', zip, '.'], directory);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await run('python3', ['-m', 'zipfile', '-c', zip, '.'], directory).catch((cause: unknown) => {
      if (!isMissing(cause)) throw cause;
      throw new CorpusUnavailable('there is neither zip nor python3 to pack it', { cause });
    });
  }
}

/** `17.0.21+9-1~deb12u1` -> `17.0.21+9`: without epoch and Debian revision, fit for a version label. */
function upstreamVersion(packageVersion: string): string {
  return packageVersion
    .replace(/^\d+:/, '')
    .replace(/-[^-]*$/, '')
    .replace(/[^A-Za-z0-9._+-]/g, '-');
}

async function countFiles(directory: string): Promise<number> {
  return (await run('find', ['-L', directory, '-type', 'f', '-printf', 'x'])).length;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function run(command: string, args: readonly string[], cwd = '/'): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

function isMissing(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ENOENT';
}

/** The last line that a failed command wrote, or why it could not be started. */
function saying(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return stderr?.trim().split('\n').at(-1) || message;
}

async function main(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((size) => !Object.hasOwn(SOURCES, size));
  if (unknown.length > 0) {
    throw new CorpusUnavailable(
      `no such corpus: ${unknown.join(', ')} (there are ${CORPUS_SIZES.join(', ')})`,
    );
  }
  for (const size of wanted.length > 0 ? (wanted as readonly CorpusSize[]) : CORPUS_SIZES) {
    const { zip, files } = await corpus(size);
    console.log(`${size}: ${files} files, ${zip}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof CorpusUnavailable ? `corpus: ${error.message}` : error);
    process.exitCode = 1;
  });
}
