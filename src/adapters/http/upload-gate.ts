import { refuse } from '../../domain/index.js';

export const DEFAULT_MOST_UPLOADS = 4;

/** Lets a bounded number of uploads in at once, and none while the server shuts down. */
export class UploadGate {
  private inside = 0;
  private closed = false;

  constructor(private readonly most = DEFAULT_MOST_UPLOADS) {}

  /** How many uploads are under way. */
  get running(): number {
    return this.inside;
  }

  /** @throws Refusal `unavailable`, before anything of the body is read */
  async through(work: () => Promise<void>): Promise<void> {
    if (this.closed) throw refuse.shuttingDown();
    if (this.inside >= this.most) throw refuse.tooManyUploads();
    this.inside += 1;
    try {
      await work();
    } finally {
      this.inside -= 1;
    }
  }

  close(): void {
    this.closed = true;
  }
}
