import { SitePath, type Version } from '../domain/index.js';
import type { Sites, StoredFile } from './ports/sites.js';

/** All bytes of a stream, or the first `max` of them: copies, as a chunk is valid only until the next one is read. */
export async function bytesOf(
  chunks: AsyncIterable<Uint8Array>,
  max = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const copies: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const copy = new Uint8Array(chunk.subarray(0, max - length));
    copies.push(copy);
    length += copy.length;
    if (length >= max) break;
  }
  return joined(copies);
}

/** All bytes of parts, one after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The text of a stream, in UTF-8. */
export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await bytesOf(chunks));
}

/** The first `max` bytes of a file, which is closed at the end. */
export function startOf(file: StoredFile, max: number): Promise<Uint8Array> {
  return bytesOf(file.stream(file.size > max ? { start: 0, end: max - 1 } : undefined));
}

/** Opens a file of a site by its path there; undefined for a directory, and where nothing is. */
export async function fileAt(
  docs: Pick<Sites, 'open'>,
  version: Version,
  path: string,
): Promise<StoredFile | undefined> {
  const checked = SitePath.of(path);
  const entry = checked && (await docs.open(version, checked));
  return entry?.kind === 'file' ? entry.file : undefined;
}
