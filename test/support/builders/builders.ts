import { join } from 'node:path';
import { type Builder, type PackagePart, run, unpackPackage, write } from './built-sites.js';
import { builtByNpm, hashOf } from './npm.js';
import { CODE_AND_TABLE, DOCUSAURUS, VITEPRESS } from './sites-with-a-router.js';
import { VERSIONS } from './versions.js';

/** The text of every built site: a page with headings, code and a table, and two more to go to. */
const KETTLE = `The kettle

Fill it, switch it on, and wait for the click. ${'A kettle boils a litre of water in about four minutes. '.repeat(40)}
`;
const MARKDOWN = `# ${KETTLE}
## Filling

${'Cold water, up to the line. '.repeat(60)}

${CODE_AND_TABLE}`;
const RST = `${KETTLE.replace('\n', '\n==========\n')}
Filling
-------

${'Cold water, up to the line. '.repeat(60)}

.. code-block:: python

   kettle.fill(litres=1).on()

.. toctree::

   cleaning
   repair
`;

const sphinx = (name: string, theme: string): Builder => ({
  name,
  page: 'index.html',
  build: async (work) => {
    await write(work, {
      'source/conf.py': `project = 'Kettle'\nhtml_theme = '${theme}'\n`,
      'source/index.rst': RST,
      'source/cleaning.rst': 'Cleaning\n========\n\nVinegar.\n',
      'source/repair.rst': 'Repair\n======\n\nCall somebody.\n',
    });
    await run(work, 'sphinx-build', '-q', '-b', 'html', 'source', 'site');
  },
});

/** @param base address that the site is built for: begins and ends with `/` */
const mkdocs =
  (name: string, theme: string) =>
  (base: string): Builder => {
    const files = {
      'mkdocs.yml': `site_name: Kettle
site_url: https://docs.example.org${base}
theme:
  name: ${theme}
  font: false
  highlightjs: false
`,
      'docs/index.md': MARKDOWN,
      'docs/cleaning.md': '# Cleaning\n\nVinegar.\n',
      'docs/repair.md': '# Repair\n\nCall somebody.\n',
    };
    return {
      name,
      page: 'index.html',
      key: hashOf(files),
      build: async (work) => {
        await write(work, files);
        await run(work, 'mkdocs', 'build', '-q', '-d', 'site');
      },
    };
  };
export const MKDOCS = mkdocs('mkdocs', 'mkdocs');
export const MATERIAL = mkdocs('mkdocs-material', 'material');

/** A site that a Debian package has, with files of its own. */
function unpacked(
  name: string,
  page: string,
  from: string,
  part: PackagePart,
  files: Readonly<Record<string, string>> = {},
): Builder {
  return {
    name,
    page,
    key: hashOf({ from, part, files }),
    build: async (work) => {
      await unpackPackage(work, from, part);
      await write(join(work, 'site'), files);
    },
  };
}

/** All builders that are tried; `docs/builders.md` has a recipe for each. */
export const BUILDERS: readonly Builder[] = [
  sphinx('sphinx-alabaster', 'alabaster'),
  sphinx('sphinx-rtd', 'sphinx_rtd_theme'),
  sphinx('sphinx-pydata', 'pydata_sphinx_theme'),
  sphinx('sphinx-furo', 'furo'),
  MKDOCS('/mkdocs-1.0/'),
  MATERIAL('/mkdocs-material-1.0/'),
  {
    name: 'doxygen',
    page: 'index.html',
    build: async (work) => {
      await write(work, {
        Doxyfile:
          'PROJECT_NAME = Kettle\nINPUT = source\nGENERATE_LATEX = NO\nGENERATE_TREEVIEW = YES\nHTML_OUTPUT = site\nUSE_MDFILE_AS_MAINPAGE = source/index.md\nQUIET = YES\n',
        'source/index.md': MARKDOWN,
        'source/kettle.h': '/// A kettle.\nclass Kettle {\npublic:\n  /// Boils.\n  void boil();\n};\n',
      });
      await run(work, 'doxygen');
    },
  },
  VITEPRESS.at('/vitepress-1.0/'),
  DOCUSAURUS.at('/docusaurus-1.0/'),
  builtByNpm({
    name: 'typedoc',
    packages: [`typedoc@${VERSIONS.typedoc}`, 'typescript@5.9.3'],
    files: {
      'package.json': '{ "name": "kettle", "version": "1.0.0", "type": "module" }',
      'README.md': MARKDOWN,
      'tsconfig.json': '{ "compilerOptions": { "types": [] }, "files": ["kettle.ts"] }',
      'kettle.ts':
        '/** A kettle. */\nexport class Kettle {\n  /** Boils. */\n  boil(): number {\n    return 100;\n  }\n}\n',
    },
    command: ['typedoc', '--out', 'built', 'kettle.ts'],
  }),
  unpacked('javadoc', 'org/apache/commons/codec/binary/Base64.html', 'libcommons-codec-java-doc', {
    from: 'usr/share/doc/libcommons-codec-java/api',
    patterns: ['*'],
  }),
  unpacked(
    'rustdoc',
    'core/option/enum.Option.html',
    'rust-doc',
    {
      from: 'usr/share/doc/rust-doc/html',
      patterns: ['*.css', '*1.63.0.*', '*.woff2', 'core/option'],
    },
    { 'index.html': '<meta http-equiv="refresh" content="0; url=core/option/index.html">\n' },
  ),
  unpacked('mdbook', 'ch01-01-installation.html', 'rust-doc', {
    from: 'usr/share/doc/rust-doc/html/book',
    patterns: [
      '*.css',
      'book.js',
      'ferris.js',
      'highlight.js',
      'favicon.*',
      'fonts',
      'css',
      'theme',
      'ch01-0*.html',
      'index.html',
    ],
    others: ['fonts-font-awesome', 'libjs-highlight.js'],
  }),
];
