import {
  parseArchiveName,
  Refusal,
  refuse,
  type TokenPolicy,
  type Version,
  type VersionId,
  whyNotSpelled,
} from '../domain/index.js';
import { authenticate } from './authenticate.js';
import { type ArchiveLimits, type Archives, DEFAULT_ARCHIVE_LIMITS } from './ports/archives.js';
import type { DocStore, LocalStore, ReceivedArchive, Staging } from './ports/doc-store.js';
import type { TokenRegistry } from './ports/token-registry.js';
import { storageRefusalOf } from './storage-refusal.js';

export interface UploadLimits extends ArchiveLimits {
  /** Max. bytes of the uploaded archive. */
  readonly maxUploadBytes: number;
  /** Min. bytes that an upload must leave free on the disk; 0 turns this limit off. */
  readonly minFreeBytes: number;
}

export const DEFAULT_UPLOAD_LIMITS: UploadLimits = {
  ...DEFAULT_ARCHIVE_LIMITS,
  maxUploadBytes: 512 * 1024 * 1024,
  // Reserve for the log and other programs on the same disk.
  minFreeBytes: 256 * 1024 * 1024,
};

/** Bytes received between two checks of the free disk space. */
const SPACE_CHECK_BYTES = 64 * 1024 * 1024;

/** A completely received archive that is not yet checked or published. */
export interface ReceivedUpload {
  readonly id: VersionId;
  readonly policy: TokenPolicy;
  readonly staging: Staging;
  readonly archive: ReceivedArchive;
}

export interface UploadResult {
  readonly version: Version;
  readonly replaced: boolean;
  readonly filesExtracted: number;
  /** Whether the site has an `index.html` at its root. */
  readonly hasIndex: boolean;
  /** The reason why the site's docinfo was ignored, if it was. */
  readonly docinfoProblem?: string | undefined;
}

/**
 * Use case: publishes an uploaded archive as a version of a project. A server calls the steps one by one: it checks
 * the token before it reads the body, and the file name before it reads the file. `execute` runs all steps.
 */
export class UploadVersion {
  constructor(
    private readonly docs: DocStore,
    private readonly tokens: TokenRegistry,
    private readonly archives: Archives,
    private readonly limits: UploadLimits = DEFAULT_UPLOAD_LIMITS,
    /** Reports the free space when the store is on a disk. */
    private readonly disk?: Pick<LocalStore, 'freeBytes'>,
  ) {}

  /** Max. bytes of an archive. */
  get maxUploadBytes(): number {
    return this.limits.maxUploadBytes;
  }

  /** @throws Refusal `authentication_required` */
  authenticate(secret: string | undefined): TokenPolicy {
    return authenticate(this.tokens, secret);
  }

  /**
   * Checks that the disk has room for an upload.
   * @param declaredBytes size that the sender declares; 0 when it declares none
   * @throws Refusal `insufficient_storage`
   */
  async assertRoom(declaredBytes: number): Promise<void> {
    const free = await this.disk?.freeBytes();
    if (free !== undefined && free - declaredBytes < this.limits.minFreeBytes) {
      throw refuse.insufficientStorage();
    }
  }

  /**
   * Receives the archive into a staging, if its name and the token's policy allow it.
   * @param declaredBytes size that the sender declares, if any: checked before the first byte is read
   * @throws Refusal `invalid_filename`, `project_not_allowed`, `project_not_existing`, `version_exists`,
   *   `upload_too_large`, `insufficient_storage`
   */
  async receive(
    policy: TokenPolicy,
    fileName: string,
    content: AsyncIterable<Uint8Array>,
    declaredBytes = 0,
  ): Promise<ReceivedUpload> {
    const id = parseArchiveName(fileName);
    await this.assertAllowed(policy, id);
    const { maxUploadBytes } = this.limits;
    if (declaredBytes > maxUploadBytes) throw refuse.uploadTooLarge(maxUploadBytes, declaredBytes);
    const staging = await refusing(() => this.docs.stage());
    return this.discardingOnFailure(staging, async () => {
      this.archives.expect?.();
      const archive = await staging.receive(this.checkingSpace(content), maxUploadBytes);
      return { id, policy, staging, archive };
    });
  }

