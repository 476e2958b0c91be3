import type {
  Catalogue,
  ClockVerdict,
  MadeToken,
  ProjectSettings,
  PublicationRecord,
  Version,
  VersionId,
} from '../../domain/index.js';
import type { ArchiveContent, ArchiveLimits, Archives } from './archives.js';
import type { Sites } from './sites.js';

/** Size and hash of a received archive. */
export interface ReceivedArchive {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** An upload that is being received and checked. Readers do not see it. */
export interface Staging {
  /**
   * Writes and hashes the archive as a stream, in constant memory.
   * @throws Refusal `upload_too_large` as soon as more than `maxBytes` have arrived
   */
  receive(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedArchive>;
  /**
   * Checks the received archive and prepares its site for publication: unpacks or indexes it, as the store serves it.
   * @throws the refusals of `Archives.unpack`
   */
  prepare(archives: Pick<Archives, 'unpack' | 'index'>, limits: ArchiveLimits): Promise<ArchiveContent>;
  /** Removes all staged files. Safe to call more than once, and after `publish`. */
  discard(): Promise<void>;
}

/** The record to publish with a staged site. */
export interface Publication {
  readonly id: VersionId;
  readonly record: PublicationRecord;
}

export interface Published {
  readonly version: Version;
  /** Whether a version of the same name existed before. */
  readonly replaced: boolean;
}

interface ConfirmOption {
  /**
   * Called with the newest state right before the removal, perhaps more than once: throws when the version has to stay.
   * No settings of the project change in between.
   */
  readonly confirm?: (catalogue: Catalogue) => void;
}

interface OnePublication {
  /** Removes only this publication. */
  readonly revision?: string;
  readonly purge?: never;
}

interface ForGood {
  readonly revision?: never;
  /**
   * Deletes archive and files for good, and those of earlier publications of the version: at once, or after the seconds
   * that readers need to open what they have found. The version may have been removed before.
   */
  readonly purge?: boolean;
}

export type RemoveOptions = ConfirmOption & (OnePublication | ForGood);

export interface RestoreOptions {
  readonly replace: boolean;
  /** The new end of a preview; undefined when it has none. */
  readonly expiresAt?: Date | undefined;
  /** Max. bytes that the store may write to its disk; see `ArchiveLimits`. */
  readonly roomBytes?: number | undefined;
}

/** A publication that was removed or replaced, and can be restored. A preview is one only when it had come to its end. */
export interface Removal {
  /** The revision of a copied-in directory is another one than before. */
  readonly version: VersionId & Pick<Version, 'revision'>;
  /** Never before the last time that the store knows, although the clock may have been behind. */
  readonly removedAt: Date;
  /** Whether another publication of the version took its place. */
  readonly isReplaced: boolean;
  /** From then on it is deleted. */
  readonly expiresAt: Date;
}

/** The same with the version as it was. */
export interface RemovedVersion extends Removal {
  readonly version: Version;
}

/** The difference between two catalogues. A replaced version is in both lists, with two revisions. */
export interface CatalogueChange {
  readonly came: readonly Version[];
  readonly gone: readonly Version[];
  readonly settings: readonly SettingsChange[];
}

/** A change of one project's settings. */
export interface SettingsChange {
  readonly project: string;
  readonly before: ProjectSettings;
  readonly after: ProjectSettings;
}

/**
 * Decides on the settings of a project: returns them, the same ones for no change, or throws a Refusal.
 * @param catalogue the newest state, with the settings as they are
 */
export type SettingsDecision = (catalogue: Catalogue) => ProjectSettings;

/** Max. delay until a store sees the changes of another process or node, in milliseconds. */
export const FRESHNESS_MS = 2_000;

/** Published versions, and removed or replaced ones that can be restored. */
export interface Catalogues {
  /**
   * Whether the storage ignores case: `Readme` and `README` are the same name. Such a store refuses what
   * `whyNotSpelled` refuses.
   */
  readonly foldsCase: boolean;

  /**
   * Returns everything published, expired previews included, from memory: own changes at once, other processes' within
   * `FRESHNESS_MS`. Returns the same object while nothing changes.
   * @throws Refusal `unavailable` when the last attempt to reach the storage failed
   */
  catalogue(): Catalogue;

  /**
   * Calls a listener after each change of `catalogue()`, also by other processes. Listeners are called in turn and must
   * not throw.
   * @returns a function that ends the subscription
   */
  subscribe(listener: (change: CatalogueChange) => void): () => void;

  /** Returns what was removed or replaced and can be restored, newest removal first. */
  removed(): Promise<readonly RemovedVersion[]>;

  /**
   * Returns the same without records, which takes no longer for thousands of publications. After a crash, it may have one that is
   * still published.
   */
  removals(): Promise<readonly Removal[]>;
}

/** A store for `Changes`, which alone changes what is published, settings, and the tokens that others have made. */
export interface DocWriter {
  /** Creates the staging for one upload. */
  stage(): Promise<Staging>;

