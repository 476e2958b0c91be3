import { isDeepStrictEqual } from 'node:util';
import { MAX_FAULTS } from '../../../application/index.js';
import { type RevisionRecord, recordedId } from '../log/commit.js';
import type { StoreState } from '../log/store-state.js';

/** Compares a snapshot with the state that the log has after the same commit. @returns a sentence for each difference */
export function snapshotFaults(snapshot: StoreState, fromLog: StoreState): readonly string[] {
  const [found, wanted] = [byRevision(snapshot), byRevision(fromLog)];
  const faults: string[] = [];
  for (const [revision, record] of wanted) {
    const { directoryName: name } = recordedId(record);
    const stored = found.get(revision);
    if (stored === undefined) faults.push(`it lacks a publication of ${name} that is in the log`);
    else if (!isDeepStrictEqual(stored, record)) faults.push(`it has another record of ${name} than the log`);
  }
  for (const [revision, record] of found) {
    if (!wanted.has(revision))
      faults.push(`it has a publication of ${recordedId(record).directoryName} that the log has not`);
  }
  if (!isDeepStrictEqual(snapshot.removed, fromLog.removed)) {
    faults.push('it has other replaced and removed publications than the log');
  }
  if (!isDeepStrictEqual(snapshot.catalogue.settings, fromLog.catalogue.settings)) {
    faults.push('it has other settings of projects than the log');
  }
  if (snapshot.hasPrivate !== fromLog.hasPrivate) {
    faults.push('it says otherwise than the log whether there are private projects');
  }
  if (!isDeepStrictEqual(snapshot.tokens, fromLog.tokens)) {
    faults.push('it has other made tokens than the log');
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
    .map((record) => `the commit is missing that published ${recordedId(record).directoryName}`);
}

function byRevision(state: StoreState): ReadonlyMap<string, RevisionRecord> {
  return new Map([...state.records].map((record) => [record.revision, record]));
}
