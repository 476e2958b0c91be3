// Compiles src/ into dist/, with the client's file. dist/ changes only when all went well.
import { chmodSync } from 'node:fs';
import { writeClientFile } from './client-file.mjs';
import { compile } from './compile.mjs';

const PAGES = 'adapters/web';

await compile('dist', ['-p', 'tsconfig.build.json', '--noEmitOnError'], PAGES, async (directory) => {
  await writeClientFile(`${directory}/${PAGES}/public/-/client.mjs`);
  chmodSync(`${directory}/main.js`, 0o755);
});
