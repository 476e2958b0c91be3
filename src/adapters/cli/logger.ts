import { pino } from 'pino';

/** Logs to stderr: lines for people on a terminal, JSON elsewhere. Stdout is for what the program has to say. */
export async function createLogger(level: string) {
  const base = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY) return pino(base, pino.destination({ dest: 2, sync: false }));
  // Only people need it: a service starts without loading it.
  const { default: pretty } = await import('pino-pretty');
  return pino(base, pretty({ destination: 2, sync: true, ignore: 'requestId', translateTime: 'HH:MM:ss' }));
}
