import type { PageKind } from '../../../formats/html/index.js';

/** What is known of a page without its text, and where that is. */
export interface PageRow {
  readonly path: string;
  readonly title: string;
  readonly kind: PageKind;
  readonly language: string | undefined;
  readonly block: number;
  readonly place: number;
  /** Number of its way. 0: it has none. */
  readonly way: number;
}

export function packPageRow({ path, title, kind, language, block, place, way }: PageRow): Buffer {
  return Buffer.from(JSON.stringify([path, title, kind, language ?? null, block, place, way]));
}

export function unpackPageRow(packed: Buffer): PageRow {
  const [path, title, kind, language, block, place, way] = JSON.parse(packed.toString());
  return { path, title, kind, language: language ?? undefined, block, place, way };
}
