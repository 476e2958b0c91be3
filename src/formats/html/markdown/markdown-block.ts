/** A part of a page in Markdown that makes sense alone. The page is its blocks with an empty line between them. */
export interface MarkdownBlock {
  /** A long list is several blocks. */
  readonly kind: 'heading' | 'paragraph' | 'code' | 'table' | 'list' | 'quote';
  /** Markdown, without line breaks around it. A heading has its anchor: `## Text {#anchor}`. */
  readonly text: string;
  /** 1 to 6; of headings. */
  readonly level?: number;
  /** Id of the element to link to, as in the page: not percent-encoded. Of headings, if they have one. */
  readonly anchor?: string;
}

/** Text between two blocks. */
export const SEPARATOR = '\n\n';

/** The Markdown of some blocks. */
export function joined(blocks: readonly Pick<MarkdownBlock, 'text'>[]): string {
  return blocks.map(({ text }) => text).join(SEPARATOR);
}

/** Lines further to the right, but for the first one and empty ones. */
export function indented(text: string, by: number): string {
  return text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(by)}`);
}
