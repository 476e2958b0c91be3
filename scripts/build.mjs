// Compiles src/ into dist/ and copies the files that the compiler leaves alone.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
cpSync('src/adapters/web/public', 'dist/adapters/web/public', { recursive: true });
chmodSync('dist/main.js', 0o755);
