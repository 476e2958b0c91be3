// `npm start`: makes ./data the first time, serves it, and says how to upload to it.
import { existsSync } from 'node:fs';
import { init, uploadCommand } from '../dist/adapters/cli/index.js';

const data = 'data';
if (!existsSync(data)) await init(data);
process.stdout.write(`The token is in ${data}/tokens.json. A first upload, from another terminal:\n\n`);
process.stdout.write(`  ${uploadCommand(data, 'http://127.0.0.1:8080')}\n\n`);
process.argv.splice(2, 0, 'serve', '-d', `${data}/docs`, '--tokens', `${data}/tokens.json`);
await import('../dist/main.js');
