import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closestPages, PageAddress } from '../../src/domain/index.js';

const FILES = [
  '404.html',
  'index.html',
  'api/config.html',
  'guide/config/index.html',
  'guide/install.html',
  'guide/quickstart.html',
  'quickstart.txt',
  'tutorial/deploy.html',
];

const MEANT: readonly (readonly [wanted: string, pages: readonly string[]])[] = [
  ['guide/quickstrat.html', ['guide/quickstart.html']],
  ['guide/quickstrat/', ['guide/quickstart.html']],
  ['quickstart', ['guide/quickstart.html']],
  ['old/place/deploy.html', ['tutorial/deploy.html']],
  ['guide/v2/config.html', ['guide/config/index.html', 'api/config.html']],
  ['GUIDE/INSTALL', ['guide/install.html']],
  ['guide/install.css', []],
  ['wp-login.php', []],
  ['zebra', []],
  ['', []],
];

describe('The pages closest to a missing one', () => {
  for (const [wanted, pages] of MEANT) {
    it(`'${wanted}' are ${pages.length === 0 ? 'none' : pages.join(' and ')}`, () =>
      assert.deepEqual(closestPages(PageAddress.fromUrl(wanted) ?? assert.fail(), FILES), pages));
  }

  it('are no more than were asked for', () => {
    const many = Array.from({ length: 50 }, (_, index) => `part-${index}/guide.html`);
    assert.equal(closestPages(PageAddress.fromUrl('guide') ?? assert.fail(), many).length, 3);
  });
});
