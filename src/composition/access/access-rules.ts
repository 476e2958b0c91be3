import { type AccessConfig, naming, reasonOf } from '../../adapters/cli/index.js';
import type { Access } from '../../adapters/http/index.js';
import { FollowedFile, parseAccessFile, readAccessFile } from '../../adapters/json/index.js';
import type { Privacy } from '../../application/index.js';
import { AccessPolicy, closedReader, type PeopleIssuer, type Reader } from '../../domain/index.js';
import type { SeparateIssuers } from './separate-issuers.js';

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

/** Options for reading the issuers of an access file. */
interface IssuerReading {
  /** `aud` of access tokens for this server; undefined where there cannot be any. */
  readonly resource: string | undefined;
  readonly separate: SeparateIssuers;
}

/** The rules of an access file, which follow the file. */
export class AccessRulesFile implements Access {
  private followed: FollowedFile | undefined;
  private edition = 1;

  private constructor(
    private readonly file: string,
    private readonly text: string,
    private readonly reading: IssuerReading,
    public policy: AccessPolicy,
    public peopleIssuers: readonly PeopleIssuer[],
  ) {}

  /** @throws StartError when the file is missing or faulty */
  static async open(file: string, reading: IssuerReading): Promise<AccessRulesFile> {
    const open = async () => {
      const text = await readAccessFile(file);
      const { issuers, ...rules } = parseAccessFile(text, reading.resource);
      reading.separate.take('people_issuers', issuers);
      return new AccessRulesFile(file, text, reading, new AccessPolicy(rules, '1'), issuers);
    };
    return naming(`the access file ${file}`, open());
  }

  /** Whether the file says something else than what counts, and cannot be followed. */
  get isFaulty(): boolean {
    return this.followed?.problem !== undefined;
  }

  /**
   * Follows the file until `close`.
   * @param before is called with what everybody may read under new rules, before they count; when it fails, they do not, and it is
   *   called with what everybody may read under the old and the new ones
   */
  follow(before: (everybody: Reader) => Promise<void>, report: Report): void {
    const { file } = this;
    this.followed = new FollowedFile(this.text, {
      read: () => readAccessFile(file),
      take: async (text) => {
        const { issuers, ...rules } = parseAccessFile(text, this.reading.resource);
        // Rules that do not count in the end have an edition, too: views of the catalogue are kept by the rights of readers.
        this.edition += 1;
        const policy = new AccessPolicy(rules, `${this.edition}`);
        const { separate } = this.reading;
        // Both, until it is decided which count: nothing is shown in public for a file that is refused afterwards.
        separate.take('people_issuers', [...this.peopleIssuers, ...issuers]);
        try {
          await before(policy.ofNobody);
          this.policy = policy;
          this.peopleIssuers = issuers;
        } catch (error) {
          await before(readerOfBoth(this.policy.ofNobody, policy.ofNobody)).catch(() => {});
          throw error;
        } finally {
          separate.take('people_issuers', this.peopleIssuers);
        }
        report.warn({ file }, 'reloaded the access file');
      },
      failed: (error) => {
        const message = 'cannot use the changed access file; keeping the previous rules';
        report.error({ file, reason: reasonOf(error) }, message);
      },
      recovered: () => before(this.policy.ofNobody),
    });
    void this.followed.look();
    this.followed.follow();
  }

  /** Stops following the rules. Waits for work under way. */
  async close(): Promise<void> {
    await this.followed?.close();
  }
}

/** A reader of what two others may both read. */
function readerOfBoth(one: Reader, other: Reader): Reader {
  const maySee = (project: string) => one.maySee(project) && other.maySee(project);
  return closedReader(`${one.rights} & ${other.rights}`, maySee);
}
