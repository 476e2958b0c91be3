import type { PageModels } from '../../../application/index.js';
import type { Site } from '../components/page-context.js';

/** One block of the help, independent of its rendering. Backticks mark code. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

/** A chapter of the help. */
export interface Section {
  /** The anchor of the chapter: `/help#upload`. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Facts about the server for the help. */
export type HelpFacts = PageModels['help'] & Omit<Site, 'version' | 'identity'>;

export const text = (text: string): Block => ({ kind: 'text', text });
export const list = (...items: readonly string[]): Block => ({ kind: 'list', items });
export const code = (...lines: readonly string[]): Block => ({ kind: 'code', lines });
export const table = (
  caption: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Block => ({ kind: 'table', caption, head, rows });
