import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markdownOf, readPage } from '../../src/formats/html/index.js';

/** All that is handed out of a page: title, headings, text with and without code, and Markdown. */
function handedOut(html: string): string {
  const bytes = Buffer.from(html);
  const pages = [false, true].map((keepsCode) => readPage(bytes, { path: 'page.html', keepsCode }));
  const texts = pages.flatMap(({ title, sections }) => [
    title,
    ...sections.flatMap(({ heading, text }) => [heading, text]),
  ]);
  const { title, text } = markdownOf(bytes, { linkTarget: (href) => href });
  return [...texts, title, text].join('\n');
}

const page = (body: string) =>
  `<!doctype html><title>Kettle</title><h1>Kettle</h1><p>seen</p>${body}<p>end</p>`;
const styled = (css: string, body = '<p class="x" id="y">planted</p>') =>
  page(`<style>${css}</style>${body}`);

const PLANTED: readonly (readonly [way: string, html: string])[] = [
  ['display: none', page('<p style="display:none">planted</p>')],
  [
    'display: none in capitals, with spaces, and important',
    page('<p style=" DISPLAY : NONE !important ">planted</p>'),
  ],
  ['display: none that a comment divides', page('<p style="display:/**/none">planted</p>')],
  ['display: none with an escape', page('<p style="d\\69splay:none">planted</p>')],
  ['display: none before an invalid value', page('<p style="display:none;display:bogus">planted</p>')],
  [
    'display: none around a visible element',
    page('<div style="display:none"><b style="display:block;visibility:visible">planted</b></div>'),
  ],
  ['a heading that is not displayed', page('<h2 id="z" style="display:none">planted</h2><p>more</p>')],
  ['a row of a table', page('<table><tr><td>a<td>b<tr style="display:none"><td>planted<td>c</table>')],
  ['an image that is not displayed', page('<p><img style="display:none" alt="planted"></p>')],
  ['visibility: hidden', page('<p style="visibility:hidden">planted</p>')],
  ['visibility: collapse', page('<p style="visibility:collapse">planted</p>')],
  ['an image in an invisible element', page('<p style="visibility:hidden"><img alt="planted"></p>')],
  ['font-size: 0', page('<p style="font-size:0">planted</p>')],
  [
    'font-size: 0px, and a child with a size relative to it',
    page('<p style="font-size:0px"><b style="font-size:2em">planted</b></p>'),
  ],
  ['font: 0/0', page('<p style="font:0/0 serif">planted</p>')],
  ['letters of one pixel', page('<p style="font-size:1px">planted</p>')],
  ['opacity: 0', page('<p style="opacity:0">planted</p>')],
  ['content-visibility: hidden', page('<p style="content-visibility:hidden">planted</p>')],
  ['a place left of the page', page('<p style="position:absolute;left:-9999px">planted</p>')],
  ['an indent', page('<p style="text-indent:-9999px">planted</p>')],
  ['a clip', page('<p style="position:absolute;clip:rect(0 0 0 0)">planted</p>')],
  ['no height', page('<div style="height:0;overflow:hidden">planted</div>')],
  ['a scale of nothing', page('<p style="transform:scale(0)">planted</p>')],
  ['the attribute hidden', page('<div hidden><p>planted</p></div>')],
  ['a popover that nothing opens', page('<div popover id="z">planted</div>')],
  ['a panel with no tab', page('<div role="tabpanel" hidden>planted</div>')],
  [
    'a panel that only a control in it opens',
    page('<div id="z" hidden><button aria-controls="z">Open</button>planted</div>'),
  ],
  [
    'a panel that only a hidden control opens',
    page('<button hidden aria-controls="z">Open</button><div id="z" hidden>planted</div>'),
  ],
  [
    'a part that a heading labels',
    page('<h2 id="z">More</h2><div aria-labelledby="z" role="region" hidden>planted</div>'),
  ],
  ['a class of a style', styled('.x{display:none}')],
  ['an id of a style', styled('a{color:red}\n#y , .z { Visibility : hidden }')],
  ['an element with a class', styled('p.x{font-size:0}')],
  [
    'a style between other declarations',
    styled('/* .x{display:block} */ @media print{.x{display:block;}} .w{color:red} .x{display:none'),
  ],
  [
    'a style that is in the body, at the end',
    `${page('<p class="x">planted</p>')}<style>.x{display:none}</style>`.replace('@', ''),
  ],
  ['the main part of a page', `<p>seen</p><main style="display:none">planted</main>`],
  ['around the main part', '<p>seen</p><div hidden><main>planted</main></div>'],
  ['a template', page('<template>planted</template>')],
  ['a noscript', page('<noscript>planted</noscript>')],
  ['a comment', page('<!-- planted --><?planted?><![CDATA[planted]]>')],
  [
    'text of a video, a canvas and a meter',
    page('<video>planted</video><canvas>planted</canvas><meter>planted</meter>'),
  ],
  ['a text field', page('<input type="hidden" value="planted"><textarea>planted</textarea>')],
];

