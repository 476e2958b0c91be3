// `npm start`: makes ./data the first time, serves it, and says how to upload to it once it is served.
import { existsSync } from 'node:fs';
import { init, uploadCommand } from '../dist/adapters/cli/commands/init.js';

const data = 'data';
if (!existsSync(data)) await init(data);

// The server says its address in one line; what to do there follows it.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...rest) => {
  const done = write(text, ...rest);
  const address = / at (http:\S+)\/\n$/.exec(String(text))?.[1];
  if (address !== undefined) {
    process.stdout.write = write;
    write(`\nThe token is in ${data}/tokens.json. A first upload, from another terminal:\n\n`);
    write(`  ${uploadCommand(data, address)}\n\n`);
  }
  return done;
};
process.argv.splice(2, 0, 'serve', '-d', `${data}/docs`, '--tokens', `${data}/tokens.json`);
await import('../dist/main.js');
