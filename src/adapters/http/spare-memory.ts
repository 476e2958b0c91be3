/** The system gives a piece only as much memory as its largest page has needed. */
const PIECE_BYTES = 1024 * 1024;
const MOST_PIECES = 16;

/**
 * Memory for pages that are read, sent and forgotten: lent for as long as an answer takes, then used again. New memory
 * for each page makes V8 see megabytes come and go and mark its whole heap for them, and the system clear all of it.
 */
export class SpareMemory {
  private readonly idle: Buffer[] = [];
  private made = 0;
  /** Node never says of some answers that they ended: those behind another one when their client goes. */
  private readonly lost = new FinalizationRegistry(() => {
    this.made -= 1;
  });

  /** Undefined when too much is lent already. */
  take(): Buffer | undefined {
    const idle = this.idle.pop();
    if (idle !== undefined || this.made === MOST_PIECES) return idle;
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    this.made += 1;
    this.lost.register(piece, undefined);
    return piece;
  }

  giveBack(piece: Buffer): void {
    this.idle.push(piece);
  }
}

/** Room for one page. */
export class Loan {
  private piece: Buffer | undefined;

  constructor(private readonly spare: SpareMemory) {}

  /** To be called once. What does not fit gets memory of its own. */
  readonly allocate = (bytes: number): Buffer => {
    if (bytes <= PIECE_BYTES) this.piece = this.spare.take();
    return this.piece?.subarray(0, bytes) ?? Buffer.allocUnsafeSlow(bytes);
  };

  /** Nobody uses the memory any more. Safe to call twice. */
  readonly end = (): void => {
    if (this.piece !== undefined) this.spare.giveBack(this.piece);
    this.piece = undefined;
  };
}
