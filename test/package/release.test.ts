import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/root.js';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-24\n\n- It is there.\n';
const UNDATED = '# Changelog\n\n## [Unreleased]\n\nFirst release.\n\n### Added\n\n- It is there.\n';
const NAMED = [
  ...['README.md', 'docs/ci.md', 'docs/client.md', 'package.json', 'package-lock.json'],
  ...['deploy/kubernetes/volume/kustomization.yaml', 'deploy/kubernetes/object-store/kustomization.yaml'],
];

describe('scripts/release.mjs', () => {
  let place: string;
  let project: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-release-test-'));
    project = join(place, 'project');
    await cp(join(ROOT, 'scripts'), join(project, 'scripts'), { recursive: true });
    await write('package.json', '{"name": "lectern", "version": "1.2.3"}');
    await write('CHANGELOG.md', CHANGELOG);
    git('init', '--quiet');
    commit();
  });
  afterEach(() => rm(place, { recursive: true, force: true }));

  const write = (name: string, text: string) => writeFile(join(project, name), text);

  function git(...words: readonly string[]): string {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...words], {
      cwd: project,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  function commit(): void {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'A commit');
  }

  /** Everything that a release could leave: in the project, and in the temporary directory. */
  const left = async () => [git('status', '--porcelain', '--ignored'), await readdir(place)];

  async function assertRefused(words: readonly string[], reason: RegExp): Promise<void> {
    const before = await left();
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', ...words], {
      cwd: project,
      env: { ...process.env, TMPDIR: place },
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, reason);
    assert.match(stderr, /^release: /);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.deepEqual(await left(), before);
  }

  it('links from a release page to files of that release', async () => {
    const { withLinksTo } = (await import(pathToFileURL(join(ROOT, 'scripts/release/source.mjs')).href)) as {
      withLinksTo(repository: string, version: string, notes: string): string;
    };
    assert.equal(
      withLinksTo(
        'https://git.example.org/lectern',
        '1.2.3',
        'See [search](docs/search.md#when), [upgrade](docs/operating.md) and [that](https://example.org/).',
      ),
      'See [search](https://git.example.org/lectern/blob/v1.2.3/docs/search.md#when), ' +
        '[upgrade](https://git.example.org/lectern/blob/v1.2.3/docs/operating.md) and [that](https://example.org/).',
    );
  });

  it('prints its usage without a tag, with two, or with an unknown option', async () => {
    for (const words of [
      [],
      ['v1.2.3', 'v1.2.4'],
      ['--dry-run', 'v1.2.3', 'more'],
      ['--prepare'],
      ['--wet-run'],
    ]) {
      await assertRefused(words, /usage: node scripts\/release\.mjs \[--prepare \| --dry-run\] <tag>/);
    }
  });

  it('refuses uncommitted files, and names them', async () => {
    await write('package.json', '{"name": "lectern", "version": "1.2.3", "more": 1}');
    await write('new.ts', '');
    await assertRefused(['v1.2.3'], /made of a commit: .*:\n M package\.json\n\?\? new\.ts\n$/);
  });

  it('refuses a tag that differs from the version in package.json, also in a rehearsal', async () => {
    for (const tag of ['v1.2.4', '1.2.3', 'v1.2']) {
      const reason = new RegExp(
        `the tag is ${tag}, and package.json has version 1\\.2\\.3: its tag is v1\\.2\\.3`,
      );
      await assertRefused([tag], reason);
      await assertRefused(['--dry-run', tag], reason);
    }
  });

  it('refuses a missing tag, or one on another commit', async () => {
    await assertRefused(['v1.2.3'], /v1\.2\.3 is no tag of this commit/);
    git('tag', 'v1.2.3');
    await write('new.ts', '');
    commit();
    await assertRefused(['v1.2.3'], /v1\.2\.3 is no tag of this commit/);
  });

  it('refuses a version whose changelog section is missing, empty or without a date', async () => {
    const sections = [
      '## [Unreleased]\n\n- It is there.\n',
      '## [1.2.3] - 2026-11-24\n\n## [1.2.2] - 2026-11-23\n\n- It was there.\n',
      '## [1.2.3]\n\n- It is there.\n',
      '## [11.2.3] - 2026-11-24\n\n- It is there.\n',
    ];
    for (const section of sections) {
      await write('CHANGELOG.md', `# Changelog\n\n${section}`);
      commit();
      git('tag', '--force', 'v1.2.3');
      await assertRefused(
        ['v1.2.3'],
        /CHANGELOG\.md has no section with text for 1\.2\.3: write it, and .* --prepare v1\.2\.3 dates it/,
      );
      await assertRefused(['--dry-run', 'v1.2.3'], /CHANGELOG\.md has no section with text/);
    }
  });

  it('refuses an empty changelog, in a rehearsal without a tag', async () => {
    await write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n');
    commit();
    await assertRefused(['--dry-run'], /CHANGELOG\.md has no section with text/);
  });

  it('refuses an invalid version', async () => {
    await write('package.json', '{"name": "lectern", "version": "next"}');
    commit();
    await assertRefused(['--dry-run'], /the version of package\.json is no release: next/);
  });

  describe('--prepare', () => {
    /** The files of this project that name the version, and an undated changelog. */
    beforeEach(async () => {
      for (const name of NAMED) await cp(join(ROOT, name), join(project, name), { recursive: true });
      await write('CHANGELOG.md', UNDATED);
      commit();
    });

    it('sets the version in each file that names it, and dates the changelog', async () => {
      const words = ['scripts/release.mjs', '--prepare', 'v2.10.0-rc.1'];
      const { status, stdout, stderr } = spawnSync(process.execPath, words, {
        cwd: project,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      const changed = git('diff', '--name-only').trimEnd().split('\n');
      assert.deepEqual(changed, ['CHANGELOG.md', ...NAMED].sort());
      assert.ok(
        changed.every((path) => stdout.includes(path)),
        stdout,
      );
      const today = new Date().toISOString().slice(0, 10);
      assert.equal(
        await readFile(join(project, 'CHANGELOG.md'), 'utf8'),
        UNDATED.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [2.10.0-rc.1] - ${today}\n`),
      );
      const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
      for (const name of NAMED) {
        const after = await readFile(join(project, name), 'utf8');
        assert.ok(after.includes('2.10.0-rc.1'), name);
        assert.equal(after.replaceAll('2.10.0-rc.1', version), await readFile(join(ROOT, name), 'utf8'));
      }
    });

    it('refuses a tag without v, uncommitted files, a dated section, an empty changelog, and a file without a version', async () => {
      await assertRefused(['--prepare', '2.0.0'], /2\.0\.0 is no tag of a release: write it as v1\.2\.3/);
      await write('CHANGELOG.md', CHANGELOG);
      await assertRefused(
        ['--prepare', 'v2.0.0'],
        /commit these files first, or put them back:\n M CHANGELOG\.md\n/,
      );
      commit();
      await assertRefused(['--prepare', 'v1.2.3'], /CHANGELOG\.md has a section for 1\.2\.3 already/);
      await assertRefused(['--prepare', 'v2.0.0'], /CHANGELOG\.md has no text below "## \[Unreleased\]"/);
      await write('CHANGELOG.md', UNDATED);
      await write('README.md', '# Lectern\n');
      commit();
      await assertRefused(['--prepare', 'v2.0.0'], /README\.md names no version/);
    });
  });

  it('overwrites no files of a release', async () => {
    await write('.gitignore', 'release/\n');
    commit();
    git('tag', 'v1.2.3');
    await cp(join(project, 'scripts'), join(project, 'release'), { recursive: true });
    await assertRefused(['v1.2.3'], /release\/ is there already: remove it first/);
  });
});