  /**
   * Checks, unpacks and publishes a received archive. Discards it on failure.
   * @throws Refusal `invalid_archive`, `archive_too_large`, `version_exists`, `insufficient_storage`
   */
  async publish({ id, policy, staging, archive }: ReceivedUpload, now = new Date()): Promise<UploadResult> {
    return this.discardingOnFailure(staging, async () => {
      const limits = { ...this.limits, roomBytes: await this.roomBytes() };
      const site = await staging.prepare(this.archives, limits);
      // Checked again: other uploads have written meanwhile, and files take whole blocks of the disk.
      await this.assertRoom(0);
      const publication = { id, publishedAt: now, archive, site, token: policy.name };
      const published = await this.docs
        .publish(staging, publication, { replace: policy.mayOverwrite })
        .catch((error: unknown) => {
          // Another upload of the same new version won: the store's refusal lacks the token's name.
          const lost =
            error instanceof Refusal && error.code === 'version_exists' && error.facts.token === '';
          throw lost ? refuse.versionExists(id.project, id.label, policy.name) : error;
        });
      const { version, replaced, docinfoProblem } = published;
      return { version, replaced, filesExtracted: site.files, hasIndex: site.hasIndex, docinfoProblem };
    });
  }

  /** Removes a received upload without publishing it. */
  async discard({ staging }: ReceivedUpload): Promise<void> {
    await staging.discard();
  }

  /** Authenticates, receives and publishes in one call. */
  async execute(upload: {
    readonly secret: string | undefined;
    readonly fileName: string;
    readonly content: AsyncIterable<Uint8Array>;
    readonly now?: Date;
  }): Promise<UploadResult> {
    const policy = this.authenticate(upload.secret);
    const received = await this.receive(policy, upload.fileName, upload.content);
    return this.publish(received, upload.now);
  }

  /** Passes the content on and checks the free space. @throws Refusal `insufficient_storage` */
  private async *checkingSpace(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes >= SPACE_CHECK_BYTES) {
        bytes = 0;
        await this.assertRoom(0);
      }
      yield chunk;
    }
  }

  /** Returns the bytes that an upload may use; undefined when the limit is off or the free space is unknown. */
  private async roomBytes(): Promise<number | undefined> {
    const { minFreeBytes } = this.limits;
    const free = minFreeBytes === 0 ? undefined : await this.disk?.freeBytes();
    return free === undefined ? undefined : Math.max(0, free - minFreeBytes);
  }

  private async assertAllowed(policy: TokenPolicy, id: VersionId): Promise<void> {
    const catalogue = this.docs.catalogue();
    const project = catalogue.project(id.project);
    const refusal = policy.whyNotUpload({
      project: id.project,
      label: id.label,
      projectExists: project !== undefined,
      versionExists: project?.version(id.label) !== undefined,
    });
    if (refusal !== undefined) throw refusal;
    if (!this.docs.foldsCase) return;
    const existing = catalogue.projects.flatMap(({ versions }) => versions);
    const spelling = whyNotSpelled(id, existing);
    if (spelling !== undefined) throw spelling;
  }

  private async discardingOnFailure<T>(staging: Staging, work: () => Promise<T>): Promise<T> {
    try {
      return await refusing(work);
    } catch (error) {
      await staging.discard();
      throw error;
    }
  }
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageRefusalOf(error) ?? error;
  }
}

/**
 * Returns sentences for people: the result of an upload, with remarks.
 * @param place the public address of the site
 */
export function describeUpload(
  { version, replaced, filesExtracted, hasIndex, docinfoProblem }: UploadResult,
  place = `/${version.directoryName}/`,
): string {
  const files = filesExtracted === 1 ? '1 file' : `${filesExtracted} files`;
  const sentences = [`${version.project} ${version.label} is published at ${place} with ${files}`];
  if (replaced) sentences.push('It replaces the version that was there');
  if (!hasIndex) sentences.push(`There is no index.html at its root, so ${place} shows a list of its files`);
  if (docinfoProblem !== undefined) sentences.push(`Its docinfo was ignored: ${docinfoProblem}`);
  return sentences.join('. ');
}
