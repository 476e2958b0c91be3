import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { addressOfPage, addressOfSection } from '../../../src/domain/index.js';
import type { DocumentParsers, DrawnPage } from '../../../src/formats/drawn/drawn-page.js';
import type { DrawnSite, Viewer } from '../../../src/formats/drawn/drawn-site.js';
import { drawnFiles, readDrawn } from '../../../src/formats/drawn/read-drawn.js';
import { readPage } from '../../../src/formats/html/index.js';
import { documentParsers } from '../../../src/node/document-parsers.js';
import { DOCSIFY, OPENAPI_JSON, STORYBOOK } from '../../support/drawn-files.js';

const STORIES: DrawnSite = { kind: 'storybook', data: 'index.json' };
const MARKDOWN: DrawnSite = { kind: 'docsify', directory: '', homepage: 'README.md' };
const api = (viewer: Viewer = 'redoc'): DrawnSite => ({ kind: 'openapi', viewer, data: 'openapi.json' });

let parsers: DocumentParsers;
before(async () => {
  parsers = await documentParsers();
});

const read = (site: DrawnSite, text: string, file = 'index.json') =>
  readDrawn(site, file, Buffer.from(text), parsers);
const sectionsOf = ({ path, html }: DrawnPage) =>
  readPage(Buffer.from(html), { path }).sections.map(({ heading, anchor, text }) => [heading, anchor, text]);

describe('The pages of a Storybook', () => {
  it('are its components, with their stories as sections', () => {
    const pages = read(STORIES, STORYBOOK['index.json'] ?? '');
    assert.deepEqual(
      pages.map(({ path, title }) => [path, title]),
      [
        ['./?path=/docs/introduction--docs', 'Introduction'],
        ['./?path=/docs/components-button--docs', 'Components/Button'],
        ['./?path=/story/kettle--empty', 'Kettle'],
      ],
    );
    assert.deepEqual(sectionsOf(pages[1] as DrawnPage), [
      ['Components/Button', undefined, 'Tags: stable\n./src/Button.stories.js'],
      ['With a spout', 'components-button--with-spout', 'Tags: experimental'],
    ]);
  });

  it('have addresses within the site, and no markup of their own', () => {
    const evil = `"><script>alert(1)</script>//a.example/?#&`;
    const entries = {
      a: { id: evil, title: evil, name: evil, type: 'story', tags: [evil], importPath: evil },
    };
    const [page] = read(STORIES, JSON.stringify({ v: 5, entries })) as [DrawnPage];
    const base = 'https://docs.example/a-1.0/';
    for (const address of [addressOfPage(page.path), addressOfSection(page.path, evil)]) {
      assert.match(address, /^\?path=\/story\/[\w%.~!'()*-]+$/);
      assert.equal(new URL(address, base).searchParams.get('path'), `/story/${evil}`);
    }
    assert.equal(readPage(Buffer.from(page.html), { path: page.path }).title, evil);
    assert.ok(!page.html.includes('<script'));
  });
});

describe('The pages of docsify', () => {
  it('are its Markdown files, except includes', () => {
    const paths = [...Object.keys(DOCSIFY), '_coverpage.md', 'a/_sidebar.md', '_media/a.md', '.github/a.md'];
    assert.deepEqual(drawnFiles(MARKDOWN, paths), ['README.md', 'guide.md', 'a folder/README.md']);
    const within: DrawnSite = { kind: 'docsify', directory: 'docs/', homepage: 'docs/README.md' };
    assert.deepEqual(drawnFiles(within, ['README.md', 'docs/a.md']), ['docs/a.md']);
  });

  it("have docsify's addresses", () => {
    const pathOf = (file: string) => read(MARKDOWN, 'a', file)[0]?.path;
    assert.deepEqual(['README.md', 'guide.md', 'a folder/README.md', 'a/#?.md'].map(pathOf), [
      './#/',
      './#/guide',
      './#/a%20folder/',
      './#/a/%23%3F',
    ]);
  });

  it('have the heading ids on which docsify 4 and 5 agree', () => {
    const headings = [
      '# Getting **started**!',
      '## Getting started',
      '## 1. First',
      '## Own :id=mine',
      '## A & b',
      '## Tea 🫖',
    ];
    const [page] = read(MARKDOWN, headings.join('\n\n'), 'guide.md') as [DrawnPage];
    assert.equal(page.title, 'Getting started!');
    assert.deepEqual(
      sectionsOf(page).map(([heading, anchor]) => [heading, anchor]),
      [
        ['Getting started!', 'getting-started'],
        ['Getting started', 'getting-started-1'],
        ['1. First', '_1-first'],
        ['Own', 'mine'],
        ['A & b', undefined],
        ['Tea 🫖', undefined],
      ],
    );
    assert.equal(addressOfSection(page.path, 'mine'), '#/guide?id=mine');
  });

  it('are read to the end, however hard to parse', () => {
    for (const text of ['>'.repeat(400_000), '_a*b'.repeat(100_000), '['.repeat(400_000)]) {
      const [page] = read(MARKDOWN, `${text}\n\nfinally`, 'guide.md') as [DrawnPage];
      assert.match(page.html, /finally/);
    }
  });
});

describe('The pages of an API', () => {
  it('are the API and its operations, with everything they reference', () => {
    const pages = read(api(), OPENAPI_JSON);
    assert.deepEqual(
      pages.map(({ path, title }) => [path, title]),
      [
        ['./', 'Samovar API'],
        ['./#operation/boilSamovar', 'Boil a samovar'],
        ['./#/paths/~1samovars/get', 'GET /samovars'],
      ],
    );
    const [overview, boil] = pages as [DrawnPage, DrawnPage];
    assert.deepEqual(sectionsOf(overview), [
      ['Samovar API', undefined, 'Boils much water.'],
      ['Hot Water', undefined, 'All about boiling.'],
    ]);
    assert.deepEqual(
      sectionsOf(boil).map(([heading, , text]) => [heading, text]),
      [
        ['Boil a samovar', ''],
        ['boilSamovar', 'POST /samovars/{id}/boil\nWaits for the whistle.\nTags: Hot Water'],
        ['Parameters', 'id (path, required): Which samovar.'],
        ['Request body', 'application/json\ndegrees: At most 100.'],
        ['Responses', '202: It is heating.'],
      ],
    );
  });

  it('have the addresses of each viewer', () => {
    const addressesIn = (viewer: Viewer) =>
      read(api(viewer), OPENAPI_JSON)
        .slice(1)
        .map(({ path }) => path);
    assert.deepEqual(addressesIn('swagger-ui'), ['./#/Hot%20Water/boilSamovar', './#/default/get_samovars']);
    assert.deepEqual(addressesIn('scalar'), [
      './#tag/hot-water/POST/samovars/%7Bid%7D/boil',
      './#GET/samovars',
    ]);
  });

  it('are equal in YAML, and in a page written by redocly build-docs', () => {
    const titlesIn = (text: string) => read(api(), text).map(({ title }) => title);
    const yaml = 'openapi: 3.0.0\ninfo: { title: Samovar API }\npaths:\n  /a:\n    get: { summary: Get }\n';
    assert.deepEqual(titlesIn(yaml), ['Samovar API', 'Get']);
    const page = `<!DOCTYPE html>\n<script>\n  const __redoc_definition = ${OPENAPI_JSON};\n  const a = {};\n</script>`;
    assert.deepEqual(titlesIn(page), ['Samovar API', 'Boil a samovar', 'GET /samovars']);
  });

  it('end after 8 million characters, however often parts repeat', () => {
    const long = { name: 'a', in: 'query', description: 'a'.repeat(1_000) };
    const parameters = Array.from({ length: 100 }, () => ({ $ref: '#/components/parameters/A' }));
    const paths = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`/${at}`, { get: { parameters } }]),
    );
    const text = JSON.stringify({ openapi: '3.0.0', paths, components: { parameters: { A: long } } });
    const characters = read(api(), text).reduce((sum, { html }) => sum + html.length, 0);
    assert.ok(characters > 7_000_000 && characters <= 8_000_000, `${characters}`);
  });
});

