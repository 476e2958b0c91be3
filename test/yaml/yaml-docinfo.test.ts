import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readYamlDocinfo } from '../../src/adapters/yaml/index.js';
import { anyString } from '../support/any-string.js';

const READ: readonly [text: string, docinfo: object][] = [
  [
    'name: My Project\ndescription: What it does\nlogo: img/logo.png',
    { name: 'My Project', description: 'What it does', logo: 'img/logo.png' },
  ],
  ['{"title": "A title", "description": "d"}', { name: 'A title', description: 'd' }],
  ['name: wins\ntitle: loses', { name: 'wins' }],
  ['name: ""\ntitle: used', { name: 'used' }],
  ['name: 2048\ndescription: true', { name: '2048', description: 'true' }],
  ['name: "  many\\n  lines  "', { name: 'many lines' }],
  ['logo: ./logo.svg', { logo: 'logo.svg' }],
  ['author: someone\nversion: 3', {}],
  ['', {}],
  ['# nothing but a comment', {}],
  ['name: <b>text</b>', { name: '<b>text</b>' }],
  ['switcher: false', { switcher: false }],
  ['switcher_corner: top-left', { switcherCorner: 'top-left' }],
  ['search: false', { search: false }],
  ['source: public', { source: 'public' }],
  ['{"source": "public"}', { source: 'public' }],
  ['__proto__:\n  name: x', {}],
  [
    'group: Payments\ntags: [sdk, http]\nowner: Team  Blue\nrepository: https://git.example.org/pay\ncontact: pay@example.org',
    {
      group: 'Payments',
      tags: ['sdk', 'http'],
      owner: 'Team Blue',
      repository: 'https://git.example.org/pay',
      contact: 'pay@example.org',
    },
  ],
  ['tags: sdk, http api,, SDK', { tags: ['sdk', 'http api'] }],
  ['tags:\n- 2.0\n- true\n- " "\n', { tags: ['2.0', 'true'] }],
  ['name: 3.10\ntags: [3.10, &v 007, *v]', { name: '3.10', tags: ['3.10', '007'] }],
  ['{"name": 1.50, "tags": 2.0}', { name: '1.50', tags: ['2.0'] }],
  ['name: &n x\ntags: [*n, y]', { name: 'x', tags: ['x', 'y'] }],
  ['tags: []\ngroup: ""', {}],
  [`group: ${'é'.repeat(100)}`, { group: 'é'.repeat(100) }],
];

const BROKEN: readonly [text: string, problem: RegExp][] = [
  ['name: [unclosed', /^is not valid YAML or JSON/],
  ['{"name": ', /^is not valid YAML or JSON/],
  ['- a\n- b', /^has no fields at its top level/],
  ['just text', /^has no fields at its top level/],
  ['name: [a, list]', /^has a 'name' that is not text/],
  ['description: {a: b}', /^has a 'description' that is not text/],
  ['switcher: sometimes', /^has a 'switcher' that is not true or false/],
  ['switcher_corner: middle', /^has a 'switcher_corner' that is not one of top-left, top-right, /],
  ['logo: /etc/passwd', /^has a 'logo' that is not a relative path/],
  ['logo: ../other/logo.png', /^has a 'logo' that is not a relative path/],
  ['logo: https://example.org/logo.png', /^has a 'logo' that is not a relative path/],
  ['logo: .git/config', /^has a 'logo' that is not a relative path/],
  ['tags: {a: b}', /^has a 'tags' that is not a list of strings/],
  ['tags: [a, [b]]', /^has a 'tags' that is not a list of strings/],
  ['tags: a,b,c,d,e,f,g,h,i,j,k', /^has a 'tags' that has more than 10 entries/],
  [`tags: ${'x'.repeat(41)}`, /^has a 'tags' that has an entry of more than 40 characters/],
  [`group: ${'x'.repeat(101)}`, /^has a 'group' that is longer than 100 characters/],
  [`repository: ${'x'.repeat(501)}`, /^has a 'repository' that is longer than 500 characters/],
  ['owner: [a]', /^has a 'owner' that is not text/],
  ['downloads: a.pdf', /^has a 'downloads' that is not a list of entries with 'file' and 'label'$/],
  ['downloads: [a.pdf]', /^has a 'downloads' that is not a list of entries with 'file' and 'label'$/],
  ['downloads: [{label: a}]', /^has 'downloads' with a 'file' that is not text$/],
  [
    'downloads: [{file: ../a.pdf}]',
    /^has 'downloads' with a 'file' that is not a relative path inside the site$/,
  ],
  [
    'downloads: [{file: .a/b.pdf}]',
    /^has 'downloads' with a 'file' that is not a relative path inside the site$/,
  ],
  [
    `downloads: [{file: a, label: ${'x'.repeat(101)}}]`,
    /^has 'downloads' with a 'label' that is longer than 100 char/,
  ],
  [`downloads: [${'{file: a},'.repeat(21)}]`, /^has a 'downloads' that has more than 20 entries$/],
  ['name: a\nname: b', /^is not valid YAML or JSON/],
];