  /**
   * Makes a staged site visible. Once it returns, the version survives a power cut.
   * @throws Refusal `name_taken` when an alias has the address of a new version; `version_exists` when the version exists
   *   and `replace` is false; if the store folds case, also the refusals of `whyNotSpelled`, and `unavailable` while another
   *   spelling is being changed. The staging is kept then.
   */
  publish(
    staging: Staging,
    publication: Publication,
    options: { readonly replace: boolean },
  ): Promise<Published>;

  /**
   * Removes a version or a preview.
   * @throws Refusal `project_not_found`, `version_not_found` or `preview_not_found`, also when it has another revision;
   *   what `confirm` throws; with it also `unavailable` when the stored settings are damaged
   */
  remove(id: VersionId, options?: RemoveOptions): Promise<void>;

  /**
   * Publishes a removed publication again: archive, site and record are as they were, the revision is new, and the record
   * has `restored` until it is published anew. A copied-in directory is put back, and a preview gets a new end. The
   * publication then is no longer among the removed ones.
   * @throws Refusal `version_not_found` when it cannot be restored any more; `version_exists` when the version exists
   *   and `replace` is false, and for a copied-in directory always
   */
  restore(removed: RemovedVersion, options: RestoreOptions): Promise<Published>;

  /**
   * Changes the settings of a project, which need not have versions. Once it returns, the change survives a power cut.
   * Removing versions leaves settings as they are.
   * @param decide is called with the newest state, and again when another process or node was faster: no change is lost
   * @throws what `decide` throws; Refusal `unavailable`, also when the stored settings are damaged
   */
  changeSettings(project: string, decide: SettingsDecision): Promise<void>;

  /**
   * Changes the tokens that others have made, whole or not at all. Once it returns, the change survives a power cut.
   * @param decide is called with the newest state, and again when another process or node was faster: no change is lost
   * @throws what `decide` throws; Refusal `unavailable`, also when they are damaged
   */
  changeMadeTokens(decide: TokensDecision): Promise<void>;
}

/**
 * Decides on the tokens that others have made: returns all of them, the same list for no change, or throws a Refusal.
 * @param tokens all that there are, as the storage has them now
 */
export type TokensDecision = (tokens: readonly MadeToken[]) => readonly MadeToken[];

/** The tokens that others have made. They are a part of the store, so that each node knows them. */
export interface MadeTokens {
  /**
   * Returns all of them: own changes at once, other processes' within `FRESHNESS_MS`.
   * @throws Refusal `unavailable`, also when they are damaged
   */
  madeTokens(): Promise<readonly MadeToken[]>;
}

/** Options of `clearUp`. */
export interface ClearUpOptions {
  /** Whether to delete as well what one round leaves for later, since it is a lot. @default false: it is left and reported */
  readonly all?: boolean;
}

/** Maintenance of a store by a server. */
export interface Upkeep {
  /**
   * Judges the clock of this machine, as far as the storage knows. A store may write down the time of one that it believes.
   * @param uptimeMs time since the start of the server, by a monotonic clock; undefined for a command that ends by itself,
   *   for which nothing is written down
   * @throws Refusal `unavailable` when the storage is out of reach
   */
  judgeClock(now: Date, uptimeMs: number | undefined): Promise<ClockVerdict>;

  /**
   * Deletes what was removed or replaced and has been kept long enough, as much of it as one round may (`maxInRound`), and
   * what no publication has any more. A server does this once an hour; safe for several processes and nodes at once.
   * @param options.all removes also what one round leaves for later
   * @returns how many publications were left for later
   */
  clearUp(now: Date, options?: ClearUpOptions): Promise<number>;

  /** Stops background work and waits for its end. Safe to call twice. */
  close(): Promise<void>;
}

/** A store for those who read it. */
export interface DocReader extends Catalogues, Sites, MadeTokens {}

/**
 * Port for the store of published sites. Every adapter keeps these promises, which `test/contracts/doc-store.ts`
 * checks:
 *
 * - A version becomes visible all at once: a reader sees all of it or nothing, and during a replacement the
 *   old one or the new one, never a mixture.
 * - A failed publication, whatever the reason, leaves the previous state and no files behind.
 * - Every publication gives the version a new `revision`; no revision is ever used twice.
 * - If two uploads publish one new version without `replace`, one wins and one is refused.
 * - Sites and archives read back byte for byte.
 * - Removing `a` does not touch `a-b`. Removing the last version removes the project.
 * - A preview is published, replaced, read and removed like a version, beside all versions of its project. The store
 *   keeps its end, and does nothing when that has come.
 * - An open file can be read to its end, whatever is published or removed meanwhile.
 * - A project's settings change whole or not at all, one change after the other; so do the tokens that others have made.
 * - A version that is removed without `purge`, or replaced, can be restored as long as the store keeps it; that is a
 *   setting of the store. Previews can be restored only if they are removed after their end, for a day at most.
 * - A second store over the same data sees the same state, within `FRESHNESS_MS`.
 * - An operation that fails because the storage is full or out of reach is refused: `insufficient_storage`, `unavailable`.
 */
export interface DocStore extends DocReader, DocWriter, Upkeep {}
