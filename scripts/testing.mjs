// Compiles test/contracts into dist/testing, the package's entry point `lectern/testing`. It imports what the build has compiled of
// src/, and holds no copy of it: an error is an instance of the one `Refusal`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const TARGET = 'dist/testing';
const fresh = mkdtempSync('dist.testing-');
try {
  const words = ['-p', 'tsconfig.testing.json', '--noCheck', '--noEmitOnError', '--outDir', fresh];
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...words], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('test/contracts cannot be compiled');
  rmSync(TARGET, { recursive: true, force: true });
  cpSync(join(fresh, 'test'), TARGET, { recursive: true });
  for (const name of readdirSync(TARGET, { recursive: true })) {
    if (!/\.(?:js|ts)$/.test(name)) continue;
    const file = join(TARGET, name);
    const text = readFileSync(file, 'utf8');
    // From test/contracts the sources are at ../../src; from dist/testing/contracts what was compiled of them is at ../../.
    writeFileSync(file, text.replace(/(['"](?:\.\.\/)+)src\//g, '$1'));
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