/** Pages on which the word can be seen, at once or after a click. */
const SHOWN: readonly (readonly [what: string, html: string])[] = [
  [
    'visible in an invisible element',
    page('<div style="visibility:hidden"><p style="visibility:visible">shown</p></div>'),
  ],
  [
    'with a font size in an element of size 0',
    page('<div style="font-size:0"><p style="font-size:16px">shown</p></div>'),
  ],
  ['displayed by a later declaration', page('<p style="display:none;display:block">shown</p>')],
  ['displayed against the attribute hidden', page('<p hidden style="display:block">shown</p>')],
  ['displayed by a later rule', styled('.x{display:none} .x{display:block}', '<p class="x">shown</p>')],
  [
    'displayed by a rule for an id',
    styled('#y{display:block} .x{display:none}', '<p class="x" id="y">shown</p>'),
  ],
  ['hidden in print only', styled('@media print{.x{display:none}}', '<p class="x">shown</p>')],
  ['hidden by a style in a comment', page('<!-- <style>.x{display:none}</style> --><p class="x">shown</p>')],
  [
    'hidden without scripts only',
    page('<noscript><style>.x{display:none}</style></noscript><p class="x">shown</p>'),
  ],
  [
    'of a state of a box',
    styled(
      '.x{display:none} input:checked ~ .x{display:block}',
      '<input type="checkbox"><p class="x">shown</p>',
    ),
  ],
  [
    'of a wide screen',
    styled('.x{display:none} @media (min-width:9em){.w{display:block}}', '<p class="x w">shown</p>'),
  ],
  ['in details', page('<details><summary>More</summary>shown</details>')],
  ['found in the page', page('<p hidden="until-found">shown</p>')],
  ['that fades in', page('<p style="opacity:0;transition:opacity 1s">shown</p>')],
  [
    'in a frame for a picture',
    page('<div style="height:0;padding-bottom:56%;overflow:hidden"><p>shown</p></div>'),
  ],
  ['that a popover has', page('<button popovertarget="z">Open</button><div popover id="z">shown</div>')],
  [
    'in panels of panels',
    page(
      '<button aria-controls="a">A</button><div id="a" hidden><button aria-controls="b">B</button><div id="b" hidden>shown</div></div>',
    ),
  ],
];

const INVISIBLE: readonly (readonly [what: string, characters: string])[] = [
  ['bidi controls', '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c'],
  ['tags', '\u{e0001}\u{e0041}\u{e007f}'],
  ['selectors of variants', '\u{e0100}\u{e01ef}\ufe00\ufe0f\ufe0e'],
  ['joiners in a row', '\u200c\u200d\u200c'],
  ['fillers', '\u034f\u3164\uffa0\u2063'],
];

describe('The extraction of hidden text', () => {
  for (const [way, html] of PLANTED) {
    it(`leaves out ${way}`, () => {
      const text = handedOut(html);
      assert.doesNotMatch(text, /planted/);
      assert.match(text, /seen/);
    });
  }

  for (const [what, characters] of INVISIBLE) {
    it(`leaves out ${what}, from text, code, titles, headings, images and links`, () => {
      const word = `a${characters}b`;
      const text = handedOut(
        `<title>${word}</title><h1>${word}</h1><p>${word}<a href="c?${word}">${word}</a><img alt="${word}"></p><pre>${word}</pre><h2 id="${word}">c</h2>`,
      );
      for (const character of characters) assert.ok(!text.includes(character), character);
      assert.match(text, /ab/);
    });
  }
});

describe('The extraction of visible text', () => {
  for (const [what, html] of SHOWN) {
    it(`keeps text ${what}`, () => {
      const [first = '', ...others] = handedOut(html).split('shown');
      assert.ok(first.includes('Kettle') && others.length === 3, `${others.length} times`);
    });
  }

  it('keeps joiners of writing and emoji', () => {
    assert.match(
      handedOut('<p>می\u200cخواهم 👩\u200d❤\ufe0f\u200d👨</p>'),
      /می\u200cخواهم 👩\u200d❤\ufe0f\u200d👨/,
    );
  });

  it('divides a SQLite page at undisplayed headings, by their anchors', () => {
    const html = '<a name="pragma_a"></a>\n<h style="display:none"> PRAGMA a</h><hr><p>It is on.</p>';
    const { sections } = readPage(Buffer.from(html), { path: 'pragma.html' });
    assert.deepEqual(sections, [{ heading: 'pragma_a', level: 3, anchor: 'pragma_a', text: 'It is on.' }]);
    assert.equal(markdownOf(Buffer.from(html)).text, '### pragma_a {#pragma_a}\n\nIt is on.');
  });
});
