import type { PageContent } from '../../src/application/index.js';
import type { Section } from '../../src/formats/html/index.js';

/** All sections of a page, with their texts. */
export function sectionsOf(content: PageContent): Section[] {
  return Array.from({ length: content.count }, (_, index) => ({
    ...(content.section(index) ?? { heading: '', level: 0 }),
    text: content.textOf(index),
  }));
}
