#!/usr/bin/env node
import { runCommandLine } from './adapters/cli/index.js';

// Each command loads only its own modules: `push` does not load the web server.
process.exitCode = await runCommandLine(process.argv, process.env, {
  serve: async (config) => (await import('./composition/serve.js')).serve(config),
  verify: async function* (request) {
    yield* (await import('./composition/verify.js')).verify(request);
  },
  copy: async function* (request) {
    yield* (await import('./composition/copy.js')).copy(request);
  },
  importSites: async function* (request) {
    yield* (await import('./composition/import-sites.js')).importInto(request);
  },
});
