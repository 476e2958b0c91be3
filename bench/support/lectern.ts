import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mainOfBuild } from './builds.js';
import { type Running, startServer } from './processes.js';
import { ask, type Upload, type Uploaded, upload } from './requests.js';
import { temporaryDirectory } from './temporary.js';

const SECRET = 'measured';
const TOKENS = { tokens: { bench: { token: SECRET, allow_overwrite: true, allow_delete: true } } };

/** An object store, and what opens it. */
export interface Store {
  /** `s3://bucket/prefix` */
  readonly address: string;
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface LecternOptions {
  /** A new one unless given. */
  readonly docs?: string;
  /** Holds the sites instead of a directory. */
  readonly store?: Store;
  readonly cores?: string;
  /** Lines for each request would be measured as well: the peers write none. */
  readonly logLevel?: string;
  readonly args?: readonly string[];
  /** Options of Node itself. */
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Lectern extends Running {
  readonly docs: string;
  /** Publishes or replaces a version; fails unless that worked. */
  publish(archive: Omit<Upload, 'headers'>): Promise<Uploaded>;
  remove(project: string, version: string): Promise<void>;
}

export async function startLectern({
  docs,
  store,
  cores,
  logLevel = 'warn',
  args = [],
  nodeArgs = [],
  env = {},
}: LecternOptions = {}): Promise<Lectern> {
  const main = mainOfBuild();
  assert.ok(existsSync(main), `${main} is missing: npm run build`);
  const home = temporaryDirectory('lectern');
  const directory = docs ?? join(home, 'docs');
  mkdirSync(directory, { recursive: true });
  const tokens = join(home, 'tokens.json');
  writeFileSync(tokens, JSON.stringify(TOKENS));
  const running = await startServer({
    program: process.execPath,
    args: [
      ...[...nodeArgs, main, 'serve', '--tokens', tokens, '--port', '0', '--log-level', logLevel],
      ...(store === undefined ? ['-d', directory] : storeOptions(store, join(home, 'cache'))),
      ...args,
    ],
    ...(cores === undefined ? {} : { cores }),
    // The user's own `NODE_OPTIONS` must not be measured.
    env: {
      NODE_OPTIONS: '',
      ...env,
      ...(store && { AWS_ACCESS_KEY_ID: store.accessKey, AWS_SECRET_ACCESS_KEY: store.secretKey }),
    },
  });
  const headers = { 'X-Token': SECRET };
  return {
    ...running,
    docs: directory,
    publish: async (archive) => {
      const uploaded = await upload(`${running.origin}/api/upload`, { ...archive, headers });
      assert.ok([200, 201].includes(uploaded.status), uploaded.body.toString());
      return uploaded;
    },
    remove: async (project, version) => {
      const url = `${running.origin}/api/delete/${project}/${encodeURIComponent(version)}`;
      const { status, body } = await ask(url, { method: 'DELETE', headers });
      assert.equal(status, 200, body.toString());
    },
  };
}

function storeOptions({ address, endpoint }: Store, cache: string): string[] {
  return ['--store', address, '--store-endpoint', endpoint, '--cache-dir', cache];
}
