import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Max. size of a manifest, in bytes. Real ones have a few ten thousand at most. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** A guess and its source. */
export interface Guess {
  readonly value: string;
  readonly source: string;
}

export interface Guesses {
  readonly project?: Guess;
  readonly version?: Guess;
}

/**
 * Guesses project and version from the nearest manifest in this directory or its parents up to the repository's root.
 * Fallbacks: the version from `git describe`, the project from the name of the root.
 */
export async function guessVersion(directory: string): Promise<Guesses> {
  const root = await git(directory, 'rev-parse', '--show-toplevel');
  const found = await nearestManifest(directory, root ?? directory);
  const described = found?.manifest.version === undefined ? await describe(directory) : undefined;
  const project = found?.manifest.name ?? (root === undefined ? undefined : basename(root));
  const version = found?.manifest.version ?? described;
  const nameSource = found?.manifest.name === undefined ? "the repository's directory" : found.file;
  const versionSource = found?.manifest.version === undefined ? 'git describe' : found.file;
  return {
    ...(project === undefined ? {} : { project: { value: project, source: nameSource } }),
    ...(version === undefined ? {} : { version: { value: version, source: versionSource } }),
  };
}

/** Returns the version that a tag names: `1.2.3` for `v1.2.3`. */
export function versionOfTag(tag: string): string {
  return tag.replace(/^v(?=\d)/, '');
}

/** Name and version from a project's manifest. Values that cannot be read are left out. */
interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

/** Parsers of manifests by file name, in the order they are tried. */
const MANIFESTS: Readonly<Record<string, (text: string) => Manifest>> = {
  'package.json': fromPackageJson,
  'pyproject.toml': (text) => ({ ...tomlTable(text, 'tool.poetry'), ...tomlTable(text, 'project') }),
  'Cargo.toml': (text) => tomlTable(text, 'package'),
};

async function nearestManifest(
  from: string,
  upTo: string,
): Promise<{ readonly file: string; readonly manifest: Manifest } | undefined> {
  for (let directory = from; ; directory = dirname(directory)) {
    for (const [file, read] of Object.entries(MANIFESTS)) {
      const manifest = await readManifest(join(directory, file))
        .then(read)
        .catch((): Manifest => ({}));
      if (manifest.name !== undefined || manifest.version !== undefined) return { file, manifest };
    }
    if (directory === upTo || directory === dirname(directory)) return undefined;
  }
}

/** Open flags: O_NONBLOCK keeps a FIFO from waiting for a writer, and does not affect regular files. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads the text of a regular file that nobody vouches for. @throws when there is none, and when it is too large */
async function readManifest(path: string): Promise<string> {
  const handle = await open(path, FLAGS);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('is not a regular file');
    // Does not rely on the reported size: it is 0 in /proc, and the file may grow.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_MANIFEST_BYTES + 1), { position: 0 });
    if (bytesRead > MAX_MANIFEST_BYTES) throw new Error('is too large');
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function fromPackageJson(text: string): Manifest {
  const { name, version } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
  // `@acme/widgets` becomes `acme-widgets`, as npm names its tarballs.
  return strings(typeof name === 'string' ? name.replace(/^@/, '').replace('/', '-') : undefined, version);
}

/** Reads `name` and `version` of one TOML table, if they are plain strings on lines of their own. */
function tomlTable(text: string, table: string): Manifest {
  let current = '';
  const found: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (header !== undefined) current = header.replaceAll(/\s/g, '');
    else if (/^\s*\[\[/.test(line)) current = '';
    if (current !== table) continue;
    const [, key, basic, literal] =
      /^\s*(name|version)\s*=\s*(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(line) ?? [];
    if (key !== undefined) found[key] ??= basic ?? literal ?? '';
  }
  return strings(found.name, found.version);
}

function strings(name: unknown, version: unknown): Manifest {
  return {
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(typeof version === 'string' && version !== '' ? { version } : {}),
  };
}

/**
 * Returns a version from `git describe`: the tag without its `v`. For commits after a tag, a form that sorts after it
 * (`1.2.3.post.dev4-abc1234`), since `1.2.3-4-gabc1234` would be a pre-release. Without a tag, the hash.
 */
async function describe(directory: string): Promise<string | undefined> {
  const text = await git(directory, 'describe', '--tags', '--always');
  const [, tag, commits, hash] = /^(.+)-(\d+)-g([0-9a-f]+)$/.exec(text ?? '') ?? [];
  if (tag === undefined) return text === undefined ? undefined : versionOfTag(text);
  return `${versionOfTag(tag)}.post.dev${commits}-${hash}`;
}

const run = promisify(execFile);

async function git(directory: string, ...args: readonly string[]): Promise<string | undefined> {
  const { stdout } = await run('git', ['-C', directory, ...args]).catch(() => ({ stdout: '' }));
  return stdout.trim() || undefined;
}
