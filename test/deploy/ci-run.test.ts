import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { skipUnless } from '../support/needs.js';
import { ROOT } from '../support/root.js';

const isRoot = skipUnless(process.getuid?.() === 0, 'only root installs packages');

const PASSING = {
  INSTALLED: '0',
  TESTS: '# tests 1',
  STATUS: '0',
  LINT: '0',
  NEWEST_TESTS: 'ℹ tests 3',
  NEWEST: '0',
  RELEASE: '0',
  BUILDS: '0',
  IMAGE: '0',
};
const TOTALS = 'On Node 26:\nℹ tests 3\n\nOn Node v20.20.2:\n';

describe('.ci/run', () => {
  let bin: string;
  before(() => {
    bin = mkdtempSync(join(tmpdir(), 'lectern-ci-'));
    program('apt-get', '[ "$APT" = up ]');
    program(
      'npm',
      `echo "npm $*"
      case "$*" in
        ci) exit "$INSTALLED" ;;
        test) echo "$TESTS"; exit "$STATUS" ;;
        'run lint') exit "$LINT" ;;
      esac`,
    );
    // The tests on the newest Node.
    program('npx', 'echo "npx $*"; echo "$NEWEST_TESTS"; exit "$NEWEST"');
    program(
      'node',
      `case "$*" in
        --version) echo v20.20.2 ;;
        *build-all.ts) echo "builds sites"; exit "$BUILDS" ;;
        *try-image.ts) echo "builds the image"; exit "$IMAGE" ;;
        *) exit "$RELEASE" ;;
      esac`,
    );
  });
  after(() => rmSync(bin, { recursive: true, force: true }));

  function program(name: string, text: string): void {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }

  /** Runs it with programs of ours in place of those that change the machine or run the tests. */
  function ciRun(env: Readonly<Record<string, string>>, installed: string) {
    program('dpkg-query', `printf '${installed}'`);
    const {
      status,
      stdout: all,
      stderr,
    } = spawnSync(join(ROOT, '.ci/run'), {
      env: { ...PASSING, ...env, PATH: `${bin}:/usr/bin:/bin` },
      encoding: 'utf8',
    });
    const [minutes] = /^minutes of builds.*\n\n(?=On Node 26:)/m.exec(all) ?? [];
    return { status, stdout: all.replace(minutes ?? '', ''), stderr, minutes };
  }

  it('warns without failing when package lists are unreachable and nothing is missing', isRoot, () => {
    const { status, stdout, stderr } = ciRun({ APT: 'down' }, 'ii ');
    assert.equal(stderr, '.ci/run: apt-get update failed\n');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /npm run typecheck\n[\s\S]*everything passed\n/);
    assert.ok(stdout.endsWith(`${TOTALS}# tests 1\n`), stdout);
  });

  it('stops on unreachable package lists when something is missing', isRoot, () => {
    const { status, stdout } = ciRun({ APT: 'down' }, 'un ');
    assert.equal(status, 1);
    assert.doesNotMatch(stdout, /npm (?:ci|test)/);
  });

  it(
    'prints the output of npm ci, builds sites, then runs the tests, and stops when npm ci fails',
    isRoot,
    () => {
      const { stdout: passed } = ciRun({ APT: 'up' }, 'ii ');
      assert.match(
        passed,
        /\n== npm ci\nnpm ci\n\n== node .*\/build-all\.ts\nbuilds sites\n\n== npm test\nnpm test\n# tests 1\n/,
      );
      const { status, stdout } = ciRun({ APT: 'up', INSTALLED: '1' }, 'ii ');
      assert.equal(status, 1);
      assert.match(stdout, /\n== npm ci\nnpm ci\n\n== npx /);
      assert.match(stdout, /== FAILED\nnpm ci\nthe tests of test\.log came to no totals\n/);
    },
  );

  it('reports the minutes of builds separately, and leaves missing sites to the tests', isRoot, () => {
    const { status, minutes } = ciRun({ APT: 'up', BUILDS: '1' }, 'ii ');
    assert.equal(status, 0);
    assert.match(
      minutes ?? '',
      /^minutes of builds \(sites of builders\): \d+\.\d; everything else: \d+\.\d$/m,
    );
  });

  it('names at its end the failed tests, with reasons', isRoot, () => {
    const failure = "    not ok 2 - a test\n      ---\n      error: 'why'\n      ...\n";
    const env = { APT: 'up', STATUS: '1', TESTS: `${failure}    ok 3 - another\n# tests 2` };
    const { status, stdout } = ciRun(env, 'ii ');
    assert.equal(status, 1);
    const [, end] = stdout.split('== Tests that did not pass\n');
    assert.equal(end, `${failure}\n== FAILED\nnpm test\n${TOTALS}# tests 2\n`);
  });

  it('fails when the tests fail on the newest Node alone, and names them', isRoot, () => {
    const failure = '✖ failing tests:\n\n✖ a test\n  why\n';
    const env = { APT: 'up', NEWEST: '1', NEWEST_TESTS: `ℹ tests 3\nℹ fail 1\n\n${failure}` };
    const { status, stdout } = ciRun(env, 'ii ');
    assert.equal(status, 1);
    const [, end = ''] = stdout.split('== Tests that did not pass\n');
    assert.ok(end.startsWith(failure), stdout);
    assert.match(
      end,
      /== FAILED\nnpx -y -p node@26 node scripts\/test\.mjs --without=\S+\nOn Node 26:\nℹ tests 3\nℹ fail 1\n/,
    );
    assert.ok(end.endsWith('# tests 1\n'));
  });

  for (const totals of ['TESTS', 'NEWEST_TESTS']) {
    it(`fails when a run of the tests found none (${totals})`, isRoot, () => {
      const { status, stdout } = ciRun({ APT: 'up', [totals]: 'nothing' }, 'ii ');
      assert.equal(status, 1);
      assert.match(stdout, /== FAILED\nthe tests of (test|newest)\.log came to no totals\n/);
    });
  }

  it('names no test when only another step failed', isRoot, () => {
    const { status, stdout } = ciRun({ APT: 'up', LINT: '1' }, 'ii ');
    assert.equal(status, 1);
    assert.ok(stdout.endsWith(`npm run typecheck\n\n== FAILED\nnpm run lint\n${TOTALS}# tests 1\n`), stdout);
  });

  it('reports with the totals the minutes of each folder and of the slowest files', isRoot, () => {
    const summary =
      '# minutes of each folder: zip 1.2, http 0.4\n# minutes of the slowest files: zip/a 1.0\n# tests 1';
    const { stdout } = ciRun({ APT: 'up', TESTS: summary }, 'ii ');
    assert.ok(stdout.endsWith(`${TOTALS}${summary}\n`), stdout);
  });

  it('fails when the commit cannot be released', isRoot, () => {
    const { status, stdout } = ciRun({ APT: 'up', RELEASE: '1' }, 'ii ');
    assert.equal(status, 1);
    assert.match(stdout, /== FAILED\nnode scripts\/release\.mjs --dry-run\n/);
  });

  it('fails when the container image cannot be built or does not serve, and prints why', isRoot, () => {
    const { status, stdout } = ciRun({ APT: 'up', IMAGE: '1' }, 'ii ');
    assert.equal(status, 1);
    assert.match(stdout, /\nbuilds the image\n/);
    assert.match(stdout, /== FAILED\nnode --import tsx test\/support\/image\/try-image\.ts\n/);
  });

  it('is silent about the release when it is possible', isRoot, () => {
    const { status, stderr } = ciRun({ APT: 'up' }, 'ii ');
    assert.deepEqual([status, stderr], [0, '']);
  });
});
