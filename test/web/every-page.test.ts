import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { libraries, publicDirectory } from '../../src/adapters/web/index.js';
import { attributes, everyPage, HOSTILE, hostileProject, indexOf, pages, words } from './samples.js';

for (const [name, html] of everyPage) {
  describe(`The page ${name}`, () => {
    const tags = [...html.matchAll(/<([a-z][a-z0-9]*)\b((?:[^>"]|"[^"]*")*)>/g)];

    it('is a whole document with one h1, a language and a title', () => {
      assert.match(
        html,
        /^<!doctype html>\n<html lang="en"><head><meta charset="utf-8"\/?><meta http-equiv="Content-Security-Policy" content="script-src [^"]+"\/?><title>[^<]+<\/title>/,
      );
      assert.match(html, /<\/html>\n$/);
      assert.equal(html.match(/<h1\b/g)?.length, 1);
    });

    it('has metadata for link previews', () => {
      for (const name of ['property="og:title"', 'property="og:description"', 'name="description"'])
        assert.match(html, new RegExp(`<meta ${name} content="[^"]+"`));
    });

    it('has landmarks, and a skip link to the main one', () => {
      for (const landmark of ['header', 'nav', 'main', 'footer'])
        assert.match(html, new RegExp(`<${landmark}\\b`));
      assert.match(html, /<a class="skip-link" href="#main">/);
      assert.match(html, /<main id="main"/);
    });

    it('has no script but hashed files of its own, no style, no handler, and no frame that runs scripts', () => {
      const forbidden = tags.filter(([, tag = '', rest = '']) => {
        const names = [...rest.replace(/="[^"]*"/g, '=').matchAll(/([^\s=/]+)/g)].map(([found]) => found);
        return (
          /^(style|object|base)$/.test(tag) ||
          (tag === 'iframe' && !rest.endsWith(' sandbox="allow-same-origin"')) ||
          (tag === 'script' &&
            !/^ src="\/-\/(?:assets\/[\w./-]+|switcher[\w/-]*)\.js" integrity="sha256-[^"]+" (?:defer|type="module"(?: blocking="render")?)$/.test(
              rest,
            )) ||
          names.some((found) => /^(style$|on)/i.test(found))
        );
      });
      assert.deepEqual(
        forbidden.map(([tag]) => tag),
        [],
      );
    });

    it('has no element made of hostile text', () => {
      assert.ok(!html.includes('<script>'));
      assert.ok(!html.includes('<img src=x'));
    });

    it('loads nothing from other hosts, and links there only for a docinfo', () => {
      const own = html.replace(/<a (?:class="[^"]*" )?href="[^"]*" rel="external/g, '<a rel="external');
      for (const address of [
        ...attributes(own, 'href'),
        ...attributes(own, 'src'),
        ...attributes(own, 'action'),
      ]) {
        assert.doesNotMatch(address, /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i);
      }
    });

    it('links existing assets only', () => {
      const assets = [...attributes(html, 'href'), ...attributes(html, 'src')].filter((to) =>
        to.startsWith('/-/assets/'),
      );
      assert.ok(assets.length >= 2);
      for (const asset of assets) {
        const isOfLibrary = libraries.some(({ path }) => path === asset);
        assert.ok(isOfLibrary || existsSync(join(publicDirectory, asset)), asset);
      }
    });

    it('uses each id once, and references existing ids only', () => {
      const ids = attributes(html, 'id');
      assert.equal(new Set(ids).size, ids.length);
      const named = [
        ...attributes(html, 'aria-labelledby'),
        ...attributes(html, 'for'),
        ...attributes(html, 'href')
          .filter((to) => to.startsWith('#'))
          .map((to) => to.slice(1)),
      ];
      for (const id of named) assert.ok(ids.includes(id), id);
    });
  });
}

describe('Hostile text', () => {
  it('is shown as text: name, description, label and search', () => {
    const html = pages.index(indexOf({ projects: [hostileProject], search: HOSTILE }));
    assert.ok(words(html).split(HOSTILE.replace(/\s+/g, ' ')).length > 4);
    assert.ok(attributes(html, 'value').includes(HOSTILE));
  });

  it('is shown as text in titles, messages and file names', () => {
    assert.ok(words(pages.failure({ status: 400, title: HOSTILE, message: HOSTILE })).includes(HOSTILE));
    const listing = pages.listing({
      project: hostileProject,
      version: hostileProject.latest,
      files: [`${HOSTILE}.html`],
      sizes: [`${HOSTILE}.html`].map(() => 1_000),
      more: false,
      hasSwitcher: false,
    });
    assert.ok(
      attributes(listing, 'href').includes(`${HOSTILE}.html`.split('/').map(encodeURIComponent).join('/')),
    );
  });
});
