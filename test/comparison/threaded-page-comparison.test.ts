import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ThreadedPageComparison } from '../../src/adapters/comparison/index.js';
import type { PageDifference } from '../../src/application/index.js';

const page = (html: string, path = 'page.html') => ({ path, bytes: Buffer.from(html) });
const shown = ({ blocks }: Pick<PageDifference, 'blocks'>) =>
  blocks.map(({ isHeading, parts }) =>
    [
      isHeading ? '# ' : '',
      ...parts.map(({ kind, text }) =>
        kind === 'same' ? text : kind === 'added' ? `+${text}+` : `-${text}-`,
      ),
    ].join(''),
  );

describe('Comparing the texts of pages', () => {
  const comparison = new ThreadedPageComparison();
  after(() => comparison.close());

  const differenceOf = (before: string, now: string) => comparison.difference(page(before), page(now));

  it('gives equal hashes to pages that differ in navigation, title and styles only', async () => {
    const digests = await comparison.digests([
      page('<title>A 1.0</title><nav>1.0</nav><main><h1>A</h1><p>Some text.</p></main>'),
      page(
        '<title>A 2.0</title><link href="x.css"><main class="b"><h1>A</h1>\n <p>Some <b>text</b>.</p></main><footer>2.0',
      ),
      page('<title>A 1.0</title><main><h1>A</h1><p>Another text.</p></main>'),
      page('<main><h1>A</h1><h2>Some text.</h2></main>'),
    ]);
    const [one, other, changed, heading] = digests.map(({ hash }) => hash);
    assert.match(one ?? '', /^[\w-]{16}$/);
    assert.equal(other, one);
    assert.notEqual(changed, one);
    assert.notEqual(heading, one);
  });

  it('uses the first heading as the title, else the title element', async () => {
    const digests = await comparison.digests([
      page('<title>Install — Tool 2.0</title><main><h1>Install <i>it</i></h1></main>'),
      page('<title>Notes</title><main><p>Text.</p></main>'),
    ]);
    assert.deepEqual(
      digests.map(({ title }) => title),
      ['Install it', 'Notes'],
    );
  });

  it('gives no hash to a page that is not read entirely', async () => {
    const deep = `<main>${'<div>'.repeat(1_000)}text</main>`;
    assert.deepEqual(await comparison.digests([page(deep)]), [{ hash: '', title: '' }]);
  });

  it('marks inserted and removed words', async () => {
    const difference = await differenceOf(
      '<main><h1>Install</h1><p>Run the old command twice.</p><p>Done.</p></main>',
      '<main><h1>Install</h1><p>Run the new command twice.</p><p>Done.</p></main>',
    );
    assert.deepEqual(shown(difference), ['# Install', 'Run the -old-+new+ command twice.', 'Done.']);
    assert.equal(difference.isCut, false);
  });

  it('finds the anchors of headings, from the second page where both have them', async () => {
    const { blocks } = await differenceOf(
      '<main><h1 id="a">A</h1><p>One.</p><h2 id="old">Kept</h2><p>Two.</p><h2 id="gone">Gone for good</h2></main>',
      '<main><h1>A</h1><p>One.</p><h2 id="new">Kept</h2><p>Two.</p></main>',
    );
    assert.deepEqual(
      blocks.filter(({ isHeading }) => isHeading).map(({ anchor }) => anchor),
      [undefined, 'new', 'gone'],
    );
  });

  it('keeps the lines of code and their spaces', async () => {
    const code = (wait: string) =>
      `<main><h1>Run</h1><p>So:</p><pre><span>def</span> run():\n    <b>wait</b>(${wait})\n    return 1</pre><p>Done.</p></main>`;
    const { blocks } = await differenceOf(code('1'), code('20'));
    assert.deepEqual(shown({ blocks }), [
      '# Run',
      'So:',
      'def run():',
      '    wait(-1-+20+)',
      '    return 1',
      'Done.',
    ]);
    assert.deepEqual(
      blocks.map(({ isCode = false }) => isCode),
      [false, false, true, true, true, false],
    );
  });

  it('keeps blank lines of code, however they are written', async () => {
    const code = '\n\na\n\n  \n  b<br><br>c<div>d</div><div>e\n</div><i>f</i>\n\n';
    const html = `<main><h1>Run</h1><pre>${code}</pre><p>So.</p></main>`;
    const lines = ['# Run', 'a', '', '', '  b', '', 'c', 'd', 'e', 'f', 'So.'];
    assert.deepEqual(shown(await differenceOf(html, html)), lines);
    const more = html.replace('c<div>', 'c\n\n<div>');
    assert.deepEqual(shown(await differenceOf(html, more)), lines.toSpliced(7, 0, '++'));
  });

  it('marks whole blocks where they have little in common', async () => {
    const difference = await differenceOf(
      '<main><h1>A</h1><p>One thing.</p><p>Kept here.</p><p>Last words</p></main>',
      '<main><h1>B</h1><p>Kept here.</p><p>Quite something else, entirely</p><p>More</p></main>',
    );
    assert.deepEqual(shown(difference), [
      '# -A-+B+',
      '-One thing.-',
      'Kept here.',
      '-Last words-',
      '+Quite something else, entirely+',
      '+More+',
    ]);
  });

  it('shows a changed heading once, also with text in front of it and new wording throughout', async () => {
    const difference = await differenceOf(
      '<main><h1>A</h1><p>Gone.</p><h2>Old name</h2><p>Some text.</p></main>',
      '<main><h1>A</h1><h2>Title</h2><p>Other words, all of them.</p></main>',
    );
    assert.deepEqual(shown(difference), [
      '# A',
      '-Gone.-',
      '# -Old name-+Title+',
      '-Some text.-',
      '+Other words, all of them.+',
    ]);
  });

  it('takes no heading for another where a page has more of them', async () => {
    const difference = await differenceOf(
      '<main><h1>A</h1><h2>Old name</h2></main>',
      '<main><h1>A</h1><h2>Introduction</h2><h2>Title</h2></main>',
    );
    assert.deepEqual(shown(difference), ['# A', '# -Old name-', '# +Introduction+', '# +Title+']);
  });

  it('compares a page without main content as a whole', async () => {
    assert.deepEqual(shown(await differenceOf('', 'text')), ['+text+']);
    assert.deepEqual(shown(await differenceOf('', '')), []);
  });

  it('cuts the comparison of long pages with nothing in common, and reports it', async () => {
    const long = (word: string) =>
      `<main>${Array.from({ length: 6_000 }, (_, index) => `<p>${word} ${index} ${word}${index}</p>`).join('')}</main>`;
    const difference = await differenceOf(long('a'), long('b'));
    assert.equal(difference.isCut, true);
    assert.ok(difference.blocks.length > 0);
  });

  it('refuses when too many comparisons wait, and once it is closed', async () => {
    const busy = new ThreadedPageComparison();
    const slow = page(`<main>${'<p>text and more</p>'.repeat(20_000)}</main>`);
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => busy.digests([slow])));
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.ok(refused.length > 0 && refused.length < 60);
    for (const result of refused) {
      assert.equal((result as PromiseRejectedResult).reason.code, 'unavailable');
    }
    await busy.close();
    await assert.rejects(busy.digests([]), { code: 'unavailable' });
    await busy.close();
  });
});
