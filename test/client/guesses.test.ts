import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { guessVersion } from '../../src/adapters/cli/client/index.js';
import { compareLabels, isStable } from '../../src/domain/index.js';
import { workplace, writeTree } from './lectern.js';

function git(directory: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', directory, ...identity, ...args], { stdio: 'ignore' });
}

/** A repository with one commit. */
function repository(directory: string): string {
  git(directory, 'init', '-q');
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'one');
  return directory;
}

async function guessed(directory: string) {
  const { project, version } = await guessVersion(directory);
  return [project?.value, project?.source, version?.value, version?.source];
}

describe('Project and version', () => {
  for (const [file, text, project, version] of [
    ['package.json', '{"name": "widgets", "version": "1.2.3"}', 'widgets', '1.2.3'],
    ['package.json', '{"name": "@acme/widgets", "version": "1.2.3"}', 'acme-widgets', '1.2.3'],
    ['pyproject.toml', '[project]\nname = "widgets" # ours\nversion = \'1.0rc1\'\n', 'widgets', '1.0rc1'],
    ['pyproject.toml', '[tool.poetry]\nname="widgets"\nversion="2"\n[tool.x]\nversion="9"', 'widgets', '2'],
    [
      'Cargo.toml',
      '[dependencies]\nname = "no"\n[package]\nname = "widgets"\nversion = "0.1.0"',
      'widgets',
      '0.1.0',
    ],
  ] as const) {
    it(`are guessed from ${file}: ${text.replaceAll('\n', ' ')}`, async (context) => {
      const place = await writeTree(await workplace(context), { [file]: text });
      assert.deepEqual(await guessed(place), [project, file, version, file]);
    });
  }

  it("are guessed from the nearest file, at most up to the repository's root", async (context) => {
    const outer = await workplace(context);
    await writeTree(outer, { 'package.json': '{"name": "outside", "version": "9.0.0"}' });
    const inner = await writeTree(join(outer, 'repo'), {
      'package.json': '{"name": "inside", "version": "1.0.0"}',
      'packages/a/Cargo.toml': '[package]\nname = "a"\nversion = "2.0.0"',
      'packages/a/docs/index.html': '',
    });
    repository(inner);
    assert.deepEqual((await guessed(join(inner, 'packages/a/docs')))[0], 'a');
    assert.deepEqual((await guessed(join(inner, 'packages')))[0], 'inside');
    const bare = await writeTree(join(outer, 'bare'), {});
    repository(bare);
    assert.deepEqual((await guessed(bare)).slice(0, 2), ['bare', "the repository's directory"]);
  });

  it('are undefined where no file has them, or a broken one', async (context) => {
    const place = await writeTree(await workplace(context), {
      'package.json': '{"name": ',
      'Cargo.toml': '[package]',
    });
    assert.deepEqual(await guessVersion(place), {});
  });
});

describe('A manifest', () => {
  const makes: readonly (readonly [what: string, make: (file: string) => unknown])[] = [
    ['is a FIFO', (file) => execFileSync('mkfifo', [file])],
    ['leads to a device', (file) => symlink('/dev/zero', file)],
    ['has more than 1 MiB', (file) => writeFile(file, '{"name": "large"}'.padEnd(1024 * 1024 + 1))],
    ['nests deep', (file) => writeFile(file, '['.repeat(1024 * 1024))],
  ];
  for (const [what, make] of makes) {
    it(`yields nothing when it ${what}`, { timeout: 60_000 }, async (context) => {
      const place = await writeTree(await workplace(context), { 'Cargo.toml': '[package]\nname = "next"' });
      await make(join(place, 'package.json'));
      assert.deepEqual((await guessed(place)).slice(0, 2), ['next', 'Cargo.toml']);
    });
  }

  it('is read up to 1 MiB, and through a symlink, as in workspaces', async (context) => {
    const place = await workplace(context);
    await writeFile(join(place, 'shared.json'), '{"name": "shared"}'.padEnd(1024 * 1024));
    await symlink('shared.json', join(place, 'package.json'));
    assert.deepEqual((await guessed(place)).slice(0, 2), ['shared', 'package.json']);
  });
});

describe('A guessed version', () => {
  it('is the tag of git describe, without its v, when no file has a version', async (context) => {
    const place = repository(
      await writeTree(await workplace(context), {
        'Cargo.toml': '[package]\nname = "a"\nversion.workspace = true',
      }),
    );
    git(place, 'tag', 'v1.2.3');
    assert.deepEqual(await guessed(place), ['a', 'Cargo.toml', '1.2.3', 'git describe']);
  });

  it('sorts after the tag, as a pre-release, between two tags', async (context) => {
    const place = repository(await workplace(context));
    git(place, 'tag', 'v1.2.3');
    git(place, 'commit', '-q', '--allow-empty', '-m', 'two');
    const { version, project } = await guessVersion(place);
    assert.match(version?.value ?? '', /^1\.2\.3\.post\.dev1-[0-9a-f]+$/);
    assert.equal(project?.value, basename(place));
    assert.ok(compareLabels(version?.value ?? '', '1.2.3') > 0);
    assert.ok(!isStable(version?.value ?? ''));
  });

  it('is the commit hash without a tag', async (context) => {
    const place = repository(await workplace(context));
    assert.match((await guessVersion(place)).version?.value ?? '', /^[0-9a-f]{7,}$/);
  });
});
