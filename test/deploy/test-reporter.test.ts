import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../support/root.js';

describe('The report of a test run', () => {
  it('counts the time of a test for the folder of its file, even when a helper of another folder describes it', (t) => {
    const place = mkdtempSync(join(tmpdir(), 'lectern-report-'));
    t.after(() => rmSync(place, { recursive: true, force: true }));
    const files = {
      'test/support/helper.mjs':
        "import { describe, it } from 'node:test'; export const check = () => describe('x', () => it('y', () => {}));",
      'test/one/a.test.mjs': "import { check } from '../support/helper.mjs'; check();",
      'test/two/deep/b.test.mjs': "import { it } from 'node:test'; it('z', () => {});",
      'processes/both.mjs': `import { describe } from 'node:test';
        for (const path of ['one/a.test.mjs', 'two/deep/b.test.mjs'])
          describe(\`dist.tests/test/\${path}\`, () => import(\`../test/\${path}\`));`,
    };
    for (const [path, text] of Object.entries(files)) {
      const file = join(place, 'dist.tests', path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
    }
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--test',
        `--test-reporter=${join(ROOT, 'scripts/test-reporter.mjs')}`,
        'dist.tests/processes/both.mjs',
      ],
      { cwd: place, env, encoding: 'utf8' },
    );
    const line = (what: string) => {
      const [, names = ''] = new RegExp(`^# minutes of ${what}: (.+)$`, 'm').exec(stdout) ?? [];
      return names
        .replace(/ \d+\.\d/g, '')
        .split(', ')
        .sort();
    };
    assert.deepEqual(line('each folder'), ['one', 'two'], stdout + stderr);
    assert.deepEqual(line('the slowest files'), ['one/a', 'two/deep/b']);
    assert.match(stdout, /^# tests 2$/m);
  });
});
