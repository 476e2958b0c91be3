import { quote } from '../../../domain/index.js';
import { unavailable } from '../errors.js';

export const DEFAULT_MAX_UPLOADS = 4;

/** Limits concurrent uploads, in total and per token, and refuses them while the server shuts down. */
export class UploadGate {
  private readonly byToken = new Map<string, number>();
  private readonly maxForToken: number;
  private closed = false;

  constructor(private readonly max = DEFAULT_MAX_UPLOADS) {
    // Leaves one place for other tokens, if there are two.
    this.maxForToken = Math.max(1, max - 1);
  }

  /** Number of running uploads. */
  get running(): number {
    let sum = 0;
    for (const count of this.byToken.values()) sum += count;
    return sum;
  }

  /**
   * @param token name of the upload's token
   * @throws HttpFault `unavailable`, before anything of the body is read
   */
  async through(token: string, work: () => Promise<void>): Promise<void> {
    if (this.closed) throw unavailable('The server is shutting down; try again in a few seconds');
    const ofToken = this.byToken.get(token) ?? 0;
    if (this.running >= this.max)
      throw unavailable('Too many uploads are running at once; try again in a few seconds');
    if (ofToken >= this.maxForToken) throw this.tooManyOf(token);
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

  private tooManyOf(token: string): Error {
    const uploads = this.maxForToken === 1 ? '1 upload' : `${this.maxForToken} uploads`;
    return unavailable(
      `Token ${quote(token)} has ${uploads} running, as many as one token may; try again when one of them has ended`,
    );
  }
}
