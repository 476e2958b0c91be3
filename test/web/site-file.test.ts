import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { HtmlPages, openSite, publicDirectory } from '../../src/adapters/web/index.js';
import {
  accentStyle,
  BACKGROUNDS,
  contrastFault,
  contrastOf,
  parseSiteFile,
  synonymsOf,
} from '../../src/adapters/web/site/open-site.js';
import { ConfigFileError } from '../../src/node/config-file.js';
import { attributes, HELP, indexOf, makeProject, words } from './samples.js';

const faultsIn = async (site: unknown) => {
  try {
    await parseSiteFile(typeof site === 'string' ? site : JSON.stringify(site));
    return [];
  } catch (error) {
    if (error instanceof ConfigFileError) return error.faults;
    throw error;
  }
};

const FAULTS: readonly (readonly [site: unknown, fault: RegExp])[] = [
  ['{', /^the file: expected JSON/],
  [[], /^the file: expected an object/],
  [{ titel: 'x' }, /^titel: unknown field/],
  [{ groups: [{ description: 'x' }] }, /^groups\[0\]\.name: expected a string/],
  [{ groups: [{ name: 'a', order: 1 }] }, /^groups\[0\]\.order: unknown field/],
  [{ title: '' }, /^title: expected a text that is not empty/],
  [{ title: 'x'.repeat(61) }, /^title: longer than 60 characters/],
  [{ logo: 'logo.gif' }, /^logo: expected the path of an image/],
  [{ accent: 'blue' }, /^accent\.light: expected a colour such as/],
  [{ accent: { light: '#1f4f9e' } }, /^accent\.dark: expected a string/],
  [
    { accent: { light: '#1f4f9e', dark: '#1f4f9e' } },
    /^accent\.dark: #1f4f9e has a contrast of 2\.\d on the dark/,
  ],
  [{ introduction: 'a <b>b</b>' }, /^introduction: HTML is not possible: <b>/],
  [{ introduction: '<script>alert(1)</script>' }, /^introduction: HTML is not possible/],
  [{ introduction: '![x](x.png)' }, /^introduction: there is no 'image'/],
  [{ introduction: '- [x](javascript:alert(1))' }, /^introduction: a link may not lead to javascript/],
  [{ introduction: '[x](//evil.example)' }, /^introduction: a link may not lead to \/\/evil/],
  [{ introduction: '[x](/\\\\evil.example)' }, /^introduction: a link may not lead to \/\\evil/],
  [{ introduction: '[x](</\t/evil.example>)' }, /^introduction: a link may not lead to \/\t\/evil/],
  [
    { introduction: '[x](https://a.example\\\\@evil.example)' },
    /^introduction: a link may not lead to https/,
  ],
  [{ links: [{ label: 'a', url: '/\\evil.example' }] }, /^links\[0\]\.url: expected an address without/],
  [{ links: [{ label: 'a', url: 'https://a\\b' }] }, /^links\[0\]\.url: expected an address without/],
  [{ links: [{ label: 'a', url: 'javascript:x' }] }, /^links\[0\]\.url: expected an address/],
  [{ links: [{ label: 'a' }] }, /^links\[0\]\.url: expected a string/],
  [{ synonyms: [['k8s', 'kubernetes']] }, /^synonyms: expected an object$/],
  [{ synonyms: { k8s: 'kubernetes' } }, /^synonyms\.k8s: expected/],
  [{ synonyms: { k8s: [] } }, /^synonyms\.k8s: expected at least one word/],
  [{ synonyms: { k8s: ['two words'] } }, /^synonyms\.k8s\[0\]: expected one word/],
  [
    { synonyms: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`a${index}`, ['b']])) },
    /^synonyms: more than 200 entries/,
  ],
  [{ notice: 7 }, /^notice: expected a string/],
];

describe('Synonyms of a site file', () => {
  it('apply in both directions, in lower case, each once', () => {
    assert.deepEqual(
      synonymsOf({ K8s: ['kubernetes'], kubernetes: ['k8s', 'Kube'] }),
      new Map([
        ['k8s', ['kubernetes']],
        ['kubernetes', ['k8s', 'kube']],
        ['kube', ['kubernetes']],
      ]),
    );
  });
});

describe('A site file', () => {
  for (const [site, fault] of FAULTS) {
    it(`is refused with the fault by its path: ${JSON.stringify(site).slice(0, 60)}`, async () => {
      const faults = await faultsIn(site);
      assert.match(faults[0] ?? '', fault);
    });
  }

  it('is refused with all its faults at once', async () => {
    assert.equal((await faultsIn({ titel: '', notice: 7, introduction: '<b>', links: {} })).length, 4);
  });

  it('may be empty', async () => assert.deepEqual(await parseSiteFile('{}'), {}));
});

