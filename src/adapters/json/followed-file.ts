/** Default interval between two looks at a file, in milliseconds: a change counts within two seconds. */
const POLL_MS = 500;

/** Handlers for a file that changes. */
interface FileUse {
  /** Reads the text. */
  read(): Promise<string>;
  /** Makes a changed text count. When it fails, the text before it counts, and this one is tried again. */
  take(text: string): void | Promise<void>;
  /** Told once for each reason why the file cannot be used. */
  failed(error: unknown): void;
  /** Told when a file that could not be used is as it was before. When it fails, it is told again. */
  recovered?(): void | Promise<void>;
}

/**
 * A file that is polled. Contents are compared, not times: this also finds a link that points to another file, as in a
 * volume of Kubernetes, and two changes of one moment.
 */
export class FollowedFile {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private isClosed = false;
  /** Why the file cannot be used now; undefined when it can. */
  problem: string | undefined;

  /** @param text what counts now */
  constructor(
    private text: string,
    private readonly use: FileUse,
    private readonly pollMs = POLL_MS,
  ) {}

  /** Looks now, after a look under way. Never fails. */
  look(): Promise<void> {
    this.looking = this.looking.then(() => this.lookOnce());
    return this.looking;
  }

  /** Looks at each interval until `close`. */
  follow(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => void this.look().then(() => this.follow()), this.pollMs).unref();
  }

  /** Ends following. Waits for what is under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private async lookOnce(): Promise<void> {
    try {
      const text = await this.use.read();
      if (text !== this.text) {
        await this.use.take(text);
        this.text = text;
      } else if (this.problem !== undefined) await this.use.recovered?.();
      this.problem = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.problem) this.use.failed(error);
      this.problem = message;
    }
  }
}
