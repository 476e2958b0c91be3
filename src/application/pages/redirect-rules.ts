import {
  MAX_REDIRECTS_BYTES,
  parseRedirects,
  REDIRECTS_FILE,
  Redirects,
  redirectsTooLarge,
  SitePath,
  type Version,
} from '../../domain/index.js';
import type { DocReader, StoredFile } from '../ports/doc-store.js';

/** Max. rules in memory, of all versions; a version without rules counts as one. Some 500 bytes each. */
const MAX_KEPT = 50_000;
const FILE = SitePath.root.child(REDIRECTS_FILE);

/** The redirects of versions, read once for each publication. The least recently used are forgotten first. */
export class RedirectRules {
  private readonly kept = new Map<string, Redirects>();
  private keptRules = 0;

  constructor(private readonly docs: Pick<DocReader, 'open'>) {}

  async of(version: Version): Promise<Redirects> {
    // Files of a copied-in directory may change at any time: their ETag is part of the key.
    const known = version.origin === 'upload' ? this.kept.get(version.revision) : undefined;
    if (known !== undefined) return this.keep(version.revision, known);
    const entry = await this.docs.open(version, FILE);
    const file = entry?.kind === 'file' ? entry.file : undefined;
    const key = version.origin === 'upload' ? version.revision : `${version.revision} ${file?.etag ?? ''}`;
    const kept = this.kept.get(key);
    if (kept === undefined) return this.keep(key, file === undefined ? Redirects.none : await read(file));
    await file?.close();
    return this.keep(key, kept);
  }

  private keep(key: string, redirects: Redirects): Redirects {
    this.forget(key);
    this.kept.set(key, redirects);
    this.keptRules += weightOf(redirects);
    for (const oldest of this.kept.keys()) {
      if (this.keptRules <= MAX_KEPT) break;
      this.forget(oldest);
    }
    return redirects;
  }

  private forget(key: string): void {
    const redirects = this.kept.get(key);
    if (redirects === undefined) return;
    this.keptRules -= weightOf(redirects);
    this.kept.delete(key);
  }
}

function weightOf({ rules }: Redirects): number {
  return 1 + rules.length;
}

async function read(file: StoredFile): Promise<Redirects> {
  if (file.size > MAX_REDIRECTS_BYTES) {
    await file.close();
    return redirectsTooLarge();
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of file.stream()) text += decoder.decode(chunk, { stream: true });
  return parseRedirects(text + decoder.decode());
}
