import { constants } from 'node:fs';
import { type FileHandle, open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AuditEntry, AuditLog } from '../../application/index.js';
import { serverActor, unavailable } from '../../domain/index.js';
import { auditLine } from './audit-line.js';

/** Free bytes of the file's disk below which changes are refused: room for the lines of changes that run already. */
const MIN_FREE_BYTES = 256 * 1024;

const LINE_BREAK = 0x0a;

/** O_NONBLOCK: a FIFO that nobody empties would hold changes for ever. With O_RDWR, it would have a reader in any case. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

const ITSELF = serverActor('audit log');

type Report = (message: string, fields: object) => void;

/**
 * The record of changes in a file: each entry is a line of JSON, and one write(2) with O_APPEND, which other processes that
 * append to the same file do not tear. The first line after each opening says that the record goes on, and shows that the file
 * can be written before anything is changed.
 */
export class AuditFile implements AuditLog {
  readonly isOn = true;
  /** Why the file cannot be written; undefined when it can, as far as is known. */
  private problem: unknown;
  /** Lines of changes that are made, and could not be written. */
  private kept: string[] = [];
  /** Whether a line could be written since the file was opened, or since one could not. */
  private isProven = false;
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private file: FileHandle,
    /** Whether the file ends within a line. */
    private isTorn: boolean,
    private readonly report: Report,
  ) {}

  /**
   * Opens a file, or makes it for its owner only.
   * @param report called when writing starts to fail, and when it works again
   * @throws an error with an errno code when the file cannot be opened
   */
  static async open(path: string, report: Report): Promise<AuditFile> {
    const { file, isTorn } = await opened(path);
    return new AuditFile(path, file, isTorn, report);
  }

  /** Whether the last line could not be written. */
  get isFaulty(): boolean {
    return this.problem !== undefined;
  }

  assertWritable(): Promise<void> {
    return this.inTurn(async () => {
      try {
        await assertRoom(this.path);
        await this.prove();
      } catch (error) {
        throw this.failed(error, 'nothing was changed');
      }
    });
  }

  write(entry: AuditEntry): Promise<void> {
    const line = auditLine(entry);
    return this.inTurn(async () => {
      try {
        await this.prove();
        await this.append(line);
      } catch (error) {
        const isMade = entry.result === 'ok';
        if (isMade) this.kept.push(line);
        throw this.failed(
          error,
          isMade ? 'the change was made and will be recorded later' : 'nothing was changed',
        );
      }
    });
  }

  /** Opens the path again after the old file was renamed or removed. On failure the old file is kept. */
  reopen(): Promise<void> {
    return this.inTurn(async () => {
      try {
        await this.openAgain();
      } catch (err) {
        this.report('cannot reopen the audit log; still writing to the old file', { file: this.path, err });
      }
    });
  }

  /** Writes what is kept, as far as possible, and closes the file. */
  close(): Promise<void> {
    return this.inTurn(async () => {
      if (this.kept.length > 0) await this.prove().catch(() => {});
      await this.file.close();
    });
  }

  private async openAgain(): Promise<void> {
    const next = await opened(this.path);
    await this.file.close();
    Object.assign(this, { ...next, isProven: false });
  }

  /** Writes what is kept, and the first line after an opening or a failure. */
  private async prove(): Promise<void> {
    // Nobody can read a file that was removed.
    if ((await this.file.stat()).nlink === 0) await this.openAgain();
    while (this.kept[0] !== undefined) {
      await this.append(this.kept[0]);
      this.kept.shift();
    }
    if (this.isProven) return;
    await this.append(auditLine({ time: new Date(), action: 'open', actor: ITSELF, result: 'ok' }));
    this.isProven = true;
    if (this.problem === undefined) return;
    this.problem = undefined;
    this.report('the audit log is writable again', { file: this.path });
  }

  private async append(line: string): Promise<void> {
    const bytes = Buffer.from(this.isTorn ? `\n${line}` : line);
    const { bytesWritten } = await this.file.write(bytes);
    if (bytesWritten > 0) this.isTorn = bytesWritten < bytes.length;
    if (bytesWritten < bytes.length) throw new Error('the disk accepted only part of a line');
  }

  /** @returns the refusal to throw */
  private failed(err: unknown, outcome: string) {
    this.isProven = false;
    if (this.problem === undefined) {
      const message = 'cannot write the audit log; changes are refused until it is writable again';
      this.report(message, { file: this.path, err });
    }
    this.problem = err;
    return unavailable(
      `The server cannot write its audit log: ${outcome}. Try again later; if it persists, tell the administrator of the server`,
      { cause: err },
    );
  }

  /** Does work when all before it is done. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => {});
    return result;
  }
}

/** Opens a file for writing, and finds out whether it ends within a line. */
async function opened(path: string): Promise<{ readonly file: FileHandle; readonly isTorn: boolean }> {
  const file = await open(path, FLAGS, 0o600);
  try {
    const stats = await file.stat();
    const isTorn = stats.isFile() && stats.size > 0 && (await endsWithinLine(path, stats.size));
    return { file, isTorn };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function endsWithinLine(path: string, size: number): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return bytesRead === 1 && buffer[0] !== LINE_BREAK;
  } finally {
    await file.close();
  }
}

/** @throws an error when the file's disk is full. For a path that is gone, only writing tells. */
async function assertRoom(path: string): Promise<void> {
  const space = await statfs(path)
    .catch(() => statfs(dirname(path)))
    .catch(() => undefined);
  // A file system without blocks, such as that of devices, does not know.
  if (space === undefined || space.blocks === 0) return;
  if (space.bavail * space.bsize < MIN_FREE_BYTES) throw new Error('the disk is full');
}