describe('A docinfo file', () => {
  for (const [text, docinfo] of READ) {
    it(`is read: ${JSON.stringify(text)}`, () => assert.deepEqual(readYamlDocinfo(text).docinfo, docinfo));
  }
  for (const [text, problem] of BROKEN) {
    it(`is ignored with a reason on one line: ${JSON.stringify(text)}`, () => {
      const reading = readYamlDocinfo(text);
      assert.equal(reading.docinfo, undefined);
      assert.match(reading.problem ?? '', problem);
      assert.doesNotMatch(reading.problem ?? '', /\n/);
    });
  }

  it('is read without unknown fields, which are named with the closest known one', () => {
    const text = 'naem: a\nTitle: b\nversion: 3\n__proto__: x\n? [a]\n: c\ngroup: g\n1: y';
    assert.deepEqual(readYamlDocinfo(text), {
      docinfo: { group: 'g' },
      unknown: [
        { field: 'naem', meant: 'name' },
        { field: 'Title', meant: 'title' },
        { field: 'version', meant: undefined },
        { field: '__proto__', meant: undefined },
        { field: '1', meant: undefined },
      ],
    });
    const [long] = readYamlDocinfo(`${'x'.repeat(1_000)}: 1`).unknown ?? [];
    assert.equal(long?.field, `${'x'.repeat(60)}…`);
  });

  it('names downloads, with labels on one line', () => {
    const text =
      'name: n\ndownloads:\n- file: ./a/b.pdf\n  label: "The\n   manual"\n- {file: 2024}\n- &x {file: c, label: " "}\n- *x';
    assert.deepEqual(readYamlDocinfo(text), {
      docinfo: { name: 'n' },
      downloads: [
        { file: 'a/b.pdf', label: 'The manual' },
        { file: '2024', label: undefined },
        { file: 'c', label: undefined },
        { file: 'c', label: undefined },
      ],
    });
    assert.deepEqual(readYamlDocinfo('downloads: []'), { docinfo: {}, downloads: [] });
  });

  for (const value of [
    'Public',
    'private',
    'true',
    '[public]',
    '{a: b}',
    'https://git.example.org/a',
    '""',
  ]) {
    it(`applies despite a meaningless source, ${value}, which is named`, () => {
      assert.deepEqual(readYamlDocinfo(`name: a\nsource: ${value}`), {
        docinfo: { name: 'a' },
        unknown: [{ field: 'source', meant: 'source: public' }],
      });
    });
  }

  it('is ignored when its aliases multiply', () => {
    const bomb = ['a: &a [x, x, x, x]', 'b: &b [*a, *a, *a, *a]', 'c: &c [*b, *b, *b, *b]', 'name: *c'].join(
      '\n',
    );
    assert.equal(readYamlDocinfo(bomb).docinfo, undefined);
  });

  it('is read or ignored, and never throws, whatever it contains', () => {
    fc.assert(
      fc.property(fc.oneof(anyString(), fc.json()), (text) => {
        const { docinfo, problem } = readYamlDocinfo(text);
        assert.notEqual(docinfo === undefined, problem === undefined);
      }),
    );
  });
});
