import { PageContent } from '../../src/application/index.js';
import { Ends } from '../../src/application/search/page-content.js';
import { foldText } from '../../src/application/search/words/fold.js';
import type { Section } from '../../src/formats/html/index.js';

/** The content of a page with these sections, which are kept as they are. */
export function contentOf(sections: readonly Section[]): PageContent {
  const headings = sections.map(({ heading }) => heading);
  const texts = sections.map(({ text }) => text);
  const anchors = sections.map(({ anchor = '' }) => anchor);
  const endsOf = (strings: readonly string[]) => new Ends(strings.map(({ length }) => length));
  return new PageContent(foldText(headings.join('\n')), foldText(texts.join('\n')), {
    headings: endsOf(headings),
    texts: endsOf(texts),
    ofAnchors: endsOf(anchors).last,
    at: (index) => sections[index] ?? { heading: '', level: 0 },
    textOf: (index, from, to) => (texts[index] ?? '').slice(from, to),
  });
}
