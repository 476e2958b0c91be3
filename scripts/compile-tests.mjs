// Compiles the tests, with the sources that they import, into dist.tests/: once, not again in every test's process.
// Stack traces point to the sources with `node --enable-source-maps`. The types are for `npm run typecheck`: what the tests
// import of libraries is not even read.
import { compile } from './compile.mjs';

const options = [
  '-p',
  'tsconfig.json',
  '--noCheck',
  '--noResolve',
  '--noEmit',
  'false',
  '--inlineSourceMap',
  '--rootDir',
  '.',
];
await compile('dist.tests', options, 'src/adapters/web');
