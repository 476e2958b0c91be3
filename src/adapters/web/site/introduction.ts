import type { MarkedToken, Token } from 'marked';

/** Markdown as the tokens of its parser. */
export type Introduction = readonly MarkedToken[];

/** Elements that an introduction may have. */
const KINDS = new Set<string>([
  ...['space', 'paragraph', 'heading', 'list', 'list_item', 'blockquote', 'code', 'hr'],
  ...['text', 'escape', 'strong', 'em', 'del', 'codespan', 'br', 'link'],
]);
/** Without backslashes, which browsers read as `/`, and without tabs and line breaks, which they drop. */
const LINK = /^(?:https?:\/\/|mailto:|\/(?!\/)|#)[^\\\t\r\n]*$/i;

/** Parses Markdown. The parser is loaded here, so that a server without an introduction does without. */
export async function parseIntroduction(markdown: string): Promise<Introduction> {
  const { marked } = await import('marked');
  return marked.lexer(markdown) as MarkedToken[];
}

/** Returns what an introduction may not have, such as HTML; undefined when there is nothing of the kind. */
export function introductionFault(tokens: readonly Token[]): string | undefined {
  for (const token of tokens) {
    if (token.type === 'html') return `HTML is not possible: ${token.raw.trim().slice(0, 40)}`;
    if (!KINDS.has(token.type)) return `there is no '${token.type}' in an introduction`;
    if (token.type === 'link' && !LINK.test(token.href)) return `a link may not lead to ${token.href}`;
    const within: readonly Token[] = [
      ...('tokens' in token ? (token.tokens ?? []) : []),
      ...('items' in token ? (token.items ?? []) : []),
    ];
    const fault = introductionFault(within);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
