import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { HtmlPages, publicDirectory } from '../../src/adapters/web/index.js';
import { attributes, indexOf, makeProject, pages, project } from './samples.js';

const site = { version: '1', uploads: false, uploadPage: false };
const index = (made: HtmlPages) => made.index(indexOf({ projects: [project], search: '' }));

describe('The preview of a link to a page', () => {
  it('has an image, at an absolute address, where the public address is known', () => {
    const made = new HtmlPages({ ...site, origin: 'https://docs.example.org' }, (path) => `/docs${path}`);
    assert.ok(
      attributes(index(made), 'content').includes('https://docs.example.org/docs/-/assets/lectern.png'),
    );
    assert.ok(existsSync(join(publicDirectory, '-/assets/lectern.png')));
  });

  it('has no image elsewhere', () => {
    assert.doesNotMatch(index(new HtmlPages(site)), /og:image/);
  });

  it('describes a project by its own summary, else by its versions', () => {
    const descriptionOf = (of: typeof project) => {
      const html = pages.project({
        project: of,
        previews: [],
        diskUse: { versions: 0, previews: 0, removed: 0 },
        retention: { rules: {}, plan: [] },
        address: undefined,
      });
      const [, description] = /<meta property="og:description" content="([^"]*)"/.exec(html) ?? [];
      return description;
    };
    assert.equal(descriptionOf(makeProject('tool', ['1.0'], { description: 'Turns wood.' })), 'Turns wood.');
    assert.equal(
      descriptionOf(makeProject('tool', ['1.0', '2.0'], { name: 'The Tool' })),
      'The Tool documentation, 2 versions, latest 2.0',
    );
  });
});
