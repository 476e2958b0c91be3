import type { OpenedPage } from './found-page.js';
import { matchText, needlesOf, type TextMatch } from './match-text.js';
import type { SearchBudget } from './search-budget.js';
import { isName, nameOf } from './words/page-words.js';

/** How the heading of a section answers a query. */
export interface SectionMatch extends TextMatch {
  readonly index: number;
  /** Whether the heading is an identifier that the section explains. */
  readonly isName: boolean;
}

/** The sections whose headings have a word of the query, as far as the budget suffices. */
export function matchSections({ words, content }: OpenedPage, budget: SearchBudget): SectionMatch[] {
  const matches: SectionMatch[] = [];
  for (const index of content.sectionsWith(needlesOf(words))) {
    if (budget.isSpent()) break;
    const section = content.section(index);
    if (section === undefined) break;
    const explainsName = isName(section);
    const match = matchText(words, explainsName ? identifierOf(nameOf(section)) : section.heading);
    if (match.share > 0) matches.push({ ...match, index, isName: explainsName });
  }
  return matches;
}

/** `flask.json.jsonify` is about `jsonify`: what it belongs to counts as a word of the query, not against the name. */
function identifierOf(name: string): string {
  return /^[^ ]+/.exec(name)?.[0] ?? name;
}
