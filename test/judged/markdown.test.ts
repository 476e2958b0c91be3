/** Markdown of ten pages of ten builders, from Debian's packages, which are downloaded the first time. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { markdownOf } from '../../src/formats/html/index.js';
import { ROOT } from '../support/root.js';
import { plain } from './plain-markdown.js';
import { unpacked } from './unpack.js';

interface JudgedPage {
  readonly package: string;
  readonly file: string;
  readonly builder: string;
  readonly headings: readonly string[];
  readonly must: readonly string[];
  readonly code: readonly string[];
  readonly mustNot: readonly string[];
}

const { pages } = JSON.parse(readFileSync(join(ROOT, 'test/judged/markdown-pages.json'), 'utf8')) as {
  readonly pages: readonly JudgedPage[];
};

/** Code without the indentation that all of its lines have. */
function dedented(code: string): string {
  const lines = code.replace(/^\n+|\s+$/g, '').split('\n');
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  return lines.map((line) => line.slice(Math.min(...indents)).trimEnd()).join('\n');
}

describe('The Markdown of a page built with a documentation tool', { timeout: 9 * 60_000 }, () => {
  for (const page of pages) {
    it(`has the text, code and headings of ${page.builder}, and no menus`, async (test) => {
      const file = await unpacked({ project: '', package: page.package, path: page.file }).catch(
        () => undefined,
      );
      if (file === undefined) return test.skip('apt cannot download packages here');
      const markdown = markdownOf(readFileSync(file));
      const text = plain(markdown.text);
      const code = Array.from(
        markdown.text.matchAll(/^ *(`{3,})[^\n`]*\n([\s\S]*?)\n *\1$/gm),
        ([, , lines = '']) => dedented(lines),
      );
      const headings = markdown
        .blocks()
        .filter(({ kind }) => kind === 'heading')
        .map((block) => plain(block.text));
      assert.deepEqual(
        {
          isCut: markdown.isCut,
          missing: page.must.filter((each) => !text.includes(plain(each))),
          code: page.code.filter((each) => !code.some((lines) => lines.includes(dedented(each)))),
          headings: page.headings.filter((each) => !headings.includes(plain(each))),
          menus: page.mustNot.filter((each) => text.includes(plain(each))),
        },
        { isCut: false, missing: [], code: [], headings: [], menus: [] },
      );
    });
  }
});
