import type { Logger } from 'pino';
import { LogFile } from './log-file.js';
import { startError } from './start-error.js';

/** Of the lines about requests. Everything else is JSON, or on a terminal made for people. */
export const LOG_FORMATS = ['json', 'combined'] as const;

export interface LogOptions {
  readonly logLevel: string;
  readonly logFormat: (typeof LOG_FORMATS)[number];
  /** Without one the log goes to stderr. */
  readonly logFile?: string;
}

interface Lines {
  /** @param line with its line break */
  write(line: string): unknown;
}

/** Where the program notes what happens. */
export interface Log {
  readonly logger: Logger;
  /** Takes the lines about requests when they have a format of their own. */
  readonly combined: Lines | undefined;
  /** Goes on in the file that now has the path; undefined when there is no file. */
  readonly reopen: (() => Promise<void>) | undefined;
  /** Writes what waits. */
  close(): Promise<void>;
}

/**
 * Opens the log. A file takes everything, but in the combined format only the lines about requests: tools that read
 * those stumble over others.
 * @throws StartError when the file cannot be opened
 */
export async function openLog({ logLevel, logFormat, logFile }: LogOptions): Promise<Log> {
  const { default: pino } = await import('pino');
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const stderr = pino.destination({ dest: 2, sync: false });
  const forPeople = process.stderr.isTTY ? await prettyStream() : undefined;
  const logger = pino(options, forPeople ?? stderr);
  const isCombined = logFormat === 'combined';
  const lineOf = (out: Lines) => (isCombined && logger.isLevelEnabled('info') ? out : undefined);
  if (logFile === undefined) {
    return { logger, combined: lineOf(stderr), reopen: undefined, close: async () => {} };
  }
  const report = (message: string, fields: object) => logger.warn(fields, message);
  const file = await LogFile.open(logFile, report).catch((error: unknown) => {
    throw startError(`the log file ${logFile}`, error);
  });
  return {
    logger: isCombined ? logger : pino(options, file),
    combined: lineOf(file),
    reopen: () => file.reopen(),
    close: () => file.close(),
  };
}

async function prettyStream() {
  // Only people need it: a service starts without loading it.
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination: 2, sync: true, ignore: 'requestId', translateTime: 'HH:MM:ss' });
}
