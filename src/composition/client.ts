import { runCommandLine } from '../adapters/cli/index.js';
import { temporaryDirectoryOfCommand } from './interruptible.js';

// The client's file, `/-/client.mjs` of each server: the commands that talk to a server, without those that run one.
process.exitCode = await runCommandLine(process.argv, process.env, {
  temporaryDirectory: async () => temporaryDirectoryOfCommand(),
});
