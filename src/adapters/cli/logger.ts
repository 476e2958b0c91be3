import type { Logger } from 'pino';
import { LogFile } from './log-file.js';
import { naming } from './start-error.js';

/** Formats of request lines. Other lines are JSON, or readable text on a terminal. */
export const LOG_FORMATS = ['json', 'combined'] as const;

export interface LogOptions {
  readonly logLevel: string;
  readonly logFormat: (typeof LOG_FORMATS)[number];
  /** Path of the log file; without it the log goes to stderr. */
  readonly logFile: string | undefined;
}

interface Lines {
  /** @param line a line with its line break */
  write(line: string): unknown;
}

/** The program's log. */
export interface Log {
  readonly logger: Logger;
  /** Output for request lines in the combined format; undefined in the JSON format. */
  readonly combined: Lines | undefined;
  /** Reopens the log file after it was rotated; undefined when there is no file. */
  readonly reopen: (() => Promise<void>) | undefined;
  /** Writes the buffered lines and closes the file. */
  close(): Promise<void>;
}

/**
 * Opens the log. A file in the combined format gets only request lines, as tools for that format fail on others;
 * otherwise it gets all lines.
 * @throws StartError when the file cannot be opened
 */
export async function openLog({ logLevel, logFormat, logFile }: LogOptions): Promise<Log> {
  const { default: pino } = await import('pino');
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const stderr = pino.destination({ dest: 2, sync: false });
  // Lines that cannot be written are lost: a full disk does not end the server. At its end pino would wait for room.
  let hasFailed = false;
  stderr.on('error', () => {
    hasFailed = true;
  });
  const closeStderr = async () => {
    if (hasFailed) stderr.destroy();
  };
  const forPeople = process.stderr.isTTY ? await prettyStream() : undefined;
  const logger = pino(options, forPeople ?? stderr);
  const isCombined = logFormat === 'combined';
  const lineOf = (out: Lines) => (isCombined && logger.isLevelEnabled('info') ? out : undefined);
  if (logFile === undefined) {
    return { logger, combined: lineOf(stderr), reopen: undefined, close: closeStderr };
  }
  const report = (message: string, fields: object) => logger.warn(fields, message);
  const file = await naming(`the log file ${logFile}`, LogFile.open(logFile, report));
  return {
    logger: isCombined ? logger : pino(options, file),
    combined: lineOf(file),
    reopen: () => file.reopen(),
    close: () => file.close(),
  };
}

async function prettyStream() {
  // Loaded only for terminals, so that a service starts faster.
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination: 2, sync: true, ignore: 'requestId', translateTime: 'HH:MM:ss' });
}
