import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HostOfSites, MAIN_HOST } from '../../src/application/pages/site-addresses.js';
import type { ArchiveContent } from '../../src/application/ports/archives.js';
import { siteWarnings } from '../../src/application/versions/site-warnings.js';
import { Catalogue, NO_SETTINGS, warningText } from '../../src/domain/index.js';
import type { RootedLinks } from '../../src/formats/html/rooted-links.js';
import { makeVersion } from '../web/samples.js';

const WITH_HOSTS: HostOfSites = { ...MAIN_HOST, hasHosts: true };

/** Warnings about `tool` 1.0, which an alias `lts` stands for; 2.0 is there, too. */
function warningsAbout(found: Partial<ArchiveContent>, at: HostOfSites = MAIN_HOST) {
  const content = { facts: { site: { files: 2, bytes: 2 } }, hasIndex: true, ...found };
  const version = makeVersion('tool', '1.0');
  const seen = Catalogue.of([version, makeVersion('tool', '2.0')]).changed({
    settings: [['tool', { ...NO_SETTINGS, aliases: new Map([['lts', '1.0']]) }]],
  });
  return siteWarnings(content, { project: seen.project('tool'), version }, seen, at);
}

const textsAbout = (...args: Parameters<typeof warningsAbout>) => warningsAbout(...args).map(warningText);

