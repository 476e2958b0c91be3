import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { linksOf } from '../../../src/formats/links/read-links.js';
import { WorkTime } from '../../../src/formats/work-time.js';
import { anyString } from '../../support/any-string.js';
import { assertEnds } from '../../support/assert-ends.js';

const read = (html: string) => linksOf(html, new WorkTime(60_000));
const TEXT = `<h1>Guide</h1><p>${'words '.repeat(20)}</p>`;

describe('linksOf', () => {
  for (const [what, html, links] of [
    ['links of text and maps', '<a href=a.html>A</a><area HREF="b.html">', ['a.html', 'b.html']],
    ['images', '<img src=a.png srcset="b.png 1x, c.png 2x"><input type=IMAGE src=d.png>', 'a b c d'],
    [
      'sources',
      '<source src=a.mp4 srcset="b.png,c.png 2x,d.png"><track src=e.vtt>',
      ['a.mp4', 'b.png,c.png', 'd.png', 'e.vtt'],
    ],
    ['media', '<video src=a.mp4 poster=b.png></video><audio src=c.mp3></audio>', ['a.mp4', 'b.png', 'c.mp3']],
    [
      'embedded documents',
      '<iframe src=a.html></iframe><frame src=b.html><embed src=c.pdf><object data=d.pdf></object>',
      ['a.html', 'b.html', 'c.pdf', 'd.pdf'],
    ],
    [
      'scripts and styles',
      '<script src=a.js></script><link rel=stylesheet href=b.css><link rel="alternate stylesheet" href=c.css>',
      ['a.js', 'b.css', 'c.css'],
    ],
    [
      'no link relations without a reader',
      '<link rel="canonical" href=a><link rel="Alternate" href=b><link rel=preconnect href=c><link rel=dns-prefetch href=d><link rel=next href=e>',
      ['e'],
    ],
    ['no other inputs, forms or data', '<input src=a><form action=b></form><a data=c srcset=d>', []],
    [
      'no comments and templates',
      '<!-- <a href=a> --><template><a href=b></a><template></template><img src=c></template><a href=d>',
      ['d'],
    ],
    [
      'the address to which a page leads by itself',
      `<meta http-equiv=refresh content="0; URL='a b.html'"><meta http-equiv=Refresh content="9;c.html">`,
      ['a b.html'],
    ],
    ['no page that only reloads itself', '<meta http-equiv=refresh content=30>', []],
    ['content without scripts', '<noscript><img src=a.png></noscript>', ['a.png']],
    [
      'nothing in scripts, styles and texts for input',
      '<script>"<a href=a>"</script><style><a href=b></style><textarea><a href=c></textarea>',
      [],
    ],
    ['each once, without white space around it', '<a href=" a.html\n"><a href="a.html">', ['a.html']],
    ['entities', '<a href="a.html?x=1&amp;y=2&#38;z">', ['a.html?x=1&y=2&z']],
    [
      'no other schemes, and those of pages',
      '<a href="mailto:a@b"><img src="data:image/png;base64,x"><a href="JavaScript:x()"><a href="https://x.org/"><a href="//x.org/y"><a href="/z">',
      ['https://x.org/', '//x.org/y', '/z'],
    ],
    ['no placeholders', '<a href="{{ url }}"><a href="<name>.html"><a href="">', []],
    [
      'no link of more than 2,000 characters',
      `<a href="${'x'.repeat(2_001)}"><a href="${'y'.repeat(2_000)}">`,
      ['y'.repeat(2_000)],
    ],
    ['the first of equal attributes', '<a href=a.html href=b.html>', ['a.html']],
  ] as const) {
    it(`finds ${what}`, () => {
      const expected = typeof links === 'string' ? links.split(' ').map((each) => `${each}.png`) : links;
      assert.deepEqual(read(html).links, expected);
    });
  }

  it('finds ids, and names of anchors and maps', () => {
    const { ids } = read(
      '<p id="a&amp;b"><a name=c id=d></a><map name=e></map><input name=f><svg><g id=G></g></svg>',
    );
    assert.deepEqual([...ids], ['a&b', 'd', 'c', 'e', 'G']);
  });

  it('finds the first base', () => {
    assert.equal(read('<base target=x><base href="../"><base href=b>').base, '../');
    assert.equal(read(TEXT).base, undefined);
  });

  for (const [what, html, hasOtherIds] of [
    ['a page with text', `<script></script>${TEXT}`, false],
    [
      'a page that scripts draw',
      '<title>Documentation</title><div id=app>Loading</div><script src=a.js></script>',
      true,
    ],
    ['a page with little text, and no scripts', '<p>Short', false],
    ['a page that leads elsewhere', `<meta http-equiv=refresh content="0; url=b.html">${TEXT}`, true],
    ['a page with text that is not shown', `<svg><svg></svg>${TEXT}</svg><script></script>`, true],
  ] as const) {
    it(`reports possible further ids in ${what}`, () => {
      assert.equal(read(html).hasOtherIds, hasOtherIds);
    });
  }

  it('ends at its time limit, and reports possible further ids', () => {
    const { links, hasOtherIds } = linksOf('<a href=x>'.repeat(10_000), new WorkTime(-1));
    assert.ok(links.length <= 1);
    assert.equal(hasOtherIds, true);
  });

  it('never throws', () => {
    const part = fc.constantFrom(
      '<a href=',
      '<img srcset="',
      '<template>',
      '</template>',
      '<svg',
      '"',
      '>',
      ',',
      ' ',
      '&#x110000;',
      '<!--',
      '<![CDATA[',
      '</',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, anyString()), { maxLength: 30 }), (parts) => {
        const { links } = read(parts.join(''));
        assert.equal(new Set(links).size, links.length);
      }),
    );
  });

  it('takes linear time for a hostile page', () => {
    for (const piece of [',', ', ', 'a,', '<a ', '<svg>', '<template>', '&amp', '"']) {
      assertEnds(() => read(`<img srcset="${piece.repeat(300_000)}"><i>${piece.repeat(300_000)}`));
    }
  });
});
