import { isDeepStrictEqual } from 'node:util';
import { MAX_FAULTS } from '../../../application/index.js';
import { type Commit, type RevisionRecord, recordedId, UnknownFormat } from '../log/commit.js';
import type { CommitLog } from '../log/commit-log.js';
import { StoreState } from '../log/store-state.js';

/** Commits that are read at once. */
const MAX_READ_AT_ONCE = 32;

/** Reads the log commit by commit, and notes those that are missing, not understood, or do not follow from those before. */
export class LogReplay {
  /** Sentences about the log; empty when there is nothing wrong with it. */
  readonly faults: string[] = [];
  /** Revisions that a commit names, also after a fault. */
  readonly named = new Set<string>();
  /** Nonce of the commit that was read last; undefined when it was missing. */
  nonce: string | undefined;
  /** Revisions of the published versions, by directory name, as the commits tell. */
  private readonly published = new Map<string, string>();
  /** Number of the commit that was read last. */
  private read: number;

  /** @param state to begin with; the empty one for the whole log */
  constructor(
    private readonly log: CommitLog,
    readonly state = StoreState.empty(),
  ) {
    this.read = state.number;
    for (const record of state.records) {
      this.published.set(recordedId(record).directoryName, record.revision);
    }
    this.nonce = state.nonce;
  }

  /** Whether `state` is what the commits read so far make of it. After a fault, no commit can be applied. */
  get isComplete(): boolean {
    return this.faults.length === 0;
  }

  /** Notes what is wrong with the log. */
  note(fault: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
  }

  /** Reads all commits up to this number, whether or not they are there. @throws StoreError */
  async readTo(last: number, signal?: AbortSignal): Promise<void> {
    while (this.read < last) {
      signal?.throwIfAborted();
      const count = Math.min(MAX_READ_AT_ONCE, last - this.read);
      const numbers = Array.from({ length: count }, (_, index) => this.read + 1 + index);
      const commits = await Promise.all(numbers.map((number) => this.commit(number)));
      for (const [index, commit] of commits.entries()) this.take(commit, numbers[index] ?? 0);
    }
  }

  /** Reads further commits until there is none. @throws StoreError */
  async follow(): Promise<void> {
    while (this.isComplete) {
      const commit = await this.commit(this.read + 1);
      if (commit === undefined) return;
      this.take(commit, this.read + 1);
    }
  }

  private async commit(number: number): Promise<Commit | UnknownFormat | undefined> {
    return this.log.read(number).catch((error: unknown) => {
      if (error instanceof UnknownFormat) return error;
      throw error;
    });
  }

  private take(commit: Commit | UnknownFormat | undefined, number: number): void {
    const before = this.nonce;
    this.read = number;
    this.nonce = undefined;
    if (commit === undefined || commit instanceof UnknownFormat) {
      this.note(commit?.message ?? `commit ${number} is missing`);
      return;
    }
    if (before !== undefined && commit.previous !== before) {
      this.note(
        `commit ${number} does not follow commit ${number - 1}: a missing commit was filled in, or the log was replaced`,
      );
    }
    this.nonce = commit.nonce;
    this.compare(commit, number);
    if (this.isComplete) this.state.apply(commit);
  }

  /** Compares what a commit changes with what the commits before it have made. */
  private compare({ change }: Commit, number: number): void {
    if (change.kind === 'settings' || change.kind === 'privacy' || change.kind === 'tokens') return;
    if (change.kind === 'purge') {
      for (const revision of change.revisions) this.named.add(revision);
      return;
    }
    const isNew = change.kind === 'publish';
    const { directoryName: name } = recordedId(isNew ? change.record : change);
    const wanted = isNew ? change.replaces : change.revision;
    const found = this.published.get(name);
    if (found !== wanted) {
      this.note(
        wanted === undefined
          ? `commit ${number} publishes ${name} as new, but it is published: the commit that removed it is lost`
          : `commit ${number} ${isNew ? 'replaces' : 'removes'} a publication of ${name} that does not exist: the commit that published it is lost`,
      );
    }
    if (wanted !== undefined) this.named.add(wanted);
    if (!isNew) {
      this.published.delete(name);
      return;
    }
    this.named.add(change.record.revision);
    this.published.set(name, change.record.revision);
  }
}

/** Compares a snapshot with the state that the log has after the same commit. @returns a sentence for each difference */
export function snapshotFaults(snapshot: StoreState, fromLog: StoreState): readonly string[] {
  const [found, wanted] = [byRevision(snapshot), byRevision(fromLog)];
  const faults: string[] = [];
  for (const [revision, record] of wanted) {
    const { directoryName: name } = recordedId(record);
    const stored = found.get(revision);
    if (stored === undefined) faults.push(`it lacks a publication of ${name} that is in the log`);
    else if (!isDeepStrictEqual(stored, record)) faults.push(`its record of ${name} differs from the log`);
  }
  for (const [revision, record] of found) {
    if (!wanted.has(revision))
      faults.push(`it has a publication of ${recordedId(record).directoryName} that is not in the log`);
  }
  if (!isDeepStrictEqual(snapshot.removed, fromLog.removed)) {
    faults.push('its replaced and removed publications differ from the log');
  }
  if (!isDeepStrictEqual(snapshot.catalogue.settings, fromLog.catalogue.settings)) {
    faults.push('its settings of projects differ from the log');
  }
  if (snapshot.hasPrivate !== fromLog.hasPrivate) {
    faults.push('it differs from the log on whether there are private projects');
  }
  if (!isDeepStrictEqual(snapshot.tokens, fromLog.tokens)) {
    faults.push('its tokens created by tokens differ from the log');
  }
  return faults.slice(0, MAX_FAULTS);
}

/** The publications of a snapshot that no commit names: those commits are missing. @returns a sentence for each */
export function lostPublications(
  snapshot: StoreState,
  isNamed: (revision: string) => boolean,
): readonly string[] {
  const known = [...snapshot.records, ...[...snapshot.removed.values()].map(({ record }) => record)];
  return known
    .filter(({ revision }) => !isNamed(revision))
    .map((record) => `a commit is missing: the one that published ${recordedId(record).directoryName}`);
}

function byRevision(state: StoreState): ReadonlyMap<string, RevisionRecord> {
  return new Map([...state.records].map((record) => [record.revision, record]));
}
