/** A removed or replaced publication, as the names of its files in `.lectern/removed` tell it. */
export interface Kept {
  /** The generation; a name from a lease for a copied-in directory. */
  readonly name: string;
  readonly removedAt: Date;
  readonly isReplaced: boolean;
  readonly directoryName: string;
}

/** `zip` and `json`: archive and record of an upload. `site`: a copied-in directory. */
export type KeptPart = 'zip' | 'json' | 'site';

/** Names begin with this and end with the part. The longest directory name leaves room for both. */
export function keptName({ name, removedAt, isReplaced, directoryName }: Kept): string {
  return `${name}.${removedAt.getTime().toString(36)}.${isReplaced ? 'replaced' : 'deleted'}.${directoryName}`;
}

/** Parses a name in `.lectern/removed`; undefined for one that is not Lectern's. */
export function parseKeptName(file: string): { readonly kept: Kept; readonly part: KeptPart } | undefined {
  const [, name, time, how, directoryName, part] =
    /^([^.]+\.\d+)\.([0-9a-z]+)\.(replaced|deleted)\.(.+)\.(zip|json|site)$/.exec(file) ?? [];
  if (name === undefined || directoryName === undefined) return undefined;
  const removedAt = new Date(Number.parseInt(time ?? '', 36));
  return { kept: { name, removedAt, isReplaced: how === 'replaced', directoryName }, part: part as KeptPart };
}
