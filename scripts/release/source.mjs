// Parts of a release: the commit, its version and its section of the changelog.
import { readFileSync } from 'node:fs';
import { git } from './git.mjs';
import { ReleaseRefused } from './refused.mjs';

export const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
export const UNRELEASED = 'Unreleased';
/** `[1.2.3] - 2026-11-24`, or `[Unreleased]`, and the text below it. */
const SECTION = /^\[(.+)\](?: - (\d{4}-\d\d-\d\d))?\n([\s\S]*)$/;

const textOf = (output) => output.toString().trimEnd();

/**
 * Reads what is released, in the current directory.
 * @param {string | undefined} tag such as `v1.2.3`; a rehearsal may leave it out
 * @param {boolean} isRehearsal whether files may differ from the commit, the tag need not be there yet, and the changelog may
 *   still say Unreleased
 * @returns {{ version: string, notes: string, section: string, changes: string }} `notes` is the text of `section` in the
 *   changelog, `changes` are files that differ from the commit
 * @throws ReleaseRefused
 */
export function releaseSource(tag, isRehearsal) {
  const changes = textOf(git('status', '--porcelain'));
  // A rehearsal publishes nothing, and what it tries is the commit.
  if (changes !== '' && !isRehearsal) {
    throw new ReleaseRefused(
      `a release is made of a commit: commit these files, or put them back:\n${changes}`,
    );
  }
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (!VERSION.test(version))
    throw new ReleaseRefused(`the version of package.json is no release: ${version}`);
  if (tag !== undefined && tag !== `v${version}`) {
    throw new ReleaseRefused(
      `the tag is ${tag}, and package.json has version ${version}: its tag is v${version}`,
    );
  }
  if (
    !isRehearsal &&
    !textOf(git('tag', '--points-at', 'HEAD'))
      .split('\n')
      .includes(tag)
  ) {
    throw new ReleaseRefused(`${tag} is no tag of this commit: check it out, or make it with git tag ${tag}`);
  }
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const section = tag === undefined && sectionOf(changelog, version) === undefined ? UNRELEASED : version;
  const notes = sectionOf(changelog, section);
  if (notes === undefined) {
    throw new ReleaseRefused(
      `CHANGELOG.md has no section with text for ${section}: write it, and node scripts/release.mjs --prepare v${version} dates it`,
    );
  }
  return { version, notes, section, changes };
}

/** The text of a section of the changelog, which has a date unless it is Unreleased; undefined without any. */
export function sectionOf(changelog, wanted) {
  for (const section of changelog.split(/^## /m)) {
    const [, name, date, text] = SECTION.exec(section) ?? [];
    if (name === wanted && (date === undefined) === (name === UNRELEASED)) return text.trim() || undefined;
  }
  return undefined;
}

/**
 * Makes links to files of the repository lead to those of the release: a release page has no files beside it.
 * @param {string} repository its address
 */
export const withLinksTo = (repository, version, notes) =>
  notes.replace(/\]\((?!https?:)([^)\s]+)\)/g, `](${repository}/blob/v${version}/$1)`);
