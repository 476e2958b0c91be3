import {
  type Actor,
  archiveNameOf,
  counted,
  describeName,
  isPreview,
  minuteOf,
  type Project,
  parseArchiveName,
  parseLifetime,
  previewMeantBy,
  Refusal,
  refuse,
  type SiteWarning,
  sourceToldBy,
  type ToldSource,
  type Version,
  type VersionId,
  versionOf,
  whyNotPublished,
  whyNotSpelled,
} from '../../domain/index.js';
import type { Changes } from '../changes.js';
import { within } from '../concurrency.js';
import type { CheckLinks, UploadedLinks } from '../links/check-links.js';
import { type HostOfSites, MAIN_HOST } from '../pages/site-addresses.js';
import type { ArchiveContent, Archives } from '../ports/archives.js';
import type { DocReader, ReceivedArchive, Staging } from '../ports/doc-store.js';
import type { LocalStore } from '../ports/store-abilities.js';
import { perhapsAPreview, siteWarnings } from './site-warnings.js';
import { DEFAULT_PREVIEW_MS, DEFAULT_UPLOAD_LIMITS, freeRoom, type UploadLimits } from './upload-limits.js';

/** Bytes received between two checks of the free disk space. */
const SPACE_CHECK_BYTES = 64 * 1024 * 1024;
/** Max. time that an upload waits for links of the release before, unless it is strict about links, in milliseconds. */
const MAX_COMPARING_MS = 8_000;

/** A completely received archive that is not yet checked or published. */
export interface ReceivedUpload {
  readonly id: VersionId;
  readonly actor: Actor;
  readonly staging: Staging;
  readonly archive: ReceivedArchive;
}

export interface UploadResult {
  readonly version: Version;
  readonly replaced: boolean;
  /** Findings in the archive. */
  readonly content: ArchiveContent;
  readonly warnings: readonly SiteWarning[];
  /** Undefined where links were not checked. */
  readonly links?: UploadedLinks | undefined;
}

export interface PublishOptions {
  readonly publishedAt?: Date;
  /** Lifetime of a preview, such as `14d`. */
  readonly expires?: string | undefined;
  /** Whether a site with warnings is refused. */
  readonly strict?: boolean;
  /** Whether a site is refused that has dead links which the release before does not have. */
  readonly strictLinks?: boolean;
  /** Source that the site was built from, as the client tells; the claims of a job win. */
  readonly source?: ToldSource | undefined;
  /** Form of the addresses of sites, which decides whether a site finds its own files. @default without hosts and base path */
  readonly at?: HostOfSites;
  /** Whether the actor may learn of a project. @default of each */
  readonly mayKnowOf?: (project: string) => boolean;
}

/**
 * Use case: publishes an uploaded archive as a version of a project. A server calls the steps one by one: the first
 * checks the file name before it reads the file. `execute` runs both.
 */
export class UploadVersion {
  constructor(
    private readonly docs: DocReader,
    private readonly changes: Pick<Changes, 'stage' | 'publish'>,
    private readonly archives: Archives,
    private readonly limits: UploadLimits = DEFAULT_UPLOAD_LIMITS,
    /** Reports the free space when the store is on a disk. */
    private readonly disk?: Pick<LocalStore, 'freeBytes'>,
    /** Lifetime of a preview whose upload names none, in milliseconds; 0 keeps such previews. */
    private readonly previewMs = DEFAULT_PREVIEW_MS,
    /** Without it, links are not checked. */
    private readonly checkLinks?: Pick<CheckLinks, 'compare' | 'keep'>,
  ) {}

  /** Max. bytes of an archive. */
  get maxUploadBytes(): number {
    return this.limits.maxUploadBytes;
  }

  /**
   * Checks that the disk has room for an upload, unless `minFreeBytes` is 0.
   * @param declaredBytes size that the sender declares; 0 when it declares none
   * @throws Refusal `insufficient_storage`
   */
  async assertRoom(declaredBytes: number): Promise<void> {
    const { minFreeBytes } = this.limits;
    const free = minFreeBytes === 0 ? undefined : await this.disk?.freeBytes();
    if (free !== undefined && free - declaredBytes < minFreeBytes) throw refuse.insufficientStorage();
  }

