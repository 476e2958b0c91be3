import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { naming, StartError } from '../../adapters/cli/index.js';
import { temporaryDirectory } from '../../adapters/filesystem/index.js';
import type { Logger } from '../../adapters/http/index.js';
import { JsonTokenRegistry } from '../../adapters/json/index.js';
import { MemoryDocStore } from '../../adapters/memory/index.js';
import type { DocStore, TokenRegistry } from '../../application/index.js';
import { ANYBODY, quote } from '../../domain/index.js';
import type { PlacelessConfig } from '../container.js';
import { readServerConfig } from '../features.js';
import { giveUpWithin, type Preparation, prepare } from '../serving/preparation.js';
import type { Server } from '../serving/server.js';
import { type StoragePlace, storagePlace, warn } from '../storage.js';
import { type Lectern, type LecternOptions, OpenError } from './lectern.js';

/** Max. time for running requests, in milliseconds. */
const MAX_CLOSING_MS = 30_000;

/** Every option, and who reads it: this file, or the reader of the options of `lectern serve`. */
const READ_BY: Readonly<Record<keyof LecternOptions, 'us' | 'serve'>> = {
  docs: 'us',
  store: 'us',
  memory: 'us',
  tokens: 'us',
  auditLog: 'us',
  logger: 'us',
  storeEndpoint: 'serve',
  storeRegion: 'serve',
  singleWriter: 'serve',
  cacheDir: 'serve',
  reloadTokens: 'serve',
  access: 'serve',
  endAccess: 'serve',
  site: 'serve',
  publicUrl: 'serve',
  trustProxy: 'serve',
  search: 'serve',
  maxUploadSize: 'serve',
  cacheSize: 'serve',
  previewDays: 'serve',
  keepRemoved: 'serve',
  retention: 'serve',
};

/** @throws OpenError */
export async function openWith(options: LecternOptions): Promise<Lectern> {
  return inTheirWords(async () => {
    assertOptions(options);
    const opening = placeIn(options);
    try {
      const { logger = toStderr, auditLog } = options;
      const tokens = tokensIn(options);
      const { place } = opening;
      // An object store is tried out before anything is published in it. A docs directory may be read-only without tokens.
      const prepared = await prepare(opening.config, {
        place,
        logger,
        tokens,
        auditLog: typeof auditLog === 'string' ? undefined : auditLog,
        mayPublish: place.isTriedOut === true,
      });
      try {
        return await lecternOf(prepared, opening.dispose);
      } catch (error) {
        await prepared.close();
        throw error;
      }
    } catch (error) {
      await opening.dispose();
      throw error;
    }
  });
}

async function lecternOf(prepared: Preparation, dispose: () => Promise<void>): Promise<Lectern> {
  const opened = await prepared.opened();
  let server: Server | undefined;
  let listening: Promise<string> | undefined;
  let closing: Promise<void> | undefined;
  const listen = async (port: number, host: string) => {
    // Loaded only here: a program that publishes needs no server.
    const { createServer } = await import('../serving/server.js');
    const created = await createServer(prepared);
    try {
      const address = await naming(`cannot listen on ${host} port ${port}`, created.http.listen(port, host));
      await created.start();
      server = created;
      return address;
    } catch (error) {
      listening = undefined;
      await created.http.close(0);
      await created.close();
      throw error;
    }
  };
  const close = async (maxMs: number) => {
    await listening?.catch(() => {});
    giveUpWithin(maxMs, opened);
    await server?.http.close(maxMs);
    await server?.close();
    await prepared.close();
    await dispose();
  };
  return {
    ...opened.core.useCases,
    seenBy: (reader = ANYBODY, now = new Date()) => opened.core.seenBy(reader, now),
    listen: (port = 8080, host = '127.0.0.1') =>
      inTheirWords(() => {
        if (closing !== undefined) throw new StartError('this Lectern is closed: open it again');
        if (listening !== undefined) throw new StartError('this Lectern is already listening');
        listening = listen(port, host);
        return listening;
      }),
    close: (maxMs = MAX_CLOSING_MS) => {
      closing ??= close(maxMs);
      return closing;
    },
  };
}

