/** The paths of an archive's entries, so that no two entries have the same one. */
export class PathLedger {
  /** Directories, named by entries or implied by their paths. */
  directories = 0;
  private readonly kinds = new Map<string, 'file' | 'directory' | 'implied'>();

  /** @param foldsCase whether names that differ in case or composition are the same to the file system */
  constructor(private readonly foldsCase: boolean) {}

  /**
   * Adds a path.
   * @returns the reason why it cannot be added; undefined on success
   */
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
      // The parent's own parents were added with it.
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
