import type { CatalogueChange } from '../../../application/index.js';
import {
  Catalogue,
  type MadeToken,
  madeTokenKey,
  type ProjectSettings,
  parseSettings,
  type Refusal,
  refuse,
  type VersionId,
  whyNotPublished,
} from '../../../domain/index.js';
import { madeTokenOf } from '../../../formats/api/tokens.js';
import { type Change, type Commit, type RevisionRecord, recordedId, versionOfRecord } from './commit.js';

/** A publication that was replaced or removed, and is not purged. */
export interface Removed {
  readonly record: RevisionRecord;
  /** Time of the commit, in milliseconds since 1970. */
  readonly at: number;
  readonly isReplaced: boolean;
  /** Whether its archive has been published again, under another revision. */
  readonly isRestored?: boolean;
}

/** The state of a store after a number of commits. */
export class StoreState {
  private current = Catalogue.empty;
  /** Records of the published versions, by revision. */
  private readonly published = new Map<string, RevisionRecord>();
  /** Revisions of the published versions, by directory name. */
  private readonly revisions = new Map<string, string>();
  private readonly removals = new Map<string, Removed>();
  /** Bytes of the archives of `removals`, by project. Undefined: a commit came since they were added up. */
  private removedBytes: ReadonlyMap<string, number> | undefined;
  /** Versions that have changed since `current` was made: a start applies thousands of commits at once. */
  private readonly changed = new Map<string, VersionId>();
  /** Settings that have changed since `current` was made. */
  private readonly changedSettings = new Map<string, ProjectSettings>();

  /** Tokens that others have made, by their keys. A new map after each change. */
  tokens: ReadonlyMap<string, MadeToken> = new Map();

  private constructor(
    /** Number of the last commit; 0 before the first one. */
    public number: number,
    /** Nonce of the last commit; empty before the first one. */
    public nonce: string,
    /** Whether projects may be private, so that who does not know the rules must show nothing. */
    public hasPrivate = false,
  ) {}

  static empty(): StoreState {
    return new StoreState(0, '');
  }

  static of(
    number: number,
    nonce: string,
    records: Iterable<RevisionRecord>,
    removed: Iterable<Removed>,
    settings: Iterable<readonly [string, ProjectSettings]> = [],
    hasPrivate = false,
    tokens: readonly MadeToken[] = [],
  ): StoreState {
    const state = new StoreState(number, nonce, hasPrivate);
    state.tokens = new Map(tokens.map((token) => [madeTokenKey(token), token]));
    for (const record of records) state.add(record);
    const come = [...state.published.values()].map(versionOfRecord);
    state.current = Catalogue.empty.changed({ come, settings });
    for (const each of removed) state.removals.set(each.record.revision, each);
    return state;
  }

  get catalogue(): Catalogue {
    if (this.changed.size > 0 || this.changedSettings.size > 0) {
      const ids = [...this.changed];
      const settings = [...this.changedSettings];
      this.changed.clear();
      this.changedSettings.clear();
      const records = ids.map(([name]) => this.published.get(this.revisions.get(name) ?? ''));
      this.current = this.current.changed({
        come: records.flatMap((record) => (record === undefined ? [] : [versionOfRecord(record)])),
        gone: ids.flatMap(([, id], index) => (records[index] === undefined ? [id] : [])),
        settings,
      });
    }
    return this.current;
  }

  get records(): Iterable<RevisionRecord> {
    return this.published.values();
  }

  /** Number of published versions. */
  get size(): number {
    return this.published.size;
  }

  /** Publications that were replaced or removed and are not purged, by revision. */
  get removed(): ReadonlyMap<string, Removed> {
    return this.removals;
  }

  /** Returns the bytes of the archives of a project that were replaced or removed, and are not purged. */
  removedBytesOf(project: string): number {
    this.removedBytes ??= bytesByProject(this.removals.values());
    return this.removedBytes.get(project) ?? 0;
  }

