import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HostOfSites, MAIN_HOST } from '../../src/application/pages/site-addresses.js';
import type { ArchiveContent } from '../../src/application/ports/archives.js';
import { siteWarnings } from '../../src/application/versions/site-warnings.js';
import { Catalogue, NO_SETTINGS, warningText } from '../../src/domain/index.js';
import type { RootedLinks } from '../../src/formats/html/rooted-links.js';
import { makeVersion } from '../web/samples.js';

const WITH_HOSTS: HostOfSites = { ...MAIN_HOST, hasHosts: true };

/** Returns the warnings about `tool` 1.0, which the alias `lts` points to; there is a 2.0, too. */
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
  it('are empty for a site without faults', () => {
    assert.deepEqual(warningsAbout({}), []);
  });

  it("name the builder's setting for a site built for the root of a host", () => {
    const rootedLinks = { base: '/', links: 14, pages: 3, example: '/assets/a.css', builder: 'VitePress' };
    assert.deepEqual(warningsAbout({ rootedLinks }, { ...MAIN_HOST, basePath: '/docs' }), [
      {
        code: 'other_address',
        message:
          "The site was built for the root of a host, so its styles or scripts won't load here: in a sample, 14 links in " +
          "3 pages point outside the site, such as '/assets/a.css'",
        fix: "Rebuild it with base: '/docs/tool-1.0/' in .vitepress/config.js",
      },
    ]);
    assert.deepEqual(warningsAbout({ rootedLinks }, WITH_HOSTS), []);
  });

  it('name the base of a site built for another address, without a setting for an unknown builder', () => {
    const rootedLinks = { base: '/x/', links: 1, pages: 1, example: '/x/a.js' };
    for (const at of [MAIN_HOST, WITH_HOSTS]) {
      assert.deepEqual(textsAbout({ rootedLinks }, at), [
        "The site was built for /x/, so its styles or scripts won't load here: in a sample, 1 link in 1 page points outside the site, " +
          "such as '/x/a.js'. Rebuild it with /tool-1.0/ as its base path.",
      ]);
    }
  });

  it('mention a site bound to an alias, as long as the alias stands for it', () => {
    const builtFor = (base: string) => ({
      rootedLinks: { base, links: 14, pages: 3, example: `${base}a.css`, builder: 'VitePress' },
    });
    assert.deepEqual(textsAbout(builtFor('/tool-lts/')), [
      'The site was built for /tool-lts/, and works only there, while that alias points to this version. ' +
        "Build it with base: '/tool-1.0/' in .vitepress/config.js to keep it working after that.",
    ]);
    assert.match(
      textsAbout(builtFor('/tool-latest/')).join(),
      /built for \/tool-latest\/, so its styles or scripts won't load here/,
    );
    assert.deepEqual(textsAbout(builtFor('/tool-1.0/')), []);
  });

  it('name three missing styles and scripts, scripts last', () => {
    assert.deepEqual(
      textsAbout({
        hasIndex: false,
        missingStyles: { first: ['a\n.css'], count: 1 },
        missingScripts: { first: ['a.js', 'b.js', 'c.js'], count: 9 },
      }),
      [
        "Pages load styles that are not in the archive: 'a\\u000a.css'. " +
          'Include all files that the builder writes, and replace symbolic links with the files they point to.',
        'The site has no index.html at its root, so /tool-1.0/ shows a list of files. ' +
          'Publish the directory that contains index.html.',
        "Pages load scripts that are not in the archive: 'a.js', 'b.js', 'c.js' and 6 more. " +
          'Include all files that the builder writes, and replace symbolic links with the files they point to.',
      ],
    );
  });

  it('count the pages drawn by scripts', () => {
    assert.deepEqual(textsAbout({ drawn: { count: 10, of: 11 } }), [
      'Scripts render the site: in a sample, 10 of 11 pages have almost no text, so search and agents find little. ' +
        'Turn on prerendering or static export in the builder, so that the pages contain the text.',
    ]);
  });

  it('mention a 404.html that finds no styles at other addresses', () => {
    const pageFor = (base: string): { readonly missingPageLinks: RootedLinks } => ({
      missingPageLinks: { base, links: 2, pages: 1, example: `${base}a.css`, builder: 'MkDocs' },
    });
    assert.deepEqual(textsAbout(pageFor('/')), [
      "The site's 404.html loads '/a.css', which does not exist, so Lectern shows its own 404 page instead. " +
        'To show the 404 page of the site, build it with a site_url that ends with /tool-1.0/ in mkdocs.yml.',
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

  it('name the files with an unsupported charset', () => {
    const first = ['a', 'b', 'c'].map((name) => ({ path: `${name}.html`, label: 'iso-2022-jp' }));
    assert.deepEqual(
      [
        ...textsAbout({ refusedCharsets: { first: first.slice(0, 1), count: 1 } }),
        ...textsAbout({ refusedCharsets: { first, count: 5 } }),
      ],
      [
        "1 file declares a charset that Lectern does not support, and is sent as UTF-8: 'a.html' ('iso-2022-jp'). Save them as UTF-8 and declare it.",
        "5 files declare charsets that Lectern does not support, and are sent as UTF-8: 'a.html' ('iso-2022-jp'), 'b.html' ('iso-2022-jp'), 'c.html' ('iso-2022-jp') and 2 more. Save them as UTF-8 and declare it.",
      ],
    );
  });

  it('name pages too long to be read to their ends', () => {
    assert.deepEqual(
      [
        ...textsAbout({ longPages: { first: ['a.html'], count: 1 } }),
        ...textsAbout({ longPages: { first: ['a.html', 'b.html', 'c.html'], count: 5 } }),
      ],
      [
        "1 page is larger than 10 MB, so search and agents read only the beginning: 'a.html'. Split the content into several pages.",
        "5 pages are larger than 10 MB, so search and agents read only the beginning: 'a.html', 'b.html', 'c.html' and 2 more. Split the content into several pages.",
      ],
    );
  });

  it('give the reason for an ignored docinfo, and its fields without effect', () => {
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
        ...textsAbout({
          missingFiles: { file: 'docinfo.yaml', paths: ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'] },
        }),
      ],
      [
        "docinfo.yaml has an unknown field: 'naem'. Did you mean 'name'?",
        "docinfo.yaml has unknown fields: 'a', 'b', 'tgas' and 1 more. Did you mean 'tags'?",
        "docinfo.yaml has an unknown field: 'colour'. Remove it.",
        "docinfo.yaml names files that are not in the site: 'a.pdf', 'b.pdf', 'c.pdf' and 1 more. Include these files, or correct their paths, which are relative to the root of the site.",
      ],
    );
  });

  it('name lines of _redirects without effect', () => {
    assert.deepEqual(textsAbout({ redirectProblems: 'In _redirects, line 3 has no target' }), [
      'In _redirects, line 3 has no target. Write each line as `/from /to 301`, with paths inside the site.',
    ]);
  });
});
