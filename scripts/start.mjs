// `npm start`: makes ./data the first time, with a sample project, serves it, and says where to look once it is served.
import { existsSync, readFileSync } from 'node:fs';
import { init, SAMPLE, secretCommand } from '../dist/adapters/cli/commands/local/init.js';
import { publish } from './publish.mjs';
import { sampleSites } from './sample.mjs';

const data = 'data';
const isNew = !existsSync(data);
if (isNew) await init(data);
const secret = secretIn(`${data}/tokens.json`);

/** Returns undefined for a file that somebody has changed: the server says what is wrong with it, or they know what is in it. */
function secretIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).tokens.admin.token;
  } catch {
    return undefined;
  }
}

/** @param {string} address of the server */
function nextSteps(address) {
  const read = secretCommand(data);
  const token = secret === undefined ? '<a token>' : `"$(${read})"`;
  const told = isNew ? `${secret}    later: ${read}` : `as ${data}/tokens.json has it`;
  return `
Look around:   ${address}/
Publish, from another terminal:

  LECTERN_URL=${address} LECTERN_TOKEN=${token} node dist/main.js push ${data}/${SAMPLE}

In a browser:  ${address}/-/upload
Your agent:    ${address}/-/mcp
Token:         ${told}

`;
}

/** @param {string} address of the server */
async function greet(address) {
  try {
    if (isNew)
      for (const [name, files] of Object.entries(sampleSites)) await publish(address, secret, name, files);
  } catch (error) {
    process.stderr.write(`The sample is not published: ${error instanceof Error ? error.message : error}\n`);
  }
  process.stdout.write(nextSteps(address));
}

// The server says its address in one line; what to do there follows it.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...rest) => {
  const done = write(text, ...rest);
  const address = / at (http:\S+)\/\n$/.exec(String(text))?.[1];
  if (address !== undefined) {
    process.stdout.write = write;
    void greet(address);
  }
  return done;
};
const options = ['-d', `${data}/docs`, '--tokens', `${data}/tokens.json`, '--switcher', '--usage'];
process.argv.splice(2, 0, 'serve', ...options);
await import('../dist/main.js');
