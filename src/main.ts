#!/usr/bin/env node
import { runCommandLine } from './adapters/cli/index.js';
import { FEATURES, readServerConfig } from './composition/features.js';

// Each command loads only its own modules: `push` does not load the web server.
process.exitCode = await runCommandLine(process.argv, process.env, {
  serveOptions: FEATURES.flatMap(({ options }) => Object.values(options?.table ?? {})),
  serve: async (flags, env) => (await import('./composition/serve.js')).serve(readServerConfig(flags, env)),
  verify: async function* (request) {
    yield* (await import('./composition/verify.js')).verify(request);
  },
  copy: async function* (request) {
    yield* (await import('./composition/copy.js')).copy(request);
  },
  prune: async function* (request) {
    yield* (await import('./composition/prune.js')).prune(request);
  },
  countLogs: async function* (request) {
    yield* (await import('./composition/counting.js')).countLogs(request);
  },
  tokensFile: async (path) => (await import('./composition/tokens-file.js')).tokensFileAt(path),
  importSites: async function* (request) {
    yield* (await import('./composition/import-sites.js')).importInto(request);
  },
  temporaryDirectory: async () =>
    (await import('./composition/interruptible.js')).temporaryDirectoryOfCommand(),
});
