/** All bytes of a stream. Without the Blob that `node:stream/consumers` makes, which takes longer than reading a page. */
export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const received: Uint8Array[] = [];
  for await (const chunk of chunks) received.push(chunk);
  const [first] = received;
  if (first !== undefined && received.length === 1) {
    return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }
  return Buffer.concat(received);
}
