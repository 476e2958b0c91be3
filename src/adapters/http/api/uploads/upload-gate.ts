import { quote } from '../../../../domain/index.js';
import { unavailable } from '../../errors.js';

export const DEFAULT_MAX_UPLOADS = 4;

/** Limits concurrent uploads, in total and per token, and refuses them while the server shuts down. */
export class UploadGate {
  /** Names of the tokens of running uploads. */
  private readonly tokens: string[] = [];
  private readonly maxForToken: number;
  private closed = false;

  constructor(private readonly max = DEFAULT_MAX_UPLOADS) {
    // Leaves one place for other tokens, if there are two.
    this.maxForToken = Math.max(1, max - 1);
  }

  /** Number of running uploads. */
  get running(): number {
    return this.tokens.length;
  }

  /**
   * @param token name of the upload's token
   * @throws HttpFault `unavailable`, before anything of the body is read
   */
  async through(token: string, work: () => Promise<void>): Promise<void> {
    if (this.closed) throw unavailable('The server is shutting down; try again in a few seconds');
    if (this.running >= this.max)
      throw unavailable('Too many uploads are running at once; try again in a few seconds');
    const ofToken = this.tokens.filter((each) => each === token).length;
    if (ofToken >= this.maxForToken) throw this.tooManyOf(token);
    this.tokens.push(token);
    try {
      await work();
    } finally {
      this.tokens.splice(this.tokens.indexOf(token), 1);
    }
  }

  close(): void {
    this.closed = true;
  }

  private tooManyOf(token: string): Error {
    const uploads = this.maxForToken === 1 ? '1 upload' : `${this.maxForToken} uploads`;
    return unavailable(
      `Token ${quote(token)} has ${uploads} running, as many as one token may; try again when one of them has ended`,
    );
  }
}
