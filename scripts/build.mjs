// Compiles src/ into dist/, with the client's file. dist/ changes only when all went well. The types are for `npm run typecheck`:
// to check them takes longer than all else that a build does.
import { chmodSync } from 'node:fs';
import { writeClientFile } from './client-file.mjs';
import { compile } from './compile.mjs';

const PAGES = 'adapters/web';
const options = ['-p', 'tsconfig.build.json', '--noCheck', '--noEmitOnError'];

await compile('dist', options, PAGES, async (directory) => {
  await writeClientFile(`${directory}/${PAGES}/public/-/client.mjs`);
  chmodSync(`${directory}/main.js`, 0o755);
});
