import { type AccessConfig, naming, reasonOf } from '../adapters/cli/index.js';
import type { Access } from '../adapters/http/index.js';
import { FollowedFile, parseAccessFile, readAccessFile } from '../adapters/json/index.js';
import type { Privacy } from '../application/index.js';
import { AccessPolicy, type Reader } from '../domain/index.js';

/** How a server opens its store. */
export function privacyOf(
  { endsAccess }: Pick<AccessConfig, 'endsAccess'>,
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

/** The rules of an access file, which follow the file. */
export class AccessRulesFile implements Access {
  private followed: FollowedFile | undefined;
  private edition = 1;

  private constructor(
    private readonly file: string,
    private readonly text: string,
    public policy: AccessPolicy,
  ) {}

  /** @throws StartError when the file is missing or faulty */
  static async open(file: string): Promise<AccessRulesFile> {
    const open = async () => {
      const text = await readAccessFile(file);
      return new AccessRulesFile(file, text, new AccessPolicy(parseAccessFile(text), '1'));
    };
    return naming(`the access file ${file}`, open());
  }

  /** Whether the file says something else than what counts, and cannot be followed. */
  get isFaulty(): boolean {
    return this.followed?.problem !== undefined;
  }

  /**
   * Follows the file until `close`.
   * @param before is called with what everybody may read under new rules, before they count; when it fails, they do not
   */
  follow(before: (everybody: Reader) => Promise<void>, report: Report): void {
    const { file } = this;
    this.followed = new FollowedFile(this.text, {
      read: () => readAccessFile(file),
      take: async (text) => {
        const policy = new AccessPolicy(parseAccessFile(text), `${this.edition + 1}`);
        await before(policy.ofNobody);
        this.edition += 1;
        this.policy = policy;
        report.warn({ file }, 'the access file has changed, and its new rules count');
      },
      failed: (error) => {
        const message = 'the access file cannot be followed: the rules of before still count';
        report.error({ file, reason: reasonOf(error) }, message);
      },
    });
    void this.followed.look();
    this.followed.follow();
  }

  /** Ends following. Waits for what is under way. */
  async close(): Promise<void> {
    await this.followed?.close();
  }
}
