import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { HtmlPages, publicDirectory } from '../../src/adapters/web/index.js';
import { attributes, indexOf, project } from './samples.js';

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
});
