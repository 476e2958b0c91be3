import { type Builder, run, unpackPackage, write } from './built-sites.js';
import { builtByNpm } from './npm.js';
import { CODE_AND_TABLE, DOCUSAURUS, VITEPRESS } from './sites-with-a-router.js';

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

const mkdocs = (name: string, theme: string): Builder => ({
  name,
  page: 'index.html',
  build: async (work) => {
    await write(work, {
      'mkdocs.yml': `site_name: Kettle\ntheme:\n  name: ${theme}\n  font: false\n`,
      'docs/index.md': MARKDOWN,
      'docs/cleaning.md': '# Cleaning\n\nVinegar.\n',
      'docs/repair.md': '# Repair\n\nCall somebody.\n',
    });
    await run(work, 'mkdocs', 'build', '-q', '-d', 'site');
  },
});

/** All builders that are tried; `docs/builders.md` has a recipe for each. */
export const BUILDERS: readonly Builder[] = [
  sphinx('sphinx-alabaster', 'alabaster'),
  sphinx('sphinx-rtd', 'sphinx_rtd_theme'),
  sphinx('sphinx-pydata', 'pydata_sphinx_theme'),
  sphinx('sphinx-furo', 'furo'),
  mkdocs('mkdocs', 'mkdocs'),
  mkdocs('mkdocs-material', 'material'),
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
    packages: ['typedoc@0.28.20', 'typescript@5.9.3'],
    files: {
      'package.json': '{ "name": "kettle", "version": "1.0.0", "type": "module" }',
      'README.md': MARKDOWN,
      'tsconfig.json': '{ "compilerOptions": { "types": [] }, "files": ["kettle.ts"] }',
      'kettle.ts':
        '/** A kettle. */\nexport class Kettle {\n  /** Boils. */\n  boil(): number {\n    return 100;\n  }\n}\n',
    },
    command: ['typedoc', '--out', 'built', 'kettle.ts'],
  }),
  {
    name: 'javadoc',
    page: 'org/apache/commons/codec/binary/Base64.html',
    build: (work) =>
      unpackPackage(work, 'libcommons-codec-java-doc', {
        from: 'usr/share/doc/libcommons-codec-java/api',
        patterns: ['*'],
      }),
  },
  {
    name: 'rustdoc',
    page: 'core/option/enum.Option.html',
    build: (work) =>
      unpackPackage(work, 'rust-doc', {
        from: 'usr/share/doc/rust-doc/html',
        patterns: ['*.css', '*1.63.0.*', '*.woff2', 'core/option'],
      }),
  },
  {
    name: 'mdbook',
    page: 'ch01-01-installation.html',
    build: (work) =>
      unpackPackage(work, 'rust-doc', {
        from: 'usr/share/doc/rust-doc/html/book',
        patterns: ['*.css', 'book.js', 'css', 'ch01-0*.html'],
      }),
  },
];
