// `npm start`: makes ./data the first time, serves it, and says how to publish on it once it is served.
import { existsSync, readFileSync } from 'node:fs';
import { init, SAMPLE, uploadCommand } from '../dist/adapters/cli/commands/local/init.js';

const data = 'data';
if (!existsSync(data)) await init(data);

/** @param {string} address of the server */
function nextSteps(address) {
  // Somebody may have changed it: then they know what is in it.
  const token = JSON.parse(readFileSync(`${data}/tokens.json`, 'utf8')).tokens?.admin?.token;
  const variables = `LECTERN_URL=${address} LECTERN_TOKEN=${token ?? '<a token>'}`;
  return [
    '',
    'Publish a sample site, from another terminal:',
    '',
    `  ${variables} node dist/main.js push ${data}/${SAMPLE}`,
    '',
    `or in a browser: ${address}/-/upload    token: ${token ?? `one of ${data}/tokens.json`}`,
    'or with curl:',
    '',
    `  ${uploadCommand(data, address)}`,
    '',
    '',
  ].join('\n');
}

// The server says its address in one line; what to do there follows it.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...rest) => {
  const done = write(text, ...rest);
  const address = / at (http:\S+)\/\n$/.exec(String(text))?.[1];
  if (address !== undefined) {
    process.stdout.write = write;
    write(nextSteps(address));
  }
  return done;
};
process.argv.splice(2, 0, 'serve', '-d', `${data}/docs`, '--tokens', `${data}/tokens.json`);
await import('../dist/main.js');
