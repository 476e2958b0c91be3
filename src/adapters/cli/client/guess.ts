import { execFile } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { MANIFESTS, type Manifest } from './manifests.js';
import { readSmallFile } from './small-file.js';

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

async function nearestManifest(
  from: string,
  upTo: string,
): Promise<{ readonly file: string; readonly manifest: Manifest } | undefined> {
  for (let directory = from; ; directory = dirname(directory)) {
    for (const [file, read] of Object.entries(MANIFESTS)) {
      const manifest = await readSmallFile(join(directory, file), MAX_MANIFEST_BYTES)
        .then(read)
        .catch((): Manifest => ({}));
      if (manifest.name !== undefined || manifest.version !== undefined) return { file, manifest };
    }
    if (directory === upTo || directory === dirname(directory)) return undefined;
  }
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

/** Returns the version that a tag names: `1.2.3` for `v1.2.3`. */
export function versionOfTag(tag: string): string {
  return tag.replace(/^v(?=\d)/, '');
}

const run = promisify(execFile);

async function git(directory: string, ...args: readonly string[]): Promise<string | undefined> {
  const { stdout } = await run('git', ['-C', directory, ...args]).catch(() => ({ stdout: '' }));
  return stdout.trim() || undefined;
}
