import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attributes, makeProject, makeVersion, pages, words } from './samples.js';

const project = makeProject('tool', ['1.0', '1.10', '1.9', '2.0-rc1'], { name: 'The Tool' });

describe('The page for what is missing', () => {
  it('says that there is no such project, and leads to all of them', () => {
    const html = pages.missing({ missing: { what: 'project' } });
    assert.match(words(html), /404 No such project/);
    assert.ok(attributes(html, 'href').includes('/'));
  });

  it('says that the project has no such version, and leads to those it has, newest first', () => {
    const html = pages.missing({ missing: { what: 'version', project } });
    assert.match(words(html), /404 No such version The Tool is here/);
    const hrefs = attributes(html, 'href').filter((to) => /^\/tool-.*\/$/.test(to));
    assert.deepEqual(hrefs, ['/tool-latest/', '/tool-2.0-rc1/', '/tool-1.10/', '/tool-1.9/', '/tool-1.0/']);
  });

  it('says that the version has no such page, and leads to its front page and to the latest version', () => {
    const version = makeVersion('tool', '1.9');
    const html = pages.missing({ missing: { what: 'page', project, version } });
    assert.match(words(html), /404 No such page The Tool 1\.9 is here/);
    const hrefs = attributes(html, 'href').filter((to) => /^\/tool-.*\/$/.test(to));
    assert.deepEqual(hrefs.slice(0, 2), ['/tool-1.9/', '/tool-latest/']);
  });

  it('does not offer the latest version twice', () => {
    const html = pages.missing({ missing: { what: 'page', project, version: makeVersion('tool', '1.10') } });
    assert.ok(!attributes(html, 'href').includes('/tool-latest/'));
  });
});
