// The commit of a release, before it is one: the version wherever it stands, and the changelog with a date.
import { readFileSync, writeFileSync } from 'node:fs';
import { editJson } from './edit-json.mjs';
import { git } from './git.mjs';
import { ReleaseRefused } from './refused.mjs';
import { sectionOf, UNRELEASED, VERSION } from './source.mjs';

const CHANGELOG = 'CHANGELOG.md';
const INSTALLED = /(?<=lectern@v?)\d+\.\d+\.\d+[^\s`]*/g;
const TAGGED = /(?<=newTag: )\S+/g;
/** Files of text that name the version, with the place where they do. */
const NAMED = [
  ['README.md', INSTALLED],
  ['docs/ci.md', INSTALLED],
  ['docs/client.md', INSTALLED],
  ['deploy/kubernetes/volume/kustomization.yaml', TAGGED],
  ['deploy/kubernetes/object-store/kustomization.yaml', TAGGED],
];
const HEADING = `## [${UNRELEASED}]\n`;

/**
 * Writes the version into the files that name it, and dates what the changelog has as Unreleased.
 * @param {string} tag such as `v1.2.3`
 * @param {string} day such as `2026-11-24`
 * @returns {string[]} the changed files
 * @throws ReleaseRefused, before anything is changed
 */
export function prepareRelease(tag, day) {
  const version = tag.slice(1);
  if (!tag.startsWith('v') || !VERSION.test(version)) {
    throw new ReleaseRefused(`${tag} is no tag of a release: write it as v1.2.3`);
  }
  const changes = git('status', '--porcelain').toString().trimEnd();
  if (changes !== '') {
    throw new ReleaseRefused(`commit these files first, or put them back:\n${changes}`);
  }
  const changelog = readFileSync(CHANGELOG, 'utf8');
  if (sectionOf(changelog, version) !== undefined) {
    throw new ReleaseRefused(`${CHANGELOG} has a section for ${version} already`);
  }
  if (sectionOf(changelog, UNRELEASED) === undefined) {
    throw new ReleaseRefused(`${CHANGELOG} has no text below "${HEADING.trimEnd()}": write it first`);
  }
  const named = NAMED.map(([path, place]) => {
    const text = readFileSync(path, 'utf8');
    if (text.search(place) < 0) throw new ReleaseRefused(`${path} names no version`);
    return { path, text: text.replace(place, version) };
  });

  for (const { path, text } of named) writeFileSync(path, text);
  writeFileSync(CHANGELOG, changelog.replace(HEADING, `${HEADING}\n## [${version}] - ${day}\n`));
  editJson('package.json', (manifest) => {
    manifest.version = version;
  });
  editJson('package-lock.json', (lock) => {
    lock.version = version;
    lock.packages[''].version = version;
  });
  return [CHANGELOG, 'package.json', 'package-lock.json', ...named.map(({ path }) => path)];
}
