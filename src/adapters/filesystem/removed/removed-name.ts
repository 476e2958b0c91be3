/** A removed or replaced publication, as the names of its files in `.lectern/removed` tell it. */
export interface Removed {
  /** The generation; a name from a lease for a copied-in directory. */
  readonly name: string;
  readonly removedAt: Date;
  readonly isReplaced: boolean;
  readonly directoryName: string;
}

/** `zip` and `json`: archive and record of an upload. `site`: a copied-in directory. */
export type RemovedPart = 'zip' | 'json' | 'site';

/** Names begin with this and end with the part. The longest directory name leaves room for both. */
export function removedName({ name, removedAt, isReplaced, directoryName }: Removed): string {
  return `${name}.${removedAt.getTime().toString(36)}.${isReplaced ? 'replaced' : 'deleted'}.${directoryName}`;
}

/** Parses a name in `.lectern/removed`; undefined for one that is not Lectern's. */
export function parseRemovedName(
  file: string,
): { readonly removed: Removed; readonly part: RemovedPart } | undefined {
  const [, name, time, how, directoryName, part] =
    /^([^.]+\.\d+)\.([0-9a-z]+)\.(replaced|deleted)\.(.+)\.(zip|json|site)$/.exec(file) ?? [];
  if (name === undefined || directoryName === undefined) return undefined;
  const removedAt = new Date(Number.parseInt(time ?? '', 36));
  return {
    removed: { name, removedAt, isReplaced: how === 'replaced', directoryName },
    part: part as RemovedPart,
  };
}
