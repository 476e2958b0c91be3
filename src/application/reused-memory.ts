/** Bytes that most pages fit into. */
const FIRST_BYTES = 65_536;

/**
 * Memory that streams are read into, one after the other. With new memory for each of thousands, V8 would mark its whole heap
 * again and again.
 */
export class ReusedMemory {
  private memory = new Uint8Array(FIRST_BYTES);

  /** The first `max` bytes of a stream. They are valid until the next stream is read. */
  async read(chunks: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array> {
    let length = 0;
    for await (const chunk of chunks) {
      const part = chunk.subarray(0, max - length);
      this.reserve(length + part.length);
      this.memory.set(part, length);
      length += part.length;
      if (length >= max) break;
    }
    return this.memory.subarray(0, length);
  }

  private reserve(bytes: number): void {
    if (bytes <= this.memory.length) return;
    const larger = new Uint8Array(Math.max(bytes, 2 * this.memory.length));
    larger.set(this.memory);
    this.memory = larger;
  }
}
