import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attributes, makeProject, makeVersion, NO_SUGGESTIONS, pages, words } from './samples.js';

const project = makeProject('tool', ['1.0', '1.10', '1.9', '2.0-rc1'], { name: 'The Tool' });

const suggestions = NO_SUGGESTIONS;

describe('The page for what is missing', () => {
  it('says that there is no such project, and leads to all of them', () => {
    const html = pages.missing({ missing: { what: 'project' }, suggestions });
    assert.match(words(html), /404 No such project/);
    assert.ok(attributes(html, 'href').includes('/'));
  });

  it('says that the project has no such version, and leads to those it has, newest first', () => {
    const html = pages.missing({ missing: { what: 'version', project }, suggestions });
    assert.match(words(html), /404 No such version The Tool is here/);
    const hrefs = attributes(html, 'href').filter((to) => /^\/tool-.*\/$/.test(to));
    assert.deepEqual(hrefs, ['/tool-latest/', '/tool-2.0-rc1/', '/tool-1.10/', '/tool-1.9/', '/tool-1.0/']);
  });

  it('says that the version has no such page, and leads to its front page and to the latest version', () => {
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

  it('leads to the projects whose names are close', () => {
    const html = pages.missing({
      missing: { what: 'project' },
      suggestions: { projects: [project], page: '' },
    });
    assert.match(words(html), /Did you mean T The Tool tool Latest: 1\.10/);
    assert.ok(attributes(html, 'href').includes('/tool-latest/'));
    assert.ok(attributes(html, 'href').includes('/-/projects/tool'));
  });

  it('leads to the page in the latest version, to the nearest one here, and looks for it in all others', () => {
    const version = makeVersion('tool', '1.9');
    const html = pages.missing({
      missing: { what: 'page', project, version },
      suggestions: {
        projects: [],
        page: 'guide/new%20page.html',
        nearest: { version, to: '/tool-1.9/guide/', isSame: false },
        inLatest: { version: project.latest, to: '/tool-latest/guide/new%20page.html', isSame: true },
      },
    });
    const hrefs = attributes(html, 'href');
    assert.match(words(html), /The nearest page that it has guide\/ This page in the latest version, 1\.10/);
    assert.ok(hrefs.includes('/tool-1.9/guide/'));
    assert.ok(hrefs.includes('/tool-latest/guide/new%20page.html'));
    assert.ok(hrefs.includes('/-/go/tool-1.0/guide/new%20page.html'));
    assert.ok(!hrefs.includes('/-/go/tool-1.9/guide/new%20page.html'));
  });

  it('speaks of other versions only where there are any', () => {
    const only = makeProject('solo', ['1.0']);
    const html = pages.missing({
      missing: { what: 'page', project: only, version: only.latest },
      suggestions: { projects: [], page: 'guide.html' },
    });
    assert.doesNotMatch(words(html), /another version/);
  });
});
