import { readdir, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { naming } from '../../adapters/cli/index.js';
import { shellWord } from '../../adapters/cli/terminal.js';
import type { Logger } from '../../adapters/http/index.js';
import { randomSecret, sha256Of } from '../../application/tokens/secret.js';
import { makeTokensFile } from '../../node/new-tokens-file.js';
import { isDone, unless } from '../../node/system-errors.js';
import type { ServerConfig } from '../features.js';

/** The secret's file, beside the tokens file. */
const SECRET_FILE = 'first-token';

/** Addresses that stand for all of this machine's. */
const EVERYWHERE = ['0.0.0.0', '::'];

interface Parts {
  readonly logger: Pick<Logger, 'warn'>;
  /** Where people read messages. Unless it is a terminal, they may be collected. */
  readonly notes: { readonly isTTY?: boolean; write(text: string): unknown };
}

/**
 * Finds the tokens file of a server: that of `--tokens`, else that of `--first-token`, which is made with one token if it is missing
 * and the docs directory is empty or missing. The file keeps the SHA-256; how to read the secret is said at once, since a server
 * that then does not start uses the file the next time.
 * @returns its path; undefined when the server is read-only
 * @throws StartError when the file has to be made, and cannot be; nothing is left behind then
 */
export async function tokensFileOf(
  config: Pick<ServerConfig, 'tokens' | 'firstToken' | 'place' | 'host' | 'port'>,
  { logger, notes }: Parts,
): Promise<string | undefined> {
  const { tokens, firstToken } = config;
  if (tokens !== undefined || firstToken === undefined) return tokens;
  const { docs, file } = firstToken;
  // First: a server that starts beside this one puts something there only once its tokens file is there.
  const isEmpty = await naming(`the docs directory ${docs}`, isEmptyDirectory(docs));
  const what = `the tokens file ${file}`;
  if (await naming(what, isDone(['ENOENT'], stat(file)))) return file;
  if (!isEmpty) {
    const reason = 'the docs directory is not empty, so no first token is created: this server is read-only';
    logger.warn({ docs, file }, `${reason}; for uploads, start it with a tokens file in --tokens`);
    return undefined;
  }
  const secret = randomSecret();
  const entry = { sha256: await sha256Of(secret), description: 'created at the first start' };
  const isOurs = await naming(what, isDone(['EEXIST'], makeTokensFile(file, { first: entry })));
  if (isOurs) {
    const shown = notes.isTTY ? `${secret}    (shown only now)` : await keepInFile(secret, file);
    notes.write(messageFor(file, shown, config));
  }
  return file;
}

async function isEmptyDirectory(directory: string): Promise<boolean> {
  return ((await unless(['ENOENT'], readdir(directory))) ?? []).length === 0;
}

/** Writes the secret into a file for its owner only. @returns a command that prints it @throws StartError */
async function keepInFile(secret: string, tokensFile: string): Promise<string> {
  const file = join(dirname(tokensFile), SECRET_FILE);
  try {
    await naming(`the file of the first token ${file}`, writeSecret(file, secret));
  } catch (error) {
    await rm(tokensFile, { force: true });
    throw error;
  }
  return `cat ${shellWord(file)}`;
}

async function writeSecret(file: string, secret: string): Promise<void> {
  // A file that was left behind belongs to no token, and may be readable for others.
  await unless(['ENOENT'], unlink(file));
  try {
    await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** @param shown the secret, or how to read it */
function messageFor(file: string, shown: string, { place, host, port }: Parameters<typeof tokensFileOf>[0]) {
  const name = EVERYWHERE.includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const address = `${place.origin ?? `http://${name}:${port || '<port>'}`}${place.basePath}`;
  return `
Created the token 'first' for uploads; ${file} has its SHA-256.

Token:    ${shown}
Publish:  curl -fsSL ${address}/-/client.mjs -o lectern.mjs
          LECTERN_URL=${address} LECTERN_TOKEN=<token> node lectern.mjs push build/html --project my-project --version 1.0.0

`;
}
