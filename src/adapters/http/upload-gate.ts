import { refuse } from '../../domain/index.js';

export const DEFAULT_MOST_UPLOADS = 4;

/** Lets a bounded number of uploads in at once, fewer of one token than of all, and none while the server shuts down. */
export class UploadGate {
  private readonly byToken = new Map<string, number>();
  private readonly maxForToken: number;
  private closed = false;

  constructor(private readonly max = DEFAULT_MOST_UPLOADS) {
    // One place is left for the other tokens, provided that there are two.
    this.maxForToken = Math.max(1, max - 1);
  }

  /** How many uploads are under way. */
  get running(): number {
    let sum = 0;
    for (const count of this.byToken.values()) sum += count;
    return sum;
  }

  /**
   * @param token name of the token that the upload is made with
   * @throws Refusal `unavailable`, before anything of the body is read
   */
  async through(token: string, work: () => Promise<void>): Promise<void> {
    if (this.closed) throw refuse.shuttingDown();
    const ofToken = this.byToken.get(token) ?? 0;
    if (this.running >= this.max) throw refuse.tooManyUploads();
    if (ofToken >= this.maxForToken) throw refuse.tooManyUploadsOfToken(token, this.maxForToken);
    this.byToken.set(token, ofToken + 1);
    try {
      await work();
    } finally {
      this.leave(token);
    }
  }

  close(): void {
    this.closed = true;
  }

  private leave(token: string): void {
    const left = (this.byToken.get(token) ?? 0) - 1;
    if (left > 0) this.byToken.set(token, left);
    else this.byToken.delete(token);
  }
}
