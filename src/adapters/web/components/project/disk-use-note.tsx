import type { DiskUse } from '../../../../application/index.js';
import { sizeOf } from '../../../../domain/index.js';

/** What a project takes in the store, in all and by part. Nothing where nothing is counted. */
export function DiskUseNote({ use: { versions, previews, removed } }: { readonly use: DiskUse }) {
  const parts = (
    [
      ['versions', versions],
      ['previews', previews],
      ['removed versions', removed],
    ] as const
  ).filter(([, bytes]) => bytes > 0);
  if (parts.length === 0) return null;
  const all = sizeOf(versions + previews + removed);
  return (
    <p class="count">
      Takes {all}
      {parts.length > 1 && `: ${parts.map(([what, bytes]) => `${what} ${sizeOf(bytes)}`).join(', ')}`}
    </p>
  );
}