interface Opening {
  readonly config: PlacelessConfig;
  readonly place: StoragePlace;
  /** Removes temporary files. */
  dispose(): Promise<void>;
}

/** @throws StartError */
function placeIn(options: LecternOptions): Opening {
  const { docs, store, memory = false } = options;
  const given = [docs, store, memory || undefined].filter((each) => each !== undefined);
  if (given.length !== 1) {
    const found = given.length === 0 ? 'none of them is given' : `${given.length} of them are given`;
    throw new StartError(`give exactly one of docs, store and memory: ${found}`);
  }
  const shared = Object.fromEntries(
    Object.entries(options).filter(([name]) => READ_BY[name as keyof LecternOptions] === 'serve'),
  );
  const tokens = typeof options.tokens === 'string' ? { tokens: options.tokens } : {};
  const auditLog = typeof options.auditLog === 'string' ? { auditLog: options.auditLog } : {};
  const flags = { ...shared, ...tokens, ...auditLog };
  const at = typeof docs === 'string' ? { docs } : typeof store === 'string' ? { store } : undefined;
  if (at !== undefined) {
    const config = readServerConfig({ ...flags, ...at }, {});
    return { config, place: storagePlace(config.storage), dispose: async () => {} };
  }
  const own = memory ? undefined : (store ?? docs);
  if (own !== undefined && !isStore(own)) {
    throw new StartError(
      store === undefined
        ? 'docs: expected a path'
        : 'store: expected an address such as s3://bucket/prefix, or a DocStore',
    );
  }
  const config = readServerConfig({ ...flags, docs: tmpdir() }, {});
  const scratch = temporaryDirectory(tmpdir());
  const opened = own ?? new MemoryDocStore(scratch, config.keepRemovedMs);
  return {
    config,
    place: {
      name: memory ? 'memory' : 'a store of its own',
      cacheDirectory: scratch,
      assertUsable: async () => {},
      open: async () => ({ docs: opened }),
    },
    dispose: () => rm(scratch, { recursive: true, force: true }),
  };
}

function isStore(value: unknown): value is DocStore {
  return typeof (value as Partial<DocStore> | null)?.catalogue === 'function';
}

/** Returns the tokens that are no file. @throws StartError */
function tokensIn({ tokens, reloadTokens }: LecternOptions): TokenRegistry | undefined {
  if (tokens === undefined || typeof tokens === 'string') return undefined;
  if (reloadTokens) throw new StartError('--reload-tokens: give the path of a tokens file as tokens');
  if (typeof (tokens as Partial<TokenRegistry> | null)?.authenticate === 'function')
    return tokens as TokenRegistry;
  if (typeof tokens !== 'object' || tokens === null || Array.isArray(tokens)) {
    throw new StartError(
      "tokens: expected the path of a tokens file, or entries as in one, such as { ci: { token: 'a long random secret' } }",
    );
  }
  try {
    return JsonTokenRegistry.parse(JSON.stringify({ tokens }));
  } catch (error) {
    throw new StartError((error as Error).message, { cause: error });
  }
}

/** @throws StartError for a misspelt option: without it, the docs may be open to more than was meant */
function assertOptions(options: LecternOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new StartError("expected options, such as { docs: 'docs' }");
  }
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(READ_BY, name));
  if (unknown.length > 0) {
    throw new StartError(
      `unknown option ${unknown.map(quote).join(', ')}; expected ${Object.keys(READ_BY).join(', ')}`,
    );
  }
}

/** Makes errors name options as programs do: `singleWriter` in place of `--single-writer`. @throws OpenError */
async function inTheirWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const message = error.message.replace(/--([a-z]+(?:-[a-z]+)*)/g, (_, name: string) =>
      name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    );
    throw new OpenError(message, { cause: error });
  }
}

const toStderr: Logger = {
  info: () => {},
  warn: (fields, message) => warn(message, fields),
  error: (fields, message) => warn(message, fields),
  isLevelEnabled: (level) => level !== 'info',
};
