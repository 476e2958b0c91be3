import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readPage } from '../../src/formats/html/index.js';
import { ROOT } from '../support/root.js';
import { outline, wordsOf } from './read.js';

interface Expected {
  readonly builder: string;
  readonly file: string;
  readonly title: string;
  readonly language: string | undefined;
  /** Level, heading, anchor and text. */
  readonly sections: readonly (readonly [number, string, string | undefined, string])[];
  /** Texts of the page that are navigation or decoration. */
  readonly leftOut: readonly string[];
}

const PAGES: readonly Expected[] = [
  {
    builder: 'Sphinx',
    file: 'sphinx.html',
    title: 'Boiling water — Kettle 2.1 documentation',
    language: 'en',
    sections: [
      [
        1,
        'Boiling water',
        'boiling-water',
        'Fill the kettle, close the lid & press the switch.\nkettle = Kettle()\vkettle.boil(litres=1)',
      ],
      [2, 'Safety', 'safety', 'Never lift the lid while water boils.\nDescaling\nUse vinegar once a month.'],
      [2, 'The module', 'module-kettle', ''],
      [7, 'class kettle.Kettle', 'kettle.Kettle', 'A vessel that heats water.'],
      [
        7,
        'boil(litres, degrees=100)',
        'kettle.Kettle.boil',
        'Heat water.\nParameters:\nlitres – how much water, at most two.',
      ],
    ],
    leftOut: ['Quick search', 'Page source', 'Powered by', '[source]', '¶'],
  },
  {
    builder: 'Javadoc',
    file: 'javadoc.html',
    title: 'Kettle (Kettle 2.1 API)',
    language: 'en',
    sections: [
      [0, '', undefined, 'Package tea'],
      [
        1,
        'Class Kettle',
        undefined,
        'java.lang.Object\ntea.Kettle\npublic class Kettle extends Object\nA vessel that heats water.\nSince:\n2.0',
      ],
      [
        2,
        'Constructor Summary',
        'constructor-summary',
        'Constructors\nConstructor\nDescription\nKettle()\nMakes an empty kettle.',
      ],
      [
        2,
        'Method Summary',
        'method-summary',
        'Modifier and Type\nMethod\nDescription\nboolean\nboil(int litres)\nHeats water until it boils.',
      ],
      [
        3,
        'Methods inherited from class java.lang.Object',
        'methods-inherited-from-class-java.lang.Object',
        'clone, equals, finalize, getClass, hashCode, notify, notifyAll, toString, wait, wait, wait',
      ],
      [2, 'Constructor Details', 'constructor-detail', ''],
      [3, 'Kettle', '<init>()', 'public Kettle()\nMakes an empty kettle.'],
      [2, 'Method Details', 'method-detail', ''],
      [
        3,
        'boil',
        'boil(int)',
        'public boolean boil(int litres)\nHeats water until it boils.\nParameters:\nlitres - how much water, at most two\nReturns:\nwhether the water boils',
      ],
    ],
    leftOut: ['SEARCH:', 'Copyright 2026', 'Skip navigation'],
  },
  {
    builder: 'MkDocs',
    file: 'mkdocs.html',
    title: 'Boiling water - Kettle',
    language: 'en',
    sections: [
      [
        1,
        'Boiling water',
        'boiling-water',
        'Fill the kettle, close the lid & press the switch.\nkettle = Kettle()\vkettle.boil(litres=1)',
      ],
      [2, 'Safety', 'safety', 'Never lift the lid while water boils.'],
      [3, 'Descaling', 'descaling', 'Hardness Every\nsoft year\nhard month'],
    ],
    leftOut: ['Next', 'Keyboard Shortcuts', 'Changes', 'Documentation built with'],
  },
  {
    builder: 'Material for MkDocs',
    file: 'material.html',
    title: 'Boiling water - Kettle',
    language: 'en',
    sections: [
      [
        1,
        'Boiling water',
        'boiling-water',
        'Fill the kettle, close the lid & press the switch.\nkettle = Kettle()\vkettle.boil(litres=1)',
      ],
      [2, 'Safety', 'safety', 'Never lift the lid while water boils.'],
      [3, 'Descaling', 'descaling', 'Hardness Every\nsoft year\nhard month'],
    ],
    leftOut: ['Made with', 'Skip to content', 'Changes', 'Table of contents'],
  },
  {
    builder: 'Doxygen',
    file: 'doxygen.html',
    title: 'Kettle: Kettle Class Reference',
    language: undefined,
    sections: [
      [0, '', undefined, 'Kettle Class Reference\nA vessel that heats water. More...\n#include <kettle.hpp>'],
      [2, 'Public Member Functions', 'pub-methods', 'Kettle ()\nbool boil (int litres)'],
      [
        2,
        'Detailed Description',
        'details',
        'A vessel that heats water.\nFill it, close the lid & press the switch.',
      ],
      [2, 'Constructor & Destructor Documentation', undefined, ''],
      [2, 'Kettle()', 'aaa8bfa5ed1d60e47dcc3f56d94ba530c', 'Kettle::Kettle ( )\nMakes an empty kettle.'],
      [2, 'Member Function Documentation', undefined, ''],
      [
        2,
        'boil()',
        'a3994f2865ad71e99f71345b1b77ab02f',
        'bool Kettle::boil ( int litres )\nHeats water until it boils.\nParameters\nlitres how much water, at most two\nReturns\nwhether the water boils\nThe documentation for this class was generated from the following file:\nkettle.hpp',
      ],
    ],
    leftOut: ['Generated by', 'List of all members', 'Definition at'],
  },
  {
    builder: 'rustdoc',
    file: 'rustdoc.html',
    title: 'Kettle in kettle - Rust',
    language: 'en',
    sections: [
      [
        1,
        'Struct Kettle',
        'main-content',
        'pub struct Kettle {\vpub litres: u8,\v}\nA vessel that heats water.',
      ],
      [2, 'Safety', 'safety', 'Never lift the lid while water boils.'],
      [2, 'Fields', 'fields', 'litres: u8\nHow much fits in.'],
      [2, 'Implementations', 'implementations', ''],
      [3, 'impl Kettle', 'impl-Kettle', ''],
      [
        4,
        'pub fn boil(&self) -> bool',
        'method.boil',
        'Heats water until it boils.\nkettle::Kettle { litres: 1 }.boil();',
      ],
      [2, 'Trait Implementations', 'trait-implementations', ''],
      [3, 'impl Clone for Kettle', 'impl-Clone-for-Kettle', ''],
      [4, 'fn clone(&self) -> Kettle', 'method.clone', 'Returns a duplicate of the value. Read more'],
      [
        4,
        'fn clone_from(&mut self, source: &Self)',
        'method.clone_from',
        'Performs copy-assignment from source. Read more',
      ],
    ],
    leftOut: ['§', 'Source', 'Auto Trait'],
  },
  {
    builder: 'DocBook',
    file: 'docbook.html',
    title: 'Chapter 2. Boiling water',
    language: undefined,
    sections: [
      [1, 'Chapter 2. Boiling water', 'boiling', 'Fill the kettle, close the lid & press the switch.'],
      [2, 'Safety', 'safety', 'Never lift the lid while water boils.'],
      [2, 'Options', 'options', ''],
      [7, '--litres', 'opt-litres', 'How much water, at most two.'],
    ],
    leftOut: ['Prev', 'Home', 'Table of Contents'],
  },
  {
    builder: 'GTK-Doc',
    file: 'gtk-doc.html',
    title: 'Kettle: Kettle Reference Manual',
    language: undefined,
    sections: [
      [2, 'Kettle', 'Kettle.top_of_page', 'Kettle — A vessel that heats water'],
      [2, 'Description', 'Kettle.description', 'Fill it, close the lid & press the switch.'],
      [2, 'Functions', 'Kettle.functions_details', ''],
      [
        3,
        'kettle_boil ()',
        'kettle-boil',
        'gboolean kettle_boil (Kettle *kettle);\nHeats water until it boils.',
      ],
      [4, 'Returns', 'kettle-boil.returns', 'whether the water boils'],
    ],
    leftOut: ['Top', 'Generated by', '|'],
  },
  {
    builder: 'AsciiDoc',
    file: 'asciidoc.html',
    title: 'kettle(1)',
    language: 'en',
    sections: [
      [1, 'kettle(1) Manual Page', 'header', ''],
      [2, 'NAME', undefined, 'kettle - boil water'],
      [2, 'SYNOPSIS', '_synopsis', 'kettle [--litres=<n>]'],
      [2, 'OPTIONS', 'OPTIONS', '--litres=<n>\nHow much water, at most two.'],
      [2, 'SEE ALSO', '_see_also', 'teapot(1)'],
    ],
    leftOut: ['Last updated'],
  },
  {
    builder: 'Docusaurus',
    file: 'docusaurus.html',
    title: 'Boiling water | Kettle',
    language: 'en',
    sections: [
      [1, 'Boiling water', undefined, 'Fill the kettle, close the lid & press the switch.\nkettle.boil(1);'],
      [2, 'Safety', 'safety', 'warning\nNever lift the lid while water boils.'],
      [2, 'Descaling', 'descaling', 'Hardness Every\nsoft year'],
    ],
    leftOut: ['Skip to main content', 'Edit this page', 'Copyright 2026', 'Filling'],
  },
  {
    builder: 'VitePress',
    file: 'vitepress.html',
    title: 'Boiling water | Kettle',
    language: 'en-US',
    sections: [
      [
        1,
        'Boiling water',
        'boiling-water',
        'Fill the kettle, close the lid & press the switch.\nkettle.boil(1);',
      ],
      [2, 'Safety', 'safety', 'WARNING\nNever lift the lid while water boils.'],
      [2, 'Descaling', 'descaling', 'Hardness Every\nsoft year'],
    ],
    leftOut: ['Skip to content', 'Edit this page', 'On this page', 'Filling', 'Menu'],
  },
  {
    builder: 'TypeDoc',
    file: 'typedoc.html',
    title: 'Kettle | Kettle',
    language: 'en',
    sections: [
      [1, 'Class Kettle', undefined, 'A vessel that heats water.'],
      [2, 'Constructors', 'constructors-1', ''],
      [3, 'constructor', 'constructor', 'new Kettle(): Kettle'],
      [4, 'Returns Kettle', undefined, ''],
      [2, 'Properties', 'properties-1', ''],
      [3, 'litres', 'litres', 'litres: number = 2\nHow much fits in.'],
      [2, 'Methods', 'methods-1', ''],
      [3, 'boil', 'boil', 'boil(litres: number): boolean\nHeats water until it boils.'],
      [4, 'Parameters', undefined, 'litres: number\nhow much water, at most two'],
      [4, 'Returns boolean', undefined, 'whether the water boils'],
    ],
    leftOut: ['Preparing search index', 'Settings', 'Generated using', 'Inherited', 'Index'],
  },
  {
    builder: 'mdBook',
    file: 'mdbook.html',
    title: 'Installation - The Rust Programming Language',
    language: 'en',
    sections: [
      [
        2,
        'Installation',
        'installation',
        'The first step is to install Rust. We’ll download Rust through rustup, a command line tool for managing Rust versions and associated tools. You’ll need an internet connection for the download.',
      ],
      [
        3,
        'Command Line Notation',
        'command-line-notation',
        'In this chapter and throughout the book, we’ll show some commands used in the terminal. Lines that you should enter in a terminal all start with $. You don’t need to type in the $ character; it’s the command line prompt shown to indicate the start of each command. Lines that don’t start with $ typically show the output of the previous command. Additionally, PowerShell-specific examples will use > rather than $.',
      ],
    ],
    leftOut: ['Foreword', 'Light (default)', 'Hello, World!'],
  },
  {
    builder: 'QDoc',
    file: 'qdoc.html',
    title: 'Boiling water | Tea',
    language: 'en',
    sections: [
      [1, 'Boiling water', undefined, 'Fill the kettle, close the lid & press the switch.'],
      [2, 'Safety', 'safety', 'Never lift the lid while water boils.'],
      [2, 'Descaling', 'descaling', 'Use vinegar.'],
    ],
    leftOut: ['Contents'],
  },
];

for (const { builder, file, title, language, sections, leftOut } of PAGES) {
  describe(`A page of ${builder}`, () => {
    const html = readFileSync(join(ROOT, 'test/search/pages', file));
    const page = readPage(html, { path: file });

    it('has its title, its language and its sections', () => {
      assert.equal(page.title, title);
      assert.equal(page.language, language);
      assert.deepEqual(outline(page), sections);
      assert.deepEqual([page.kind, page.excluded, page.cut], ['ordinary', undefined, []]);
    });

    it('has anchors that exist in the page', () => {
      for (const { anchor } of page.sections) {
        if (anchor === undefined) continue;
        const written = anchor.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        assert.ok(html.includes(`id="${written}"`) || html.includes(`name="${written}"`), anchor);
      }
    });

    it('has no text of its navigation', () => {
      for (const text of leftOut) {
        assert.ok(html.includes(text), `${text} is not in the page at all`);
        assert.ok(!wordsOf(page).includes(text), `${text} is in the text`);
      }
    });
  });
}
