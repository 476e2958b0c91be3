/**
 * Tokens (o200k) of pages as Markdown without links, divided by those of their text, on sites of four builders. Fails where these are more
 * than wanted.
 *
 *     node --import tsx test/judged/markdown-tokens.ts
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { markdownOf, readPage, samplePaths } from '../../src/formats/html/index.js';
import { ROOT } from '../support/root.js';
import { JUDGED_SITES } from './sites.js';
import { pagesBelow, unpacked } from './unpack.js';

/** Sites of each builder, and the ratio that it may have. */
const BUILDERS = [
  { name: 'DocBook', atMost: 1.15, sites: ['postgres', 'handbook-en-us'] },
  { name: 'mdBook', atMost: 1.15, sites: ['rust'], directory: 'book' },
  {
    name: 'Sphinx',
    atMost: 1.25,
    sites: [
      'borg',
      'click',
      'django',
      'flask',
      'jinja2',
      'pytest',
      'python',
      'requests',
      'sphinx',
      'sqlalchemy',
    ],
  },
] as const;
/** Pages of a site, from all over it. */
const PAGES = 60;
/** The tokenizer is fetched the first time, since nothing else needs it. */
const TOKENIZER = { package: 'gpt-tokenizer@4', home: join(ROOT, '.corpus', 'tokenizer') };

const countTokens = await tokenizer();
for (const { name, atMost, sites, ...builder } of BUILDERS) {
  const sums = { markdown: 0, text: 0 };
  const ratios: string[] = [];
  for (const site of JUDGED_SITES.filter(({ project }) => sites.some((each) => each === project))) {
    const { markdown, text } = tokensOf(
      join(await unpacked(site), 'directory' in builder ? builder.directory : ''),
    );
    sums.markdown += markdown;
    sums.text += text;
    ratios.push(`${site.project} ${(markdown / text).toFixed(2)}`);
  }
  const ratio = sums.markdown / sums.text;
  console.log(`${name}: ${ratio.toFixed(3)}, at most ${atMost} (${ratios.join(', ')})`);
  if (!(ratio <= atMost)) process.exitCode = 1;
}

/** Tokens of a site's pages. */
function tokensOf(directory: string): { readonly markdown: number; readonly text: number } {
  const sums = { markdown: 0, text: 0 };
  for (const path of samplePaths(pagesBelow(directory), PAGES)) {
    const bytes = readFileSync(join(directory, path));
    sums.markdown += countTokens(markdownOf(bytes).text);
    sums.text += countTokens(textOf(bytes, path));
  }
  return sums;
}

/** Returns the text of a page, with its headings and the lines of its code. */
function textOf(bytes: Buffer, path: string): string {
  const { sections } = readPage(bytes, { path, keepsCode: true });
  return sections.map(({ heading, text }) => `${heading}\n${text.replaceAll('\v', '\n')}`).join('\n');
}

async function tokenizer(): Promise<(text: string) => number> {
  const { package: name, home } = TOKENIZER;
  const file = join(home, 'node_modules/gpt-tokenizer/esm/encoding/o200k_base.js');
  if (!existsSync(file))
    await promisify(execFile)('npm', [
      'install',
      '--prefix',
      home,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      name,
    ]);
  const encoding: { countTokens(text: string, options: object): number } = await import(file);
  // Text that looks like a control token is counted like any other.
  return (text) => encoding.countTokens(text, { disallowedSpecial: new Set() });
}
