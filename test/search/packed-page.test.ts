import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { packPage, unpackPage } from '../../src/adapters/search/databases/packed-page.js';
import { foldText } from '../../src/application/index.js';
import type { Section } from '../../src/formats/html/index.js';
import { anyString } from '../support/any-string.js';
import { contentOf } from '../support/content-of.js';
import { sectionsOf } from './sections-of.js';

const packed = (sections: readonly Section[]) => unpackPage(Buffer.from(packPage(sections)));
/** The characters that stand between the parts of a page. */
const usual = (text: string) => text.replace(/[\x1c\x1d]/g, ' ');
const text = anyString({ maxLength: 60 }).map(usual);
const anySections = fc.array(
  fc
    .record({ heading: text, level: fc.nat({ max: 7 }), anchor: text, text })
    .map(({ anchor, ...section }): Section => ({ ...section, ...(anchor === '' ? {} : { anchor }) })),
);

describe('A packed page', () => {
  it('decodes to all of its sections, and their texts as searched', () => {
    fc.assert(
      fc.property(anySections, (sections) => {
        const [content, whole] = [packed(sections), contentOf(sections)];
        assert.deepEqual(sectionsOf(content), sections);
        assert.deepEqual(sectionsOf(whole), sections);
        assert.equal(content.folded.slice(), foldText(sections.map((each) => each.text).join('\n')));
        assert.deepEqual(
          [content.headings.slice(), content.folded.slice(), content.size],
          [whole.headings, whole.folded, whole.size],
        );
      }),
    );
  });

  it("decodes any part of a section's text", () => {
    fc.assert(
      fc.property(anySections, fc.nat(), fc.nat(80), fc.nat(80), (sections, at, from, length) => {
        const index = at % Math.max(1, sections.length);
        const part = (sections[index]?.text ?? '').slice(from, from + length);
        assert.equal(packed(sections).textOf(index, from, from + length), part);
        assert.equal(contentOf(sections).textOf(index, from, from + length), part);
      }),
    );
  });

  it('finds the section at a position of its text', () => {
    fc.assert(
      fc.property(anySections, (sections) => {
        const content = packed(sections);
        for (let index = 0; index < content.count; index += 1) {
          const { from, to } = content.rangeOf(index);
          assert.equal(content.folded.slice(from, to), foldText(sections[index]?.text ?? ''));
          for (const position of to > from ? [from, to - 1] : [])
            assert.equal(content.sectionAt(position), index);
        }
      }),
    );
  });

  it('finds the sections whose headings contain given letters', () => {
    const headings = fc.array(fc.stringMatching(/^[abC \n]{0,6}$/));
    const needles = fc.array(fc.stringMatching(/^[abc]{1,2}$/));
    fc.assert(
      fc.property(headings, needles, (all, wanted) => {
        const content = packed(all.map((heading) => ({ heading, level: 2, text: '' })));
        const expected = all.flatMap((heading, index) =>
          wanted.some((needle) => foldText(heading).includes(needle)) ? [index] : [],
        );
        assert.deepEqual(content.sectionsWith(wanted), expected);
      }),
    );
  });

  it('has no sections but its own', () => {
    const content = packed([{ heading: 'Only one', level: 1, text: 'text' }]);
    assert.deepEqual([content.count, content.section(1)], [1, undefined]);
    assert.deepEqual(packed([]).count, 0);
  });

  it('is rejected with foreign parts', () => {
    for (const bytes of ['', 'text', packPage([]).slice(1)])
      assert.throws(() => unpackPage(Buffer.from(bytes)), RangeError);
  });
});
