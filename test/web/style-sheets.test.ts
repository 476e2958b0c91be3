import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { publicDirectory } from '../../src/adapters/web/index.js';
import { contrastOf } from '../../src/adapters/web/site/open-site.js';
import { ROOT } from '../support/root.js';

const ASSETS = join(publicDirectory, '-/assets');
const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.css'));
const sheets = new Map(
  await Promise.all(names.map(async (name) => [name, await readFile(join(ASSETS, name), 'utf8')] as const)),
);
const common = sheets.get('lectern.css') ?? '';
/** Text colours, and the backgrounds that they are on. */
const PAIRS = [
  ...['ink', 'grey', 'accent', 'accent-strong', 'caution', 'wrong'].flatMap((text) => [
    [text, 'paper'] as const,
    [text, 'surface'] as const,
  ]),
  ['accent-ink', 'accent'],
  ['accent-ink', 'accent-strong'],
  ['ink', 'accent-surface'],
  ['ink', 'found'],
  ['good', 'good-surface'],
  ['caution', 'caution-surface'],
  ['wrong', 'wrong-surface'],
] as const;

/** Colours of a theme, by the names of their tokens: the dark theme changes some of the light ones. */
function coloursOf(theme: 'light' | 'dark'): ReadonlyMap<string, string> {
  const [light = '', dark = ''] = [...common.matchAll(/:root \{([^}]*)\}/g)].map(([, body]) => body);
  const declared = [...(theme === 'light' ? light : light + dark).matchAll(/--([\w-]+): (#\w{6});/g)];
  return new Map(declared.map(([, name = '', colour = '']) => [name, colour]));
}

describe('The style sheets', () => {
  for (const theme of ['light', 'dark'] as const) {
    it(`have a contrast of 4.5 for text in the ${theme} theme`, () => {
      const colours = coloursOf(theme);
      for (const [text, background] of PAIRS) {
        const contrast = contrastOf(colours.get(text) ?? '', colours.get(background) ?? '');
        assert.ok(contrast >= 4.5, `${text} on ${background}: ${contrast}`);
      }
    });
  }

  it('have four sizes of text and two weights', () => {
    assert.deepEqual(
      [...common.matchAll(/--(small|body|large|title): /g)].map(([, name]) => name),
      ['small', 'body', 'large', 'title'],
    );
    for (const [name, css] of sheets) {
      for (const [declaration, size] of css.matchAll(/font-size: ([^;]+);/g))
        assert.match(
          size ?? '',
          /^(?:var\(--(?:small|body|large|title)\)|inherit)$/,
          `${name}: ${declaration}`,
        );
      for (const [declaration, weight] of css.matchAll(/font-weight: ([^;]+);/g))
        assert.match(weight ?? '', /^(?:var\(--strong\)|400|inherit|100 900)$/, `${name}: ${declaration}`);
    }
  });

  it('name the font by the version of its package', async () => {
    const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const file = `inter-${devDependencies['@fontsource-variable/inter']}.woff2`;
    assert.ok(common.includes(`url("${file}")`), file);
    assert.ok((await readFile(join(ROOT, 'src/adapters/web/public-files.ts'), 'utf8')).includes(file));
  });

  it('name colours as tokens only', () => {
    for (const [name, css] of sheets) {
      const rules = name === 'lectern.css' ? css.slice(css.indexOf('/* Base */')) : css;
      assert.doesNotMatch(rules, /#[\da-f]{3,8}\b(?=[;,\s)])/i, name);
    }
  });
});
