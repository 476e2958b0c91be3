import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  attributes,
  makePreview,
  makeProject,
  makeVersion,
  NO_SUGGESTIONS,
  pages,
  readOnlyPages,
  words,
} from './samples.js';

const project = makeProject('tool', ['1.0', '1.10', '1.9', '2.0-rc1'], { name: 'The Tool' });

const suggestions = NO_SUGGESTIONS;

describe('The page for a missing page', () => {
  it('reports a missing project, and links to all projects', () => {
    const html = pages.missing({ missing: { what: 'project' }, suggestions });
    assert.match(words(html), /404 No such project/);
    assert.ok(attributes(html, 'href').includes('/'));
  });

  it("reports a missing version, and links to the project's versions, newest first", () => {
    const html = pages.missing({ missing: { what: 'version', project }, suggestions });
    assert.match(words(html), /404 No such version The Tool is here/);
    const hrefs = attributes(html, 'href').filter((to) => /^\/tool-.*\/$/.test(to));
    assert.deepEqual(hrefs, ['/tool-latest/', '/tool-2.0-rc1/', '/tool-1.10/', '/tool-1.9/', '/tool-1.0/']);
  });

  it("reports a missing page, and links to the version's front page and to the latest version", () => {
    const version = makeVersion('tool', '1.9');
    const html = pages.missing({ missing: { what: 'page', project, version }, suggestions });
    assert.match(words(html), /404 No such page The Tool 1\.9 is here/);
    const hrefs = attributes(html, 'href').filter((to) => /^\/tool-.*\/$/.test(to));
    assert.deepEqual(hrefs.slice(0, 2), ['/tool-latest/', '/tool-1.9/']);
  });

  it('does not offer the latest version twice', () => {
    const html = pages.missing({
      missing: { what: 'page', project, version: makeVersion('tool', '1.10') },
      suggestions,
    });
    assert.ok(!attributes(html, 'href').includes('/tool-latest/'));
  });

  it('links to projects with close names', () => {
    const html = pages.missing({
      missing: { what: 'project' },
      suggestions: { ...suggestions, projects: [project] },
    });
    assert.match(words(html), /Did you mean TT The Tool tool Latest: 1\.10/);
    assert.ok(attributes(html, 'href').includes('/tool-latest/'));
    assert.ok(attributes(html, 'href').includes('/-/projects/tool'));
  });

  it('links to the closest pages in the version, and to the page in other versions', () => {
    const version = makeVersion('tool', '1.9');
    const html = pages.missing({
      missing: { what: 'page', project, version },
      suggestions: {
        projects: [],
        page: 'guide/new%20page.html',
        closest: [{ version, to: '/tool-1.9/guide/news%20page.html', isSame: false }],
        nearest: { version, to: '/tool-1.9/guide/', isSame: false },
        inLatest: { version: project.latest, to: '/tool-latest/new.html', fragment: '#page', isSame: true },
        inOthers: [
          { version: makeVersion('tool', '1.0'), to: '/tool-1.0/guide/new%20page.html', isSame: true },
        ],
      },
    });
    const hrefs = attributes(html, 'href');
    assert.match(words(html), /Did you mean guide\/news page\.html The nearest page above it guide\//);
    assert.match(words(html), /This page in the latest version, 1\.10/);
    assert.match(words(html), /This page in other versions 1\.0/);
    for (const href of [
      '/tool-1.9/guide/news%20page.html',
      '/tool-1.9/guide/',
      '/tool-latest/new.html#page',
      '/-/go/tool-1.0/guide/new%20page.html',
    ]) {
      assert.ok(hrefs.includes(href), href);
    }
    assert.ok(!hrefs.includes('/-/go/tool-2.0-rc1/guide/new%20page.html'), 'a version without the page');
  });

  it('searches for the words of the address: in the version, else in the project, else in all projects', () => {
    const version = makeVersion('tool', '1.9');
    const preview = makePreview('tool', 'pr-1');
    const asked = { ...suggestions, page: 'guide/set-up.html' };
    for (const [missing, where, parameters] of [
      [{ what: 'page', project, version }, 'The Tool 1.9', ['tool', '1.9']],
      [{ what: 'page', project: undefined, version: preview }, 'Tool ~pr-1', ['tool', '~pr-1']],
      [{ what: 'version', project }, 'The Tool 1.10', ['tool']],
      [{ what: 'preview', project }, 'The Tool 1.10', ['tool']],
      [{ what: 'project' }, 'all projects', []],
    ] as const) {
      const html = pages.missing({ missing, suggestions: asked });
      const [, form = ''] = /<form([\s\S]*?)<\/form>/.exec(html) ?? [];
      assert.deepEqual(attributes(form, 'placeholder'), [`Search in ${where}`]);
      assert.ok(words(form).includes(`Search the pages of ${where}`), words(form));
      assert.ok(html.indexOf('<form') < html.indexOf('class="plain-list stack actions"'), 'before all links');
      assert.deepEqual(attributes(form, 'action'), ['/-/search']);
      assert.deepEqual(attributes(form, 'value'), ['guide set up', ...parameters]);
    }
  });

  it('offers no search on a server without search', () => {
    const missing = { what: 'page', project, version: makeVersion('tool', '1.9') } as const;
    assert.doesNotMatch(readOnlyPages.missing({ missing, suggestions }), /<form/);
    const left = makeProject('left', ['1.0'], { search: false });
    const ofLeft = { what: 'page', project: left, version: left.latest } as const;
    assert.doesNotMatch(pages.missing({ missing: ofLeft, suggestions }), /<form/);
  });

  it('mentions other versions only when some exist', () => {
    const only = makeProject('solo', ['1.0']);
    const html = pages.missing({
      missing: { what: 'page', project: only, version: only.latest },
      suggestions: { ...suggestions, page: 'guide.html' },
    });
    assert.doesNotMatch(words(html), /other version/);
  });
});
