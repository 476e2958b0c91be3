import type { WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Logger } from 'pino';
import { naming } from './start-error.js';

/** Formats of request lines. Other lines are JSON, or readable text on a terminal. */
export const LOG_FORMATS = ['json', 'combined'] as const;

/** Max. bytes of lines buffered in memory while the disk is slow; further lines are dropped. */
const MAX_BUFFERED = 1024 * 1024;
/** Min. interval between attempts to reopen the file after a failure. Each is made by a new line. */
const MIN_RETRY_MS = 1_000;

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
interface Log {
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
  // Loaded only for terminals, so that a service starts faster.
  const pretty = process.stderr.isTTY ? (await import('pino-pretty')).default : undefined;
  const shown = { destination: 2, sync: true, ignore: 'requestId', translateTime: 'HH:MM:ss' };
  const logger = pino(options, pretty?.(shown) ?? stderr);
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

type Report = (message: string, fields: object) => void;

/**
 * A file that lines are appended to, without waiting. `write` never fails: on errors lines are dropped and counted.
 * pino's own destination is not used, since at exit it waits forever for a full disk.
 */
export class LogFile {
  private stream: WriteStream | undefined;
  private lost = 0;
  private hasFailed = false;
  private nextTry = 0;

  private constructor(
    private readonly path: string,
    private readonly report: Report,
  ) {}

  /**
   * @param report called when writing starts to fail, and when it works again
   * @throws an error with an errno code when the file cannot be opened
   */
  static async open(path: string, report: Report): Promise<LogFile> {
    const file = new LogFile(path, report);
    await file.attach();
    return file;
  }

  /** @param line a line with its line break */
  write(line: string): void {
    if (this.stream === undefined) this.retry();
    if (this.stream === undefined || this.stream.writableLength >= MAX_BUFFERED) this.lost += 1;
    else if (this.hasFailed || this.lost > 0) this.stream.write(line, (error) => error ?? this.noteSuccess());
    else this.stream.write(line);
  }

  /** Reopens the path after the old file was renamed or removed. On failure keeps writing to the old file. */
  async reopen(): Promise<void> {
    await this.attach().catch((error: unknown) => this.noteFailure(error));
  }

  /** Writes the buffered lines, as far as possible, and closes the file. */
  async close(): Promise<void> {
    const { stream } = this;
    this.nextTry = Number.POSITIVE_INFINITY;
    this.stream = undefined;
    if (stream !== undefined && !stream.destroyed) {
      const closed = new Promise<void>((resolve) => stream.once('close', resolve));
      stream.end();
      await closed;
    }
  }

  private async attach(): Promise<void> {
    const handle = await open(this.path, 'a', 0o640);
    const stream = handle.createWriteStream();
    stream.on('error', (error) => {
      if (this.stream === stream) this.stream = undefined;
      this.noteFailure(error);
    });
    this.stream?.end();
    this.stream = stream;
  }

  private retry(): void {
    if (performance.now() < this.nextTry) return;
    this.nextTry = performance.now() + MIN_RETRY_MS;
    void this.reopen();
  }

  private noteFailure(err: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.report('cannot write the log file; the server continues without it', { file: this.path, err });
  }

  private noteSuccess(): void {
    // The first of several lines that were waiting tells.
    if (!this.hasFailed && this.lost === 0) return;
    this.report('the log file is writable again', { file: this.path, linesLost: this.lost });
    this.hasFailed = false;
    this.lost = 0;
  }
}