const MALFORMED: readonly (readonly [name: string, text: string])[] = [
  ['nothing', ''],
  ['half a JSON', OPENAPI_JSON.slice(0, 200)],
  ['other JSON', '[null, 1, {"entries": 3}]'],
  [
    'fields of other kinds',
    '{"openapi": 3, "v": "x", "entries": [null, {"id": 1}], "paths": {"/a": {"get": 1}}}',
  ],
  [
    '__proto__',
    '{"openapi": "3.0.0", "entries": {"__proto__": {"id": 1}}, "paths": {"/a": {"$ref": "#/__proto__/x"}}}',
  ],
  ['deep JSON', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['a long list in JSON', `[${'{},'.repeat(3_300_000)}1]`],
  ['deep YAML', Array.from({ length: 1_300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
  ['a deep list in YAML', '- '.repeat(400_000)],
  ['brackets in YAML', '['.repeat(900_000)],
  ['faults in YAML', '"'.repeat(240_000)],
  ['aliases in YAML', `a: &a [1,1]\nb: &b [${'*a,'.repeat(90)}1]\nopenapi: [${'*b,'.repeat(90)}1]`],
  ['long YAML', 'a: b\n'.repeat(300_000)],
  ['bytes', '\u0000\uFFFD\uD800'.repeat(1_000)],
];

describe('A file that pages are drawn from', () => {
  for (const [name, text] of MALFORMED) {
    it(`yields no pages for ${name}`, () => {
      assert.deepEqual(read(STORIES, text), []);
      assert.deepEqual(read(api(), text), []);
    });
  }

  it('yields no pages for malformed entries, but pages for all others', () => {
    const entries = {
      ...{ a: null, b: { id: 'b', title: 'B' }, c: { id: 'c'.repeat(501), title: 'C', name: 'C' } },
      d: { id: 'd\uD800', title: 'D', name: 'D' },
      e: { id: 'e', title: 'E', name: 'E' },
    };
    const titles = read(STORIES, JSON.stringify({ v: 5, entries })).map(({ title }) => title);
    assert.deepEqual(titles, ['D', 'E']);
  });

  it('yields no page twice', () => {
    const get = { operationId: 'same' };
    const text = JSON.stringify({ openapi: '3.0.0', paths: { '/a': { get }, '/b': { get } } });
    assert.deepEqual(
      read(api(), text).map(({ path }) => path),
      ['./#operation/same'],
    );
  });
});
