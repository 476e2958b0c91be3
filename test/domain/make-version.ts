import type { KnownRecord, Version } from '../../src/domain/index.js';

/** Facts of a version and of its record that matter to a test. */
export type Facts = Partial<Pick<Version, 'directoryName' | 'revision' | 'origin'>> & {
  readonly [Field in keyof KnownRecord]?: KnownRecord[Field] | undefined;
};

/** A version with only what a test cares about; uploaded on the first of January 2026 unless it says otherwise. */
export function makeVersion(project: string, label: string, more: Facts = {}): Version {
  const { directoryName = `${project}-${label}`, origin = 'upload', ...facts } = more;
  const {
    revision = `${directoryName}.1`,
    publishedAt = new Date('2026-01-01T00:00:00Z'),
    ...record
  } = facts;
  return {
    project,
    label,
    directoryName,
    revision,
    origin,
    record: { ...(record as KnownRecord), publishedAt },
  };
}

/** A preview with only what a test cares about, which never expires unless it says otherwise. */
export function makePreview(project: string, name: string, more: Facts = {}): Version {
  const directoryName = `${project}~${name}`;
  return makeVersion(project, name, { directoryName, ...more });
}
