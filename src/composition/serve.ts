import { setTimeout as delay } from 'node:timers/promises';
import { inheritedSocket, naming, openLog } from '../adapters/cli/index.js';
import type { HttpServer } from '../adapters/http/index.js';
import type { ServerConfig } from './features.js';
import { tokensFileOf } from './serving/first-token.js';
import { giveUpWithin, prepare } from './serving/preparation.js';
import { createServer } from './serving/server.js';
import { storagePlace } from './storage.js';

/** Max. time for running requests after SIGTERM or SIGINT, in milliseconds. */
const MAX_CLOSING_MS = 30_000;
/** Time that interrupted uploads have to clean up, in milliseconds. */
const MAX_ENDING_MS = 2_000;

/** `lectern serve`: runs the server until SIGTERM or SIGINT. */
export async function serve(config: ServerConfig): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve).once('SIGINT', resolve);
  });
  const hangups: (() => Promise<void>)[] = [];
  const isHangupMeant = config.reloadTokens || config.logFile !== undefined || config.auditLog !== undefined;
  const onHangup = () => {
    for (const each of hangups) void each();
  };
  if (isHangupMeant) process.on('SIGHUP', onHangup);
  const { logger, combined, reopen, close: closeLog } = await openLog(config);
  if (reopen !== undefined) hangups.push(reopen);
  const place = storagePlace(config.storage);
  const file = await tokensFileOf(config, { logger, notes: process.stderr });
  const reloadTokens = config.reloadTokens && file !== undefined;
  const prepared = await prepare({ ...config, tokens: file, reloadTokens }, { place, logger });
  const { tokens, reloaded, auditFile } = prepared.configuration;
  if (reloaded !== undefined) hangups.push(() => reloaded.reload());
  if (auditFile !== undefined) hangups.push(() => auditFile.reopen());
  if (!tokens.isConfigured && place.isTriedOut) {
    logger.info({}, 'skipped the check of the object store: without tokens, this server is read-only');
  }
  const server = await createServer(prepared, { combined });
  const { http } = server;
  let ending: NodeJS.Timeout | undefined;
  try {
    const address = await listen(http, config);
    // After a crash this may take minutes: meanwhile the port is open, and probes are answered.
    const opened = await server.start();
    process.stdout.write(`Lectern serves ${place.name} at ${address}/\n`);
    await stopped;
    http.drain();
    await delay(config.drainMs);
    giveUpWithin(MAX_CLOSING_MS, opened);
    const isAllAnswered = await http.close(MAX_CLOSING_MS);
    // Work that goes on although its connection was cut ends with the process; the next start cleans up, as after a crash.
    if (!isAllAnswered) ending = setTimeout(() => closeLog().finally(() => process.exit(0)), MAX_ENDING_MS);
  } finally {
    await http.close(0);
    await server.close();
    await prepared.close();
    clearTimeout(ending);
    await closeLog();
  }
}

async function listen(server: HttpServer, { port, host }: ServerConfig): Promise<string> {
  const inherited = inheritedSocket(process.env, process.pid);
  const where = inherited === undefined ? `${host} port ${port}` : 'the socket of LISTEN_FDS';
  const listening = inherited === undefined ? server.listen(port, host) : server.listenOnInherited(inherited);
  return naming(`cannot listen on ${where}`, listening);
}
