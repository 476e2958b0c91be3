// Makes what a release publishes: the tarball, its checksum and the notes. docs/releasing.md says how it is used.
//
//   node scripts/release.mjs --prepare v1.2.3    first: sets the version everywhere, and dates the changelog
//   node scripts/release.mjs v1.2.3          writes them to release/
//   node scripts/release.mjs --dry-run       does the same with the last commit, and keeps nothing
//   node scripts/release.mjs --dry-run v1.2.3    before the tag is made: is everything ready for it?
//
// LECTERN_RELEASE_NAME is the package's name where it has a scope, LECTERN_RELEASE_REPOSITORY the repository's address.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareRelease } from './release/prepare.mjs';
import { ReleaseRefused } from './release/refused.mjs';
import { releaseSource, withLinksTo } from './release/source.mjs';
import { exportCommit, packProject, setOrigin } from './release/tarball.mjs';
import { tryTarball } from './release/trial.mjs';

const OUTPUT = 'release';

const say = (text) => console.log(text);

/** Packs and tries the commit in `place`, and writes the files of the release to `output`, if there is one. */
async function release({ version, notes, section }, place, output) {
  const project = join(place, 'project');
  exportCommit(project);
  const { LECTERN_RELEASE_NAME: name, LECTERN_RELEASE_REPOSITORY: repository } = process.env;
  setOrigin(project, { name, repository });
  const tarball = packProject(project, join(process.cwd(), 'node_modules'), place);
  const sum = createHash('sha256').update(readFileSync(tarball.path)).digest('hex');
  say(`packed    ${basename(tarball.path)}, ${tarball.files.length} files, SHA-256 ${sum}`);

  const trial = join(place, 'trial');
  mkdirSync(trial);
  await tryTarball(tarball.path, version, trial);
  say('tried     installed in an empty directory; --version, init, serve and push work');
  say(`notes     ${notes.split('\n').length} lines, from the section ${section}`);

  if (output === undefined) return;
  mkdirSync(output);
  copyFileSync(tarball.path, join(output, basename(tarball.path)));
  writeFileSync(join(output, 'SHA256SUMS'), `${sum}  ${basename(tarball.path)}\n`);
  const page = repository ? withLinksTo(repository, version, notes) : notes;
  writeFileSync(join(output, 'NOTES.md'), `${page}\n`);
  say(`written   ${output}/`);
}

function readArguments() {
  const options = { '--dry-run': 'rehearse', '--prepare': 'prepare' };
  const words = process.argv.slice(2);
  const [option, ...tags] = words[0] in options ? words : [undefined, ...words];
  const task = options[option] ?? 'release';
  const [tag] = tags;
  if (tags.length > 1 || tag?.startsWith('-') || (tag === undefined && task !== 'rehearse')) {
    throw new ReleaseRefused('usage: node scripts/release.mjs [--prepare | --dry-run] <tag>, such as v1.2.3');
  }
  return { tag, task };
}

/** Packs and tries what a tag says, or the last commit in a rehearsal. */
async function make(tag, isRehearsal) {
  const source = releaseSource(tag, isRehearsal);
  if (!isRehearsal && existsSync(OUTPUT))
    throw new ReleaseRefused(`${OUTPUT}/ is there already: remove it first`);
  say(`version   ${source.version}`);
  if (source.changes !== '') say(`left out  what is not committed:\n${source.changes}`);
  const place = mkdtempSync(join(tmpdir(), 'lectern-release-'));
  try {
    await release(source, place, isRehearsal ? undefined : OUTPUT);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
try {
  const { tag, task } = readArguments();
  if (task === 'prepare') {
    const files = prepareRelease(tag, new Date().toISOString().slice(0, 10));
    say(`prepared  ${tag}: ${files.join(', ')}`);
  } else await make(tag, task === 'rehearse');
} catch (error) {
  console.error(error instanceof ReleaseRefused ? `release: ${error.message}` : error);
  process.exitCode = 1;
}
