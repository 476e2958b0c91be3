import type { FileHandle } from 'node:fs/promises';

/**
 * Less than 128 KB: Linux takes memory for a file in pieces as large as what is written at once, and from there on a
 * virtual machine that gives free memory back to its host has to ask for it again, page by page (see `writeAll`).
 */
const PIECE = 120 * 1024;

/**
 * Writes what comes in small chunks: one call for several of them, while the next are being gathered. A call costs
 * more than the bytes of a small chunk, since another thread has to be woken for it.
 */
export class WriteBehind {
  /** One is being gathered, and the other one written. */
  private readonly pieces: [Buffer?, Buffer?] = [];
  private current: 0 | 1 = 0;
  private gathered = 0;
  private writing: Promise<void> = Promise.resolve();

  /** @param handle stays open; closing it waits for what is being written */
  constructor(private readonly handle: Pick<FileHandle, 'writeFile'>) {}

  /**
   * Takes a copy of `bytes`, waiting only while a full piece waits already.
   * @throws what an earlier write threw
   */
  async add(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length; ) {
      const chunk = bytes.subarray(taken, taken + PIECE - this.gathered);
      this.piece.set(chunk, this.gathered);
      this.gathered += chunk.length;
      taken += chunk.length;
      if (this.gathered === PIECE) await this.write();
    }
  }

  /** Resolves once all of it is written. */
  async end(): Promise<void> {
    if (this.gathered > 0) await this.write();
    await this.writing;
  }

  private get piece(): Buffer {
    this.pieces[this.current] ??= Buffer.allocUnsafeSlow(PIECE);
    return this.pieces[this.current] as Buffer;
  }

  private async write(): Promise<void> {
    await this.writing;
    this.writing = this.handle.writeFile(this.piece.subarray(0, this.gathered));
    // Whoever waits for it next learns of a failure.
    this.writing.catch(() => {});
    this.current = this.current === 0 ? 1 : 0;
    this.gathered = 0;
  }
}
