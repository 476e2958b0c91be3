import { reasonOf, type ServeConfig, startError } from '../adapters/cli/index.js';
import type { Access } from '../adapters/http/index.js';
import { parseAccessFile, readAccessFile } from '../adapters/json/index.js';
import type { Privacy } from '../application/index.js';
import { AccessPolicy, type Reader } from '../domain/index.js';

/** Time between two looks at the file, in milliseconds. */
const LOOK_EVERY_MS = 500;

/** How a server opens its store. */
export function privacyOf(
  { endsAccess }: Pick<ServeConfig, 'endsAccess'>,
  access: AccessRulesFile | undefined,
): Privacy {
  if (access !== undefined) return access.policy.ofNobody;
  return endsAccess ? 'ended' : 'none';
}

interface Report {
  /** Something keeps the rules from being followed. */
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * The rules of an access file, which follow the file: also where a link to it is changed, as Kubernetes does. The text is read
 * again and again, since time stamps do not tell two changes of one moment apart.
 */
export class AccessRulesFile implements Access {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private isClosed = false;
  /** Why the file is not followed; undefined while it is. */
  private fault: string | undefined;
  private edition = 1;

  private constructor(
    private readonly file: string,
    private text: string,
    private current: AccessPolicy,
  ) {}

  /** @throws StartError when the file is missing or faulty */
  static async open(file: string): Promise<AccessRulesFile> {
    try {
      const text = await readAccessFile(file);
      return new AccessRulesFile(file, text, new AccessPolicy(parseAccessFile(text), '1'));
    } catch (error) {
      throw startError(`the access file ${file}`, error);
    }
  }

  get policy(): AccessPolicy {
    return this.current;
  }

  /** Whether the file says something else than what counts, and cannot be followed. */
  get isFaulty(): boolean {
    return this.fault !== undefined;
  }

  /**
   * Follows the file until `close`.
   * @param before is called with what everybody may read under new rules, before they count; when it fails, they do not
   */
  follow(before: (everybody: Reader) => Promise<void>, report: Report): void {
    const look = async () => {
      await this.look(before, report);
      if (!this.isClosed) this.timer = setTimeout(lookOnce, LOOK_EVERY_MS).unref();
    };
    const lookOnce = () => {
      this.looking = look();
    };
    lookOnce();
  }

  /** Ends following. Waits for what is under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private async look(before: (everybody: Reader) => Promise<void>, report: Report): Promise<void> {
    try {
      const text = await readAccessFile(this.file);
      if (text !== this.text) {
        const policy = new AccessPolicy(parseAccessFile(text), `${this.edition + 1}`);
        await before(policy.ofNobody);
        this.edition += 1;
        this.text = text;
        this.current = policy;
        report.warn({ file: this.file }, 'the access file has changed, and its new rules count');
      }
      this.fault = undefined;
    } catch (error) {
      const fault = reasonOf(error);
      // Once for each fault, not each time.
      if (fault !== this.fault) {
        report.error(
          { file: this.file, reason: fault },
          'the access file cannot be followed: the rules of before still count',
        );
      }
      this.fault = fault;
    }
  }
}
