import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ADDRESS,
  attributes,
  indexOf,
  makeProject,
  pages,
  pagesWithoutForms,
  project,
  readOnlyPages,
  words,
} from './samples.js';

const index = (projects = [project], search = '') => pages.index(indexOf({ projects, search }));

describe('The index', () => {
  it('shows a project by name, directory name and description', () => {
    assert.match(words(index()), /My Project my-project What it is for\./);
  });

  it('names the feed of all projects beside all projects only', () => {
    const feed = 'application/atom+xml';
    assert.ok(index().includes(feed));
    assert.equal(index([project], 'my').includes(feed), false);
    const filtered = pages.index(indexOf({ projects: [project], filter: { group: 'Payments' } }));
    assert.equal(filtered.includes(feed), false);
  });

  it('omits a directory name that equals the name', () => {
    assert.equal(index([makeProject('tool', ['1.0'])]).includes('<code>tool</code>'), false);
  });

  it('links to the latest version under the alias, with its label', () => {
    assert.match(words(index()), /Latest: 2\.0\.0/);
    assert.ok(attributes(index(), 'href').includes('/my-project-latest/'));
  });

  it('counts the versions, and links to all of them', () => {
    assert.match(words(index()), /9 versions of My Project/);
    assert.ok(attributes(index(), 'href').includes('/-/projects/my-project'));
  });

  it('keeps the given order of projects', () => {
    const html = index([makeProject('zebra', ['1.0']), makeProject('ant', ['1.0'])]);
    assert.ok(html.indexOf('>zebra<') < html.indexOf('>ant<'));
  });

  it('marks a latest version that is a pre-release, and no other', () => {
    assert.match(words(index([makeProject('tool', ['3.0rc1'])])), /Latest: 3\.0rc1 pre-release/);
    assert.doesNotMatch(words(index()), /pre-release/);
  });

  it('offers both orders, marks the current one, and keeps the search in both', () => {
    const two = [project, makeProject('tool', ['1'])];
    const html = pages.index(indexOf({ projects: two, search: 'a b', order: 'newest' }));
    const hrefs = attributes(html, 'href');
    assert.ok(hrefs.includes('/?search=a+b'));
    assert.ok(hrefs.includes('/?search=a+b&sort=newest'));
    assert.match(html, /aria-current="true"[^>]*>Newest|>Newest<\/a>/);
    assert.match(html, /<input type="hidden" name="sort" value="newest"/);
  });

  it('shows the date of a publication, for people and for machines', () => {
    assert.match(
      index(),
      /<time datetime="2026-03-04T05:06:07\.000Z" data-relative="day">2026-03-04<\/time>/,
    );
  });

  it('shows owner and tags, and links from a tag to all of its projects', () => {
    assert.match(words(index()), /Owner: Team Blue sdk http api/);
    assert.ok(attributes(index(), 'href').includes('/?tag=http+api'));
  });

  it('links from an owner to all of its projects, and names the owner there', () => {
    assert.ok(attributes(index(), 'href').includes('/?owner=Team+Blue'));
    const html = pages.index(indexOf({ projects: [project], filter: { owner: 'Team Blue' } }));
    assert.match(words(html), /Owner Team Blue ×/);
    assert.match(html, /<title>Team Blue/);
  });

  it('gives a project without a logo the first letter of its name, in a stable colour', () => {
    const colourOf = (name: string) => /hue-(\d)/.exec(index([makeProject(name, ['1.0'])]))?.[1];
    const colours = ['click', 'flask', 'jinja', 'django', 'requests', 'sqlite', 'eigen', 'pytest'].map(
      colourOf,
    );
    assert.ok(new Set(colours).size >= 4, String(colours));
    assert.equal(colourOf('flask'), colours[1]);
  });

  it('has groups with linkable headings, ungrouped projects last', () => {
    const projects = [project, makeProject('tool', ['1.0'])];
    const html = pages.index(indexOf({ projects, order: 'group' }));
    assert.match(words(html), /Tools 1 Ungrouped 1 .*Tools Project .*My Project.* Ungrouped Project .*tool/);
    assert.ok(attributes(html, 'href').includes('/?group=Tools'));
    assert.deepEqual(
      attributes(html, 'id').filter((id) => id.startsWith('group-')),
      ['group-1', 'group-2'],
    );
  });

  it('has letters to jump to in the order of names once there are many projects', () => {
    const many = [
      '#',
      '7z',
      'Ärger',
      'ant',
      'bee',
      'Ωmega',
      ...Array.from({ length: 40 }, (_, at) => `c${at}`),
    ];
    const of = (named: readonly string[]) =>
      pages.index(indexOf({ projects: named.map((name, at) => makeProject(`p${at}`, ['1'], { name })) }));
    const html = of(many);
    assert.match(words(html), / # 0–9 A B Ω C Project/);
    const targets = attributes(html, 'href').filter((href) => href.startsWith('#letter'));
    const ids = attributes(html, 'id').filter((id) => id.startsWith('letter'));
    assert.deepEqual(
      targets,
      ids.map((id) => `#${id}`),
    );
    assert.equal(of(many.slice(0, 20)).includes('letter-'), false);
  });

  it('shows a filter with its removal, and keeps it in the orders and the search', () => {
    const filter = { group: 'Tools', tag: 'sdk' };
    const html = pages.index(indexOf({ projects: [project, project], filter, order: 'newest' }));
    assert.match(words(html), /Group Tools × Tag sdk ×/);
    const hrefs = attributes(html, 'href');
    assert.ok(hrefs.includes('/?tag=sdk&sort=newest'));
    assert.ok(hrefs.includes('/?group=Tools&tag=sdk&sort=name'));
    for (const name of ['group', 'tag', 'sort']) assert.ok(attributes(html, 'name').includes(name), name);
  });

  it('counts the shown projects', () => {
    assert.match(words(index()), /1 project /);
    assert.match(words(index([project, makeProject('tool', ['1'])])), /2 projects /);
  });
});

describe('The logo', () => {
  const logoOf = (logo: string) =>
    attributes(index([makeProject('tool', ['1.0'], { logo })]), 'src').filter(
      (from) => !from.startsWith('/-/'),
    );

  it('comes from the site of the version that names it, percent-encoded', () => {
    assert.ok(attributes(index(), 'src').includes('/my-project-2.0.0/static%20files/logo%231.svg'));
  });

  it('is a letter when no path in the site is named', () => {
    for (const elsewhere of [
      'https://evil.example/x.png',
      '//evil.example/x.png',
      '/x.png',
      '../other-1.0/x.png',
      'data:image/png;base64,AA',
      'c:x.png',
      'a\\b.png',
      '.git/logo.png',
      '',
      '\ud800.png',
    ]) {
      const from = logoOf(elsewhere);
      assert.ok(
        from.every((address) => address.startsWith('/tool-1.0/')),
        `${elsewhere}: ${from}`,
      );
    }
    assert.deepEqual(logoOf('../other-1.0/x.png'), []);
    assert.deepEqual(logoOf('\ud800.png'), []);
  });
});

describe('The search of the index', () => {
  it('is a form that works without scripts, has a label, and keeps the term', () => {
    const html = index([project], 'my "p"');
    assert.match(html, /<form[^>]* action="\/" method="get">/);
    assert.ok(attributes(html, 'name').includes('search'));
    assert.ok(attributes(html, 'value').includes('my "p"'));
    assert.ok(attributes(html, 'for').includes('search'));
  });

  it('marks its matches, in both names, ignoring case', () => {
    const html = index([project], 'proj');
    assert.ok(html.includes('My <mark>Proj</mark>ect'));
    assert.ok(html.includes('my-<mark>proj</mark>ect'));
  });

  it('shows the number of matches, the term, and a link back', () => {
    const html = index([project], 'zz');
    assert.match(words(html), /1 project for “ zz ”/);
    assert.match(html, /<a href="\/">Show\u00a0all<\/a>/);
  });

  it('shows the number of matches when it lists only the first, and how to narrow them', () => {
    const few = words(
      pages.index(indexOf({ projects: [project], search: 'p', found: 1_234, isShort: true })),
    );
    assert.match(few, /Show all 1,234 projects/);
    const projects = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => makeProject(name, ['1.0']));
    const text = words(pages.index(indexOf({ projects, search: 'p', found: 1_234 })));
    assert.match(text, /1,234 projects for “ p ”/);
    assert.match(text, /Showing 6 of 1,234 projects\. Add a word to narrow the search\./);
    assert.doesNotMatch(words(index([project], 'p')), /the first/);
  });

  it('reports no matches, keeps the form, and offers no first upload', () => {
    const html = index([], 'nothing');
    assert.match(words(html), /No projects for “ nothing ”/);
    assert.match(html, /<form/);
    assert.doesNotMatch(html, /curl/);
  });
});

describe('The index of a server without projects', () => {
  it('shows a first upload with its own address', () => {
    const text = words(index([]));
    assert.match(text, /No projects yet/);
    assert.match(text, /curl -H "X-Token: \$LECTERN_TOKEN"/);
    assert.ok(text.includes(`${ADDRESS}/api/upload`));
  });

  it('offers the upload page first, then push, then zip and curl', () => {
    const html = index([]);
    const places = ['href="/-/upload">Upload a site', 'lectern push build/html', 'With zip and curl'].map(
      (part) => html.indexOf(part),
    );
    assert.ok(
      places.every((place) => place > 0),
      String(places),
    );
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.doesNotMatch(pagesWithoutForms.index(indexOf({ projects: [] })), /-\/upload/);
  });

  it('mentions that uploads need --tokens when tokens are off', () => {
    const text = words(readOnlyPages.index(indexOf({})));
    assert.match(text, /--tokens/);
  });
});