describe('An accent colour', () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);

  it("is accepted only with enough contrast to the style sheet's backgrounds, and to text on it", async () => {
    const css = await readFile(join(publicDirectory, '-/assets/lectern.css'), 'utf8');
    const found = [...css.matchAll(/--(?:paper|surface): (#\w{6});/g)].map(([, value]) => value);
    assert.deepEqual(found, [...BACKGROUNDS.light, ...BACKGROUNDS.dark]);
    fc.assert(
      fc.property(colour, fc.constantFrom('light' as const, 'dark' as const), (accent, theme) => {
        const isLegible = BACKGROUNDS[theme].every((background) => contrastOf(accent, background) >= 4.5);
        assert.equal(contrastFault(theme, accent) === undefined, isLegible);
        const style = accentStyle({ light: accent, dark: accent });
        const [, ink = ''] = /--accent-ink:(#\w{6})/.exec(style) ?? [];
        assert.ok(contrastOf(ink, accent) >= 4.5);
      }),
    );
  });
});

describe('The identity of a server', () => {
  let directory: string;
  let pages: HtmlPages;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-site-'));
    await writeFile(join(directory, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const site = {
      title: 'Example <Docs>',
      logo: 'logo.svg',
      accent: { light: '#7a2f8f', dark: '#e0a3f0' },
      introduction: '**All** of it, `a < b`.\n\n1. [Handbook](/handbook-latest/)',
      links: [{ label: 'Imprint', url: 'https://example.org/imprint' }],
      notice: 'Closed on <Sunday>',
      groups: [{ name: 'Zebras', description: 'Read <these> first.' }, { name: 'yaks' }],
    };
    await writeFile(join(directory, 'site.json'), JSON.stringify(site));
    const { identity } = await openSite(join(directory, 'site.json'));
    pages = new HtmlPages(
      { version: '1.2.3', uploads: true, uploadPage: true, identity },
      (path) => `/docs${path}`,
    );
  });
  after(() => rm(directory, { recursive: true }));

  it('is on all pages, with its notice and links, and Lectern is named in the footer only', () => {
    const project = makeProject('tool', ['1.0']);
    for (const html of [
      pages.index(indexOf({ projects: [project] })),
      pages.project({
        project,
        previews: [],
        retention: { rules: {}, plan: [] },
        diskUse: { versions: 0, previews: 0, removed: 0 },
        address: undefined,
      }),
      pages.help(HELP),
      pages.failure({ status: 500, title: 't', message: 'm' }),
    ]) {
      const text = words(html);
      assert.match(text, /· Example <Docs> .*Skip to the content Example <Docs>/);
      assert.match(text, /Closed on <Sunday>/);
      assert.ok(attributes(html, 'href').includes('https://example.org/imprint'));
      assert.ok(attributes(html, 'href').includes('/docs/-/identity/accent.css'));
      assert.ok(attributes(html, 'src').includes('/docs/-/identity/logo.svg'));
      const body = html.slice(html.indexOf('<body'), html.indexOf('<footer'));
      assert.doesNotMatch(words(body), /Lectern/);
      assert.match(words(html.slice(html.indexOf('<footer'))), /Lectern 1\.2\.3/);
    }
  });

  it('has an introduction above the whole list, and nowhere else', () => {
    const projects = [makeProject('tool', ['1.0'])];
    const html = pages.index(indexOf({ projects }));
    assert.ok(html.includes('<p><strong>All</strong> of it, <code>a &lt; b</code>.</p>'));
    assert.match(html, /<ol><li><a href="\/docs\/handbook-latest\/"[^>]*>Handbook<\/a><\/li><\/ol>/);
    assert.doesNotMatch(pages.index(indexOf({ projects, search: 'tool' })), /<strong>All/);
  });

  it('has the named groups first, with their sentences, and ungrouped projects last', () => {
    const projects = ['Ants', 'Yaks', 'Zebras'].map((group) =>
      makeProject(`of-${group}`, ['1.0'], { group }),
    );
    const html = pages.index(
      indexOf({ projects: [...projects, makeProject('alone', ['1.0'])], order: 'group' }),
    );
    assert.match(words(html), / Zebras 1 Yaks 1 Ants 1 Ungrouped 1 /);
    assert.match(words(html), /Zebras Read <these> first\. Project /);
    const filtered = pages.index(indexOf({ projects, filter: { group: 'ZEBRAS' } }));
    assert.match(words(filtered), /Read <these> first\./);
  });

  it('is refused with a logo that is a symlink or no file', async () => {
    const place = await mkdtemp(join(directory, 'logos-'));
    await symlink('/etc/hostname', join(place, 'link.svg'));
    await mkdir(join(place, 'directory.svg'));
    for (const [logo, fault] of [
      ['link.svg', /^ConfigFileError: logo: .*link\.svg is a link; put the image itself there/],
      ['directory.svg', /^ConfigFileError: logo: .*directory\.svg is no regular file/],
    ] as const) {
      await writeFile(join(place, 'site.json'), JSON.stringify({ logo }));
      await assert.rejects(openSite(join(place, 'site.json')), fault);
    }
  });

  it('is refused with a logo that is unreadable, or too large', async () => {
    const other = join(directory, 'other.json');
    await writeFile(other, '{"logo":"nothing.png"}');
    await assert.rejects(openSite(other), /^ConfigFileError: logo: .*nothing\.png cannot be read \(ENOENT\)/);
    await writeFile(join(directory, 'nothing.png'), Buffer.alloc(256 * 1024 + 1));
    await assert.rejects(openSite(other), /logo: larger than 262144 bytes/);
  });
});
