/** Every path that an archive speaks for, so that no two entries speak for the same one. */
export class PathLedger {
  /** Directories that entries name, and those that their paths imply. */
  directories = 0;
  private readonly kinds = new Map<string, 'file' | 'directory' | 'implied'>();

  /** @param foldsCase whether the file system takes names that differ in case or in composition for one. */
  constructor(private readonly foldsCase: boolean) {}

  /** Why `path` cannot be one more entry, or undefined: then it is taken. */
  claim(path: string, kind: 'file' | 'directory'): string | undefined {
    const key = this.foldsCase ? path.normalize('NFC').toLowerCase() : path;
    const known = this.kinds.get(key);
    if (known === kind) return this.twice(kind);
    if (known === 'file' || (known !== undefined && kind === 'file')) {
      return 'is both a file and a directory';
    }
    this.kinds.set(key, kind);
    if (kind === 'directory' && known === undefined) this.directories += 1;
    return this.implyParents(key);
  }

  private implyParents(key: string): string | undefined {
    for (let slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
      const parent = key.slice(0, slash);
      const known = this.kinds.get(parent);
      if (known === 'file') return 'lies below a file of the same archive';
      // Whoever named the parent has seen to its own parents.
      if (known !== undefined) return undefined;
      this.kinds.set(parent, 'implied');
      this.directories += 1;
    }
    return undefined;
  }

  private twice(kind: string): string {
    return this.foldsCase
      ? `is there twice: this server takes names that differ in case only for one ${kind}`
      : 'is there twice';
  }
}