  isPublished(revision: string): boolean {
    return this.published.has(revision);
  }

  /** Whether objects of this revision are in use, or may be. */
  isKnown(revision: string): boolean {
    return this.published.has(revision) || this.removals.has(revision);
  }

  /** Applies the commit after the last one. */
  apply({ nonce, at, change }: Commit): CatalogueChange {
    this.number += 1;
    this.nonce = nonce;
    this.removedBytes = undefined;
    if (change.kind === 'purge') {
      for (const revision of change.revisions) this.removals.delete(revision);
      return { came: [], gone: [], settings: [] };
    }
    if (change.kind === 'privacy') {
      this.hasPrivate = change.isOn;
      return { came: [], gone: [], settings: [] };
    }
    if (change.kind === 'tokens') {
      const set = change.set.map(madeTokenOf).map((token) => [madeTokenKey(token), token] as const);
      const revoked = new Set(change.revoked.map(madeTokenKey));
      this.tokens = new Map([...this.tokens, ...set].filter(([key]) => !revoked.has(key)));
      return { came: [], gone: [], settings: [] };
    }
    if (change.kind === 'settings') {
      const { project } = change;
      const before = this.changedSettings.get(project) ?? this.current.settingsOf(project);
      const after = parseSettings(project, change.settings);
      this.changedSettings.set(project, after);
      return { came: [], gone: [], settings: [{ project, before, after }] };
    }
    const id = recordedId(change.kind === 'publish' ? change.record : change);
    const { directoryName } = id;
    const before = this.published.get(this.revisions.get(directoryName) ?? '');
    if (before !== undefined) {
      this.published.delete(before.revision);
      this.revisions.delete(directoryName);
      const isReplaced = change.kind === 'publish';
      this.removals.set(before.revision, { record: before, at: Date.parse(at), isReplaced });
    }
    const restored = this.removals.get((change.kind === 'publish' && change.restores) || '');
    if (restored !== undefined)
      this.removals.set(restored.record.revision, { ...restored, isRestored: true });
    if (change.kind === 'publish') this.add(change.record);
    this.changed.set(directoryName, id);
    return {
      came: change.kind === 'publish' ? [versionOfRecord(change.record)] : [],
      gone: before === undefined ? [] : [versionOfRecord(before)],
      settings: [],
    };
  }

  private add(record: RevisionRecord): void {
    this.published.set(record.revision, record);
    this.revisions.set(recordedId(record).directoryName, record.revision);
  }
}

function bytesByProject(removed: Iterable<Removed>): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  for (const { record } of removed)
    bytes.set(record.project, (bytes.get(record.project) ?? 0) + record.archive.size);
  return bytes;
}

export interface PublicationOptions {
  readonly replace: boolean;
  /** Revision of the removed publication that this one restores. */
  readonly restores?: string;
}

/** Decides on the commit of a publication whose objects are in the store, unless it is so late that they may be swept. */
export function decidePublication(
  { catalogue, removed }: Pick<StoreState, 'catalogue' | 'removed'>,
  record: RevisionRecord,
  { replace, restores }: PublicationOptions,
  isTooLate: boolean,
): Extract<Change, { readonly kind: 'publish' }> | Refusal {
  const id = recordedId(record);
  // It may have been purged, or restored by another node, while it was put.
  const removal = removed.get(restores ?? '');
  if (restores !== undefined && (removal === undefined || removal.isRestored)) {
    return refuse.notRestorable(id.project, id.label);
  }
  if (isTooLate) return refuse.storageUnavailable({}, 'The object store');
  const refusal = whyNotPublished(catalogue, id, replace);
  if (refusal !== undefined) return refusal;
  const replaces = catalogue.version(id.directoryName)?.revision;
  return {
    kind: 'publish',
    record,
    ...(replaces === undefined ? {} : { replaces }),
    ...(restores === undefined ? {} : { restores }),
  };
}
