import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { skipUnless } from '../support/needs.js';
import { runAgain } from '../support/spawned-server.js';

const needs = (shell: string) =>
  skipUnless(
    spawnSync(shell, ['-c', ':']).status === 0,
    `there is no ${shell} here: apt-get install ${shell}`,
  );

/** What bash would offer behind a command line whose last word is begun. */
async function offered(line: readonly string[]): Promise<string[]> {
  const { stdout } = await runAgain(['completion', 'bash']);
  const words = line.map((word) => `'${word}'`).join(' ');
  const script = `${stdout}\nCOMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _lectern; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['--norc', '-uc', script], { encoding: 'utf8' });
  return out.split('\n').filter((word) => word !== '');
}

describe('lectern completion bash', needs('bash'), () => {
  for (const [line, words] of [
    [['lectern', 'pu'], ['push']],
    [['lectern', 'del'], ['delete']],
    [['lectern', 'push', '--sk'], ['--skip-existing']],
    [['lectern', 'push', 'build/html', '--vers'], ['--version']],
    [
      ['lectern', 'verify', '--'],
      ['--docs', '--repair', '--help', '--version'],
    ],
    [['lectern', '-d', 'x', '--port'], ['--port']],
    [['lectern', '--base'], ['--base-path']],
    [['lectern', 'push', 'bu'], []],
    [['lectern', 'nothing', '--'], []],
  ] as const) {
    it(`offers ${words.join(' ') || 'files'} for ${line.join(' ')}`, async () => {
      const found = await offered(line);
      for (const word of words) assert.ok(found.includes(word), `${word} is not in ${found}`);
      if (words.length <= 1) assert.deepEqual(found, [...words]);
    });
  }

  it('offers every command', async () => {
    const help = (await runAgain(['--help'])).stdout;
    const names = [...(/^Commands:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? '').matchAll(/^ {2}([\w-]+)/gm)];
    assert.ok(names.length >= 11);
    assert.deepEqual(
      await offered(['lectern', '']),
      names.map(([, name]) => name),
    );
  });
});

for (const shell of ['zsh', 'fish'] as const) {
  describe(`lectern completion ${shell}`, () => {
    it('names the commands and their options', async () => {
      const { code, stdout } = await runAgain(['completion', shell]);
      assert.equal(code, 0);
      assert.match(stdout, /\bpush\b.*Publish a directory/);
      assert.match(stdout, /skip-existing/);
    });

    it('is a script that the shell can read', needs(shell), async () => {
      const place = await mkdtemp(join(tmpdir(), 'lectern-completion-'));
      await writeFile(join(place, 'script'), (await runAgain(['completion', shell])).stdout);
      execFileSync(shell, ['-n', join(place, 'script')]);
      await rm(place, { recursive: true });
    });
  });
}
