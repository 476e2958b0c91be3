import type { MarkdownBlock } from './markdown-block.js';

/** The blocks of a page, each with the ids that lead into it. */
export class PageBlocks {
  readonly blocks: MarkdownBlock[] = [];
  /** Ids that lead to the next block. */
  private ids = new Set<string>();

  note(id: string): void {
    this.ids.add(id);
  }

  push(block: MarkdownBlock): void {
    const { ids } = this;
    if (block.anchor !== undefined) ids.delete(block.anchor);
    if (ids.size === 0) {
      this.blocks.push(block);
      return;
    }
    this.ids = new Set();
    const anchors = [...Array.from(ids, (id) => ({ id, from: 0 })), ...(block.anchors ?? [])];
    this.blocks.push({ ...block, anchors });
  }

  /** All blocks. Ids at the end of the page lead to its last line. */
  end(): readonly MarkdownBlock[] {
    const last = this.blocks.pop();
    if (last === undefined) return [];
    const from = last.text.lastIndexOf('\n') + 1;
    const atEnd = Array.from(this.ids, (id) => ({ id, from }));
    return [...this.blocks, { ...last, anchors: [...(last.anchors ?? []), ...atEnd] }];
  }
}
