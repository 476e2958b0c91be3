import type { Version } from '../../src/domain/index.js';

/** A version with only what a test cares about; uploaded on the first of January 2026 unless it says otherwise. */
export function makeVersion(project: string, label: string, more: Partial<Version> = {}): Version {
  return {
    project,
    label,
    directoryName: `${project}-${label}`,
    revision: `${project}-${label}.1`,
    publishedAt: new Date('2026-01-01T00:00:00Z'),
    origin: 'upload',
    ...more,
  };
}

/** A preview with only what a test cares about, which never expires unless it says otherwise. */
export function makePreview(project: string, name: string, more: Partial<Version> = {}): Version {
  const directoryName = `${project}~${name}`;
  return makeVersion(project, name, { directoryName, revision: `${directoryName}.1`, ...more });
}