  /**
   * Receives the archive into a staging, if its name and the actor's policy allow it.
   * @param declaredBytes size that the sender declares, if any: checked before the first byte is read
   * @throws Refusal `invalid_filename`, `project_not_allowed`, `version_not_allowed`, `project_not_existing`,
   *   `version_exists`, `name_taken`, `upload_too_large`, `insufficient_storage`
   */
  async receive(
    actor: Actor,
    fileName: string,
    content: AsyncIterable<Uint8Array>,
    declaredBytes = 0,
  ): Promise<ReceivedUpload> {
    const id = parseArchiveName(fileName);
    await this.assertAllowed(actor, id);
    const { maxUploadBytes } = this.limits;
    if (declaredBytes > maxUploadBytes) throw refuse.uploadTooLarge(maxUploadBytes, declaredBytes);
    const staging = await this.changes.stage();
    return this.discardingOnFailure(staging, async () => {
      this.archives.expect?.();
      const archive = await staging.receive(this.checkingSpace(content), maxUploadBytes);
      return { id, actor, staging, archive };
    });
  }

  /**
   * Checks, unpacks and publishes a received archive. Discards it on failure.
   * @throws Refusal `invalid_request` for a wrong `expires` or `source`, `invalid_archive`, `archive_too_large`, `site_has_warnings`,
   *   `dead_links`, `version_exists`, `name_taken`, `insufficient_storage`
   */
  async publish(
    { id, actor, staging, archive }: ReceivedUpload,
    options: PublishOptions = {},
  ): Promise<UploadResult> {
    const { publishedAt = new Date(), expires, strict, strictLinks = false } = options;
    const { at = MAIN_HOST, mayKnowOf = () => true } = options;
    return this.discardingOnFailure(staging, async () => {
      const expiresAt = this.endOf(id, publishedAt, expires);
      const source = actor.source ?? sourceToldBy(options.source ?? {});
      const limits = { ...this.limits, roomBytes: await freeRoom(this.disk, this.limits.minFreeBytes) };
      const content = await staging.prepare(
        this.checkLinks ? withLinks(this.archives) : this.archives,
        limits,
      );
      // Checked again: other uploads have written meanwhile, and files take whole blocks of the disk.
      await this.assertRoom(0);
      const end = expiresAt === undefined ? {} : { expiresAt };
      const maker = actor.maker === undefined ? {} : { maker: actor.maker };
      const from = source === undefined ? {} : { source };
      const found = { ...end, publishedAt, archive, ...content.facts, token: actor.name, ...maker, ...from };
      const staged = versionOf(id, '', found);
      const seen = this.docs.catalogue().changed({ come: [staged] });
      const site = { project: seen.project(id.project), version: staged };
      const about = siteWarnings(content, site, seen, at);
      const warnings = [...this.warningsAboutName(id, mayKnowOf), ...about];
      if (strict === true && warnings.length > 0) throw refuse.siteHasWarnings(describeName(id), warnings);
      const links = await this.comparedLinks(content, site, strictLinks);
      if (strictLinks && links !== undefined && links.new > 0) {
        throw refuse.deadLinks(describeName(id), links.new, links.first);
      }
      // Readers may not know of the other project that the warning about its name tells of.
      const record = about.length === 0 ? found : { ...found, warnings: about };
      const { version, replaced } = await this.changes.publish(
        { actor, now: new Date(), reason: 'upload' },
        staging,
        { id, record },
        { replace: actor.policy.mayOverwrite || isPreview(id) },
      );
      if (content.links !== undefined) await this.checkLinks?.keep(version, content.links);
      return { version, replaced, content, warnings, links };
    });
  }

  /** Removes a received upload without publishing it. */
  async discard({ staging }: ReceivedUpload): Promise<void> {
    await staging.discard();
  }

