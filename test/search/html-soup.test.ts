import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readPage, siteConventions } from '../../src/formats/html/index.js';
import '../support/long-runs.js';

/** A word that stands in tags only. */
const MARK = 'qzq';
const NAMES = (
  'a b div p span h1 h2 h6 dt dl dd li ul table tr td pre main article section aside header nav footer form ' +
  `html head body meta link br img svg math template noscript button details summary ${MARK} x-${MARK}`
).split(' ');
const name = fc.constantFrom(...NAMES);
const attribute = fc.oneof(
  fc.constantFrom(
    `id=${MARK}`,
    `class="${MARK} headerlink"`,
    `name='${MARK}'`,
    'role=main',
    'hidden',
    'aria-hidden=true',
  ),
  fc.constantFrom(
    `${MARK}`,
    `${MARK}="&lt;${MARK}&gt;"`,
    `data-${MARK}='a > b'`,
    '/',
    `"${MARK}"`,
    `=${MARK}`,
  ),
);
const tag = fc
  .tuple(name, fc.array(attribute, { maxLength: 4 }), fc.constantFrom('>', '/>', ' >', '\n>'))
  .map(([element, attributes, end]) => `<${[element, ...attributes].join(' ')}${end}`);
const endTag = name.map((element) => `</${element}>`);
const comment = fc.constantFrom(`<!-- ${MARK} -->`, `<!${MARK}>`, `<?${MARK}?>`, `<!-- <p>${MARK}</p> -->`);
/** Elements whose content is no markup. In SVG and MathML it is; the tag there does not end them. */
const closed = fc.constantFrom(
  '<title>word</title>',
  `<script>"<x-${MARK}>${MARK}</x-${MARK}>"</script>`,
  `<style>.${MARK} {}</style>`,
);
const text = fc.constantFrom('word', ' ', '\n', 'a < b', '&lt;', '&nbsp;', '&', '漢字', '😀', '¶', '\0', '>');
const soup = fc
  .tuple(
    fc.array(fc.oneof(tag, endTag, text, comment, closed), { maxLength: 60 }),
    fc.constantFrom(
      '',
      '<',
      '</',
      `<${MARK}`,
      `<a ${MARK}`,
      `<a href="${MARK}`,
      `<a ${MARK} /`,
      `</a ${MARK}`,
      '<!--',
    ),
  )
  .map(([parts, end]) => parts.join('') + end);

const stringsOf = (page: ReturnType<typeof readPage>) => [
  page.title,
  ...page.sections.flatMap(({ heading, text: words }) => [heading, words]),
];

describe('Any HTML soup', () => {
  it('is read without its markup', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const page = readPage(Buffer.from(html), { path: 'page.html' });
        for (const string of stringsOf(page)) assert.ok(!string.includes(MARK), string);
        for (const { heading, level, text: words } of page.sections) {
          assert.ok(heading !== '' || (level === 0 && words !== ''));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('has text without spaces around it, control characters and empty lines', () => {
    fc.assert(
      fc.property(soup, (html) => {
        for (const string of stringsOf(readPage(Buffer.from(html), { path: '' }))) {
          assert.equal(string, string.trim());
          // A vertical tab ends a line of code.
          assert.doesNotMatch(string, /[ \n\v]{2}|[\u0000-\u0009\u000c-\u001f\u00ad]/);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('is read by conventions as well, which change no text', () => {
    fc.assert(
      fc.property(fc.array(soup, { minLength: 3, maxLength: 8 }), (pages) => {
        const bytes = pages.map((html) => Buffer.from(html));
        const sample = bytes.map((each) => readPage(each, { path: 'page.html' }));
        const conventions = siteConventions(sample);
        for (const [index, each] of bytes.entries()) {
          const words = (sample[index]?.sections ?? []).map(({ text: found }) => found);
          const page = readPage(each, { path: 'page.html', conventions });
          for (const section of page.sections) assert.ok(words.includes(section.text));
          assert.equal(page.sections.length === 0, words.length === 0);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('Any bytes', () => {
  it('parse as a page, whatever the limits', () => {
    const limit = fc.nat(50);
    const limits = fc.record({ bytes: limit, depth: limit, characters: limit, sections: limit });
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 200 }), soup.map(Buffer.from)),
        limits,
        (bytes, some) => {
          const page = readPage(bytes, { path: 'page.html', limits: some });
          const characters = page.sections.reduce(
            (sum, each) => sum + each.heading.length + each.text.length,
            0,
          );
          // Each heading that became text adds a line break.
          assert.ok(characters <= some.characters + 60);
          assert.ok(page.sections.length <= Math.max(1, some.sections));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