describe('The warnings about a site', () => {
  it('are none of one in order', () => {
    assert.deepEqual(warningsAbout({}), []);
  });

  it('tell the setting of a builder that built for the root of a host', () => {
    const rootedLinks = { base: '/', links: 14, pages: 3, example: '/assets/a.css', builder: 'VitePress' };
    assert.deepEqual(warningsAbout({ rootedLinks }, { ...MAIN_HOST, basePath: '/docs' }), [
      {
        code: 'other_address',
        message:
          'The site was built for the root of a host, so it loads without its styles or scripts: of a sample, 14 links in ' +
          "3 pages lead out of it, such as '/assets/a.css'",
        fix: "Build it again with base: '/docs/tool-1.0/' in .vitepress/config.js",
      },
    ]);
    assert.deepEqual(warningsAbout({ rootedLinks }, WITH_HOSTS), []);
  });

  it('tell the base of a site that was built for another address, and what to set of no known builder', () => {
    const rootedLinks = { base: '/x/', links: 1, pages: 1, example: '/x/a.js' };
    for (const at of [MAIN_HOST, WITH_HOSTS]) {
      assert.deepEqual(textsAbout({ rootedLinks }, at), [
        'The site was built for /x/, so it loads without its styles or scripts: of a sample, 1 link in 1 page leads out of it, ' +
          "such as '/x/a.js'. Build it again with /tool-1.0/ as its base path.",
      ]);
    }
  });

  it('tell of a site that is read at an alias as long as that stands for it', () => {
    const builtFor = (base: string) => ({
      rootedLinks: { base, links: 14, pages: 3, example: `${base}a.css`, builder: 'VitePress' },
    });
    assert.deepEqual(textsAbout(builtFor('/tool-lts/')), [
      'The site was built for /tool-lts/, and is read there as long as that stands for this version. ' +
        "Build it with base: '/tool-1.0/' in .vitepress/config.js to keep it readable afterwards.",
    ]);
    assert.match(
      textsAbout(builtFor('/tool-latest/')).join(),
      /built for \/tool-latest\/, so it loads without/,
    );
    assert.deepEqual(textsAbout(builtFor('/tool-1.0/')), []);
  });

  it('name three of the styles and scripts that are missing, scripts last', () => {
    assert.deepEqual(
      textsAbout({
        hasIndex: false,
        missingStyles: { first: ['a\n.css'], count: 1 },
        missingScripts: { first: ['a.js', 'b.js', 'c.js'], count: 9 },
      }),
      [
        "Pages ask for styles that are not in the archive: 'a\\u000a.css'. " +
          'Pack all files that the builder writes, with files in place of symbolic links.',
        'There is no index.html at the root of the site, so /tool-1.0/ shows a list of its files. ' +
          'Publish the directory that has index.html.',
        "Pages ask for scripts that are not in the archive: 'a.js', 'b.js', 'c.js' and 6 more. " +
          'Pack all files that the builder writes, with files in place of symbolic links.',
      ],
    );
  });

  it('tell how many pages scripts draw', () => {
    assert.deepEqual(textsAbout({ drawn: { count: 10, of: 11 } }), [
      'Scripts draw the site: 10 of 11 pages of a sample have almost no text, so search and agents find little. ' +
        'Have the builder write the text into the pages, which builders call prerendering or static export.',
    ]);
  });

  it('tell of a 404.html that finds no styles where it would be shown', () => {
    const pageFor = (base: string): { readonly missingPageLinks: RootedLinks } => ({
      missingPageLinks: { base, links: 2, pages: 1, example: `${base}a.css`, builder: 'MkDocs' },
    });
    assert.deepEqual(textsAbout(pageFor('/')), [
      "The site's 404.html asks for '/a.css', which is not there, so readers of a missing page get Lectern's. " +
        'To have its own one shown, build it with a site_url that ends with /tool-1.0/ in mkdocs.yml.',
    ]);
    assert.deepEqual(textsAbout(pageFor('/'), WITH_HOSTS), []);
    const rootedLinks = { base: '/', links: 1, pages: 1, example: '/a.js' };
    assert.deepEqual(
      warningsAbout({ ...pageFor('/'), rootedLinks }).map(({ code }) => code),
      ['other_address'],
    );
    for (const base of ['/tool-1.0/', '/tool-2.0/', '/tool-latest/']) {
      assert.deepEqual(textsAbout(pageFor(base)), [], base);
    }
  });

  it('name the files whose charset is not taken', () => {
    const first = ['a', 'b', 'c'].map((name) => ({ path: `${name}.html`, label: 'iso-2022-jp' }));
    assert.deepEqual(
      [
        ...textsAbout({ refusedCharsets: { first: first.slice(0, 1), count: 1 } }),
        ...textsAbout({ refusedCharsets: { first, count: 5 } }),
      ],
      [
        "1 file declares a charset that Lectern does not take, and is sent as UTF-8: 'a.html' ('iso-2022-jp'). Save them as UTF-8, and declare that.",
        "5 files declare charsets that Lectern does not take, and are sent as UTF-8: 'a.html' ('iso-2022-jp'), 'b.html' ('iso-2022-jp'), 'c.html' ('iso-2022-jp') and 2 more. Save them as UTF-8, and declare that.",
      ],
    );
  });

  it('name pages that are too long to be read to their ends', () => {
    assert.deepEqual(
      [
        ...textsAbout({ longPages: { first: ['a.html'], count: 1 } }),
        ...textsAbout({ longPages: { first: ['a.html', 'b.html', 'c.html'], count: 5 } }),
      ],
      [
        "1 page has more than 10 MB of HTML, so search and agents read no more than its beginning: 'a.html'. Have the builder write several pages in place of one.",
        "5 pages have more than 10 MB of HTML, so search and agents read no more than their beginnings: 'a.html', 'b.html', 'c.html' and 2 more. Have the builder write several pages in place of one.",
      ],
    );
  });

  it('tell why a docinfo was ignored, and which of its fields do nothing', () => {
    assert.deepEqual(textsAbout({ docinfoProblem: 'docinfo.yaml is not valid YAML' }), [
      'The docinfo was ignored: docinfo.yaml is not valid YAML. Correct the file, and publish again.',
    ]);
    const unknown = (...fields: readonly { readonly field: string; readonly meant?: string }[]) =>
      textsAbout({ unknownFields: { file: 'docinfo.yaml', fields } });
    assert.deepEqual(
      [
        ...unknown({ field: 'naem', meant: 'name' }),
        ...unknown({ field: 'a' }, { field: 'b' }, { field: 'tgas', meant: 'tags' }, { field: 'd' }),
        ...unknown({ field: 'colour' }),
      ],
      [
        "docinfo.yaml has an unknown field: 'naem'. Did you mean 'name'?",
        "docinfo.yaml has unknown fields: 'a', 'b', 'tgas' and 1 more. Did you mean 'tags'?",
        "docinfo.yaml has an unknown field: 'colour'. Remove it.",
      ],
    );
  });

  it('tell of lines of _redirects that do nothing', () => {
    assert.deepEqual(textsAbout({ redirectProblems: 'In _redirects, line 3 has no target' }), [
      'In _redirects, line 3 has no target. Write each line as `/from /to 301`, with paths of the site.',
    ]);
  });
});