  /** Receives and publishes in one call. */
  async execute(
    upload: PublishOptions & {
      readonly actor: Actor;
      readonly fileName: string;
      readonly content: AsyncIterable<Uint8Array>;
    },
  ): Promise<UploadResult> {
    const received = await this.receive(upload.actor, upload.fileName, upload.content);
    return this.publish(received, upload);
  }

  /**
   * Returns undefined where links are not checked, too much waits, or it takes long, unless it is needed.
   * @throws Refusal `unavailable` where it is needed, and too much waits
   */
  private async comparedLinks(
    { links }: ArchiveContent,
    { project, version }: { readonly project: Project | undefined; readonly version: Version },
    isNeeded: boolean,
  ): Promise<UploadedLinks | undefined> {
    const compared = links && this.checkLinks?.compare(links, version, project);
    try {
      return await (isNeeded ? compared : within(MAX_COMPARING_MS, compared));
    } catch (error) {
      if (isNeeded || !(error instanceof Refusal)) throw error;
      return undefined;
    }
  }

  /** Warns of a new project that is called like a preview of another one. */
  private warningsAboutName(id: VersionId, mayKnowOf: (project: string) => boolean): readonly SiteWarning[] {
    const catalogue = this.docs.catalogue();
    if (isPreview(id) || catalogue.project(id.project) !== undefined) return [];
    const meant = previewMeantBy(id, (name) => catalogue.project(name) !== undefined && mayKnowOf(name));
    return meant === undefined ? [] : [perhapsAPreview(id, meant)];
  }

  /** Returns the end of an upload that is a preview, if it has one. @throws Refusal `invalid_request` */
  private endOf(id: VersionId, publishedAt: Date, expires: string | undefined): Date | undefined {
    if (!isPreview(id)) {
      if (expires === undefined) return undefined;
      throw refuse.lifetimeOfVersion(archiveNameOf(id.directoryName));
    }
    const ms = expires === undefined ? this.previewMs : parseLifetime(expires);
    if (ms === undefined) throw refuse.invalidLifetime(expires ?? '');
    return ms === 0 ? undefined : new Date(publishedAt.getTime() + ms);
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

  private async assertAllowed({ policy }: Actor, id: VersionId): Promise<void> {
    const catalogue = this.docs.catalogue();
    const project = catalogue.project(id.project);
    const refusal = policy.whyNotUpload({
      project: id.project,
      label: id.label,
      projectExists: project !== undefined,
      isPreview: isPreview(id),
      // Each upload of a preview replaces it.
      versionExists: !isPreview(id) && project?.version(id.label) !== undefined,
    });
    if (refusal !== undefined) throw refusal;
    // Whether it may be replaced, the policy has said.
    const taken = whyNotPublished(catalogue, id, true);
    if (taken !== undefined) throw taken;
    if (!this.docs.foldsCase) return;
    const spelling = whyNotSpelled(id, [...catalogue.all()]);
    if (spelling !== undefined) throw spelling;
  }

  private async discardingOnFailure<T>(staging: Staging, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await staging.discard();
      throw error;
    }
  }
}

/** The same archives, which also check links. */
function withLinks(archives: Archives): Pick<Archives, 'unpack' | 'index'> {
  return {
    unpack: (request) => archives.unpack({ ...request, readsLinks: true }),
    index: (archiveFile, limits) => archives.index(archiveFile, limits, true),
  };
}

/** Returns a sentence about an upload for people. @param place address of the site */
export function describeUpload(
  { version, replaced, content }: UploadResult,
  place = `/${version.directoryName}/`,
): string {
  const { expiresAt } = version.record;
  const until = expiresAt === undefined ? '' : `, until ${minuteOf(expiresAt)}`;
  const files = counted(content.facts.site.files, 'file');
  const before = replaced ? `; replaced the existing ${isPreview(version) ? 'preview' : 'version'}` : '';
  return `Published ${describeName(version)} at ${place} with ${files}${until}${before}`;
}
