import type { PageText, Section } from './page-text.js';

/**
 * A copy of a string. V8 makes a substring a view of the whole string, so that one kept anchor would keep the page's
 * HTML in memory. Joined strings are copied, but not one alone, nor one with empty ones.
 */
export function ownString(text: string): string {
  return ['\n', text].join('').slice(1);
}

/** The page with strings of its own: views of one copy, which keep nothing else. */
export function withOwnStrings(page: PageText): PageText {
  const strings = [page.title, page.language ?? ''];
  for (const { heading, anchor, text } of page.sections) strings.push(heading, anchor ?? '', text);
  strings.push(...(page.shared ?? []));
  const copy = ownString(strings.join(''));
  let from = 0;
  let index = 0;
  const next = () => {
    const start = from;
    from += strings[index++]?.length ?? 0;
    return copy.slice(start, from);
  };
  const title = next();
  const language = next();
  const sections = page.sections.map((section): Section => {
    const [heading, anchor, text] = [next(), next(), next()];
    return { ...section, heading, text, ...(anchor === '' ? {} : { anchor }) };
  });
  const shared = page.shared?.map(next);
  return {
    ...page,
    title,
    ...(language === '' ? {} : { language }),
    sections,
    ...(shared === undefined ? {} : { shared }),
  };
}
