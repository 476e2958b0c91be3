import type { PageModels } from '../../../application/index.js';
import type { Site } from '../components/page-context.js';

/** A block of the help, independent of its rendering. Backticks mark code. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly title: string; readonly lines: readonly string[] }
  | {
      readonly kind: 'table';
      readonly caption: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** Folded on a page. */
  | { readonly kind: 'fold'; readonly title: string; readonly blocks: readonly Block[] };

/** A chapter of the help. */
export interface Section {
  /** The anchor of the chapter: `/help#find`. */
  readonly id: string;
  readonly title: string;
  /** Whether few readers need it: then it is folded on its page. */
  readonly isFolded?: true;
  readonly blocks: readonly Block[];
}

/** Facts about the server for the help. */
export type HelpFacts = PageModels['help'] & Omit<Site, 'version' | 'identity'>;

export const text = (text: string): Block => ({ kind: 'text', text });
export const list = (...items: readonly string[]): Block => ({ kind: 'list', items });
/** Code without backticks in its title. */
export const code = (title: string, ...lines: readonly string[]): Block => ({ kind: 'code', title, lines });
export const fold = (title: string, ...blocks: readonly Block[]): Block => ({ kind: 'fold', title, blocks });
export const table = (
  caption: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Block => ({ kind: 'table', caption, head, rows });
