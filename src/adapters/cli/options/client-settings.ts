import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isPlainObject, jsonIn } from '../../../formats/json.js';
import { hasErrno } from '../../../node/system-errors.js';
import { identityOfJob, type JobIdentity } from '../client/ci-job.js';
import { StartError, startError } from '../start-error.js';
import { textFlag } from './option-reader.js';

/** The server to talk to, and the token for it. */
export interface ClientSettings {
  readonly url: string;
  readonly token?: string;
  /** Proof of identity of a CI job, where there is no token. */
  readonly identity?: JobIdentity;
  /** Source of the token or the identity, for people. */
  readonly tokenSource?: string;
  /** Further headers of every request, such as the login of a proxy. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface ConfigFile {
  readonly path: string;
  readonly url: string | undefined;
  readonly token: string | undefined;
}

/** Returns the path `$XDG_CONFIG_HOME/lectern/config.json`; the variable defaults to `~/.config`. */
function configPath(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_CONFIG_HOME ?? '';
  const directory = isAbsolute(given) ? given : join(env.HOME || homedir(), '.config');
  return join(directory, 'lectern', 'config.json');
}

/**
 * Reads server and token from the flags, then the environment, then the configuration file; without a token, the identity of
 * a CI job from the environment. The file's token is used only for the file's server, so that a mistyped or planted address
 * never receives it.
 * @throws StartError
 */
export async function readClientSettings(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  warn: (sentence: string) => void,
): Promise<ClientSettings> {
  const file = await readConfigFile(configPath(env), warn);
  const url = textFlag(flags, 'url') ?? (env.LECTERN_URL || undefined) ?? file?.url;
  if (url === undefined) {
    throw new StartError(`no server given: add --url, set LECTERN_URL, or add 'url' to ${configPath(env)}`);
  }
  const headers = readHeaders(flags, env);
  const server = { url, ...(headers === undefined ? {} : { headers }) };
  const flag = textFlag(flags, 'token');
  if (flag !== undefined) return { ...server, token: flag, tokenSource: '--token' };
  // Secrets from files and secret stores often end with a line break.
  const variable = env.LECTERN_TOKEN?.trim();
  if (variable) return { ...server, token: variable, tokenSource: 'LECTERN_TOKEN' };
  if (file?.token !== undefined && isSameServer(file.url, url)) {
    return { ...server, token: file.token, tokenSource: file.path };
  }
  const identity = identityOfJob(env);
  // The login of a proxy takes the header of the identity.
  const isFree = !Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
  return identity === undefined || !isFree ? server : { ...server, identity, tokenSource: identity.source };
}

/** Headers that the client or Node sets, and one that has a setting of its own. */
const OWN_HEADERS =
  /^(?:x-token|host|connection|content-.*|transfer-encoding|accept|user-agent|expect|upgrade)$/i;

/** Reads `--header`, else the lines of `LECTERN_HEADERS`. @throws StartError that shows no value: it may be secret */
function readHeaders(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> | undefined {
  const given = flags.header === undefined ? undefined : [flags.header].flat().map(String);
  const source = given === undefined ? 'LECTERN_HEADERS' : '--header';
  const lines = given ?? (env.LECTERN_HEADERS ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const headers = new Map<string, readonly [name: string, value: string]>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === '' || value.trim() === '' || /\p{Cc}/u.test(value)) {
      throw new StartError(`${source}: expected a header such as 'Authorization: Basic dXNlcjpwYXNz'`);
    }
    if (OWN_HEADERS.test(name)) throw new StartError(`${source}: ${name} is set by lectern itself`);
    if (headers.has(name.toLowerCase())) throw new StartError(`${source}: ${name} is given more than once`);
    // Node sends headers as latin1.
    headers.set(name.toLowerCase(), [name, Buffer.from(value.trim(), 'utf8').toString('latin1')]);
  }
  return headers.size === 0 ? undefined : Object.fromEntries(headers.values());
}

async function readConfigFile(
  path: string,
  warn: (sentence: string) => void,
): Promise<ConfigFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrno(error, ['ENOENT', 'ENOTDIR'])) return undefined;
    throw startError(path, error);
  }
  const { url, token, ...rest } = objectIn(text, path);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new StartError(`${path}: unknown field '${unknown}'; expected 'url' or 'token'`);
  for (const [name, value] of Object.entries({ url, token })) {
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw new StartError(`${path}: ${name}: expected a non-empty string`);
    }
  }
  if (token !== undefined && ((await stat(path)).mode & 0o077) !== 0) {
    warn(`${path} contains a token and is readable by others; run chmod 600 ${path}`);
  }
  return { path, url, token } as ConfigFile;
}

function objectIn(text: string, path: string): Record<string, unknown> {
  const value = jsonIn(text);
  if (isPlainObject(value)) return value;
  throw new StartError(`${path}: expected a JSON object such as {"url": "https://docs.example.org"}`);
}

function isSameServer(a: string | undefined, b: string): boolean {
  if (a === undefined || !URL.canParse(a) || !URL.canParse(b)) return false;
  const [left, right] = [new URL(a), new URL(b)];
  const path = (url: URL) => url.pathname.replace(/\/+$/, '');
  return left.origin === right.origin && path(left) === path(right);
}
