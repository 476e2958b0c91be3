import { EventEmitter } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK = 256 * 1024;

/**
 * A file as JSZip takes streams, opened when its turn comes and closed at its end. JSZip binds every stream up
 * front; ten thousand Node streams would cost a hundred times the memory.
 */
export class FileSource extends EventEmitter {
  private fd: number | undefined;
  private isPaused = true;
  private isScheduled = false;

  constructor(private readonly file: string) {
    super();
  }

  pause(): this {
    this.isPaused = true;
    return this;
  }

  resume(): this {
    this.isPaused = false;
    this.schedule();
    return this;
  }

  /** Never at once: JSZip resumes the next file from the end of the last, and would fill the stack. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      if (!this.isPaused) this.readOn();
    });
  }

  private readOn(): void {
    try {
      this.fd ??= openSync(this.file, 'r');
      const chunk = Buffer.allocUnsafe(CHUNK);
      const length = readSync(this.fd, chunk);
      if (length > 0) {
        this.emit('data', chunk.subarray(0, length));
        this.schedule();
      } else {
        this.close();
        this.emit('end');
      }
    } catch (error) {
      this.close();
      this.emit('error', error);
    }
  }

  /** Also for those whose turn was cut short by the failure of another. */
  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
    this.isPaused = true;
  }
}
