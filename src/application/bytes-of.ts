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
  const [first] = copies;
  if (first !== undefined && copies.length === 1) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const copy of copies) {
    bytes.set(copy, at);
    at += copy.length;
  }
  return bytes;
}

/** The text of a stream, in UTF-8. */
export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await bytesOf(chunks));
}
