import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ADDRESS, attributes, makeProject, pages, project, readOnlyPages, words } from './samples.js';

const index = (projects = [project], search = '') => pages.index({ projects, search, address: ADDRESS });

describe('The index', () => {
  it('shows a project by name, directory name and description', () => {
    assert.match(words(index()), /My Project my-project What it is for\./);
  });

  it('leaves the directory name out when it is the name', () => {
    assert.equal(index([makeProject('tool', ['1.0'])]).includes('<code>tool</code>'), false);
  });

  it('leads to the latest version and its archive under the alias, and says which it is', () => {
    assert.match(words(index()), /Latest 2\.0\.0/);
    assert.ok(attributes(index(), 'href').includes('/my-project-latest/'));
    assert.ok(attributes(index(), 'href').includes('/my-project-latest-docs.zip'));
  });

  it('links every version and its archive, newest first', () => {
    const hrefs = attributes(index(), 'href');
    const order = ['3.0.0-beta.1', '2.0.0', '1.10.0', '1.9.0', '1.0.0', '0.3', '0.2', '0.1', 'main'];
    const sites = hrefs.filter((to) => /^\/my-project-.*\/$/.test(to) && !to.includes('-latest/'));
    assert.deepEqual(
      sites,
      order.map((label) => `/my-project-${label}/`),
    );
    const archives = hrefs.filter((to) => to.endsWith('-docs.zip') && !to.includes('-latest-'));
    assert.deepEqual(
      archives,
      order.map((label) => `/my-project-${label}-docs.zip`),
    );
  });

  it('keeps the projects in the order in which they are given', () => {
    const html = index([makeProject('zebra', ['1.0']), makeProject('ant', ['1.0'])]);
    assert.ok(html.indexOf('>zebra<') < html.indexOf('>ant<'));
  });

  it('marks pre-releases and the latest version, and nothing else', () => {
    const text = words(index([makeProject('tool', ['1.0', '2.0', '3.0rc1', '2.1-nightly'])]));
    assert.match(text, /3\.0rc1 pre-release/);
    assert.match(text, /2\.1-nightly pre-release/);
    assert.match(text, /tool 2\.0 latest/);
    assert.equal(text.match(/pre-release/g)?.length, 2);
  });

  it('folds away all but the newest versions when there are many', () => {
    const [shown = '', folded = ''] = index().split('<details>');
    assert.match(shown, /\/my-project-1\.0\.0\//);
    assert.match(folded, /\/my-project-0\.3\//);
    assert.match(words(folded), /4 more versions/);
    assert.equal(index([makeProject('few', ['1', '2', '3', '4', '5', '6'])]).includes('<details>'), false);
  });

  it('says when a version was published, for people and for machines', () => {
    assert.match(index(), /<time datetime="2026-03-04T05:06:07\.000Z">2026-03-04<\/time>/);
  });

  it('keeps + legible in links, and percent-encodes what would break them', () => {
    assert.ok(attributes(index([makeProject('tool', ['1.0.0+b5'])]), 'href').includes('/tool-1.0.0+b5/'));
    assert.ok(attributes(index([makeProject('a b?#', ['1%'])]), 'href').includes('/a%20b%3F%23-1%25/'));
  });

  it('counts what it shows', () => {
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

describe('The search', () => {
  it('is a form that works without scripts, labelled, and remembers what was looked for', () => {
    const html = index([project], 'my "p"');
    assert.match(html, /<form[^>]* action="\/" method="get">/);
    assert.ok(attributes(html, 'name').includes('search'));
    assert.ok(attributes(html, 'value').includes('my "p"'));
    assert.ok(attributes(html, 'for').includes('search'));
  });

  it('says how many it found, for what, and how to get back', () => {
    const html = index([project], 'proj');
    assert.match(words(html), /1 project for “ proj ”/);
    assert.match(html, /<a href="\/">Show all<\/a>/);
  });

  it('without hits says so, keeps the form, and offers no first upload', () => {
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

  it('says that uploads need --tokens where there are none', () => {
    const text = words(readOnlyPages.index({ projects: [], search: '', address: ADDRESS }));
    assert.match(text, /--tokens/);
  });
});
