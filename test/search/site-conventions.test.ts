import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplePaths, siteConventions } from '../../src/formats/html/index.js';
import { outline, read } from './read.js';

/** A sample of ten pages. */
const sampleOf = (htmlOf: (number: number) => string) =>
  Array.from({ length: 10 }, (_, number) => read(htmlOf(number), { path: `page${number}.html` }));
const own = (number: number) => 'abcdefghij'[number] ?? '';

describe('The conventions of a site', () => {
  it('are the endings of titles shared by 30 % of the pages', () => {
    const conventions = siteConventions(
      sampleOf((n) => `<title>${own(n)} &mdash; ${n < 3 ? 'Flask Documentation (2.2.x)' : own(n)}</title>`),
    );
    assert.equal(read('<title>API — Flask Documentation (2.2.x)</title>', { conventions }).title, 'API');
    assert.equal(read('<title>API — a</title>', { conventions }).title, 'API — a');
  });

  it('are the longest of several endings, and beginnings', () => {
    const titles = sampleOf((n) => `<title>Eigen: ${own(n)} | Guide | Eigen</title>`);
    const conventions = siteConventions(titles);
    assert.equal(read('<title>Eigen: Arrays | Guide | Eigen</title>', { conventions }).title, 'Arrays');
    assert.equal(read('<title>Eigen: Arrays | API | Eigen</title>', { conventions }).title, 'Arrays | API');
  });

  it('keep a title that consists of conventions only', () => {
    const conventions = siteConventions(sampleOf((n) => `<title>${own(n)} - Kettle</title>`));
    assert.equal(read('<title>Kettle</title>', { conventions }).title, 'Kettle');
    assert.equal(read('<title> - Kettle</title>', { conventions }).title, '- Kettle');
  });

  it('are h1 elements that name the site, whose text stays', () => {
    const conventions = siteConventions(sampleOf((n) => `<h1>Django 3.2</h1>${own(n)}<h2>${own(n)}</h2>`));
    const page = read('<h1>Django 3.2</h1>note<h2>Models</h2>text<h2>Django 3.2</h2>', { conventions });
    assert.deepEqual(outline(page), [
      [0, '', undefined, 'note'],
      [2, 'Models', undefined, 'text'],
      [2, 'Django 3.2', undefined, ''],
    ]);
    assert.equal(page.title, 'Models');
    assert.deepEqual(page.shared, ['Django 3.2']);
  });

  it('are sections with the same text, not only with the same heading', () => {
    const shared = '<h2>License</h2>MIT';
    const conventions = siteConventions(sampleOf((n) => `<h2>Methods</h2>${own(n)}${shared}`));
    const page = read(`<h2>Methods</h2>boil${shared}`, { conventions });
    assert.deepEqual(outline(page), [[2, 'Methods', undefined, 'boil']]);
    assert.deepEqual(page.shared, ['License\nMIT']);
  });

  it('keep a page that would be left empty', () => {
    const conventions = siteConventions(sampleOf(() => '<h2>License</h2>MIT'));
    assert.deepEqual(outline(read('<h2>License</h2>MIT', { conventions })), [
      [2, 'License', undefined, 'MIT'],
    ]);
  });

  it('are undetected in two pages', () => {
    const pages = sampleOf(() => '<title>A - B</title><h1>A</h1>text').slice(0, 2);
    const { titleEndings, titleBeginnings, headings, sections } = siteConventions(pages);
    assert.deepEqual([...titleEndings, ...titleBeginnings, ...headings, ...sections], []);
  });

  it('ignore redirects and generated lists', () => {
    const redirect = '<meta http-equiv=refresh content="0;url=a.html"><title>Moved - Kettle</title>';
    const redirects = sampleOf(() => redirect);
    const lists = sampleOf((n) => `<title>${n} - Kettle</title>`).map((page) => ({
      ...page,
      kind: 'generated-list' as const,
    }));
    assert.deepEqual(siteConventions([...redirects, ...lists]).titleEndings, []);
  });

  it('are unchanged by a transfer to another thread', () => {
    const conventions = structuredClone(
      siteConventions(sampleOf((n) => `<title>${own(n)} - Kettle</title>`)),
    );
    assert.equal(read('<title>Tea - Kettle</title>', { conventions }).title, 'Tea');
  });
});

describe('The sample of a site', () => {
  it('has 40 pages from all over it, the same ones each time', () => {
    const paths = Array.from({ length: 1_000 }, (_, number) => `${String(number).padStart(4, '0')}.html`);
    const sample = samplePaths(paths);
    assert.equal(new Set(sample).size, 40);
    assert.deepEqual(samplePaths(paths.toReversed()), sample);
    assert.deepEqual([sample[0], sample[39]], ['0000.html', '0975.html']);
  });

  it('has all pages of a small site', () => {
    assert.deepEqual(samplePaths(['b', 'a']), ['a', 'b']);
    assert.deepEqual(samplePaths([]), []);
  });
});
