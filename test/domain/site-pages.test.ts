import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closestPages, PageAddress, SitePages } from '../../src/domain/index.js';

const FILES = [
  '404.html',
  'index.html',
  'api/config.html',
  'guide/config/index.html',
  'guide/install.html',
  'guide/quickstart.html',
  'quickstart.txt',
  'tutorial/deploy.html',
  'tutorial/scaling.xhtml',
];

const MEANT: readonly (readonly [wanted: string, pages: readonly string[]])[] = [
  ['guide/quickstrat.html', ['guide/quickstart.html']],
  ['guide/quickstrat/', ['guide/quickstart.html']],
  ['quickstart', ['guide/quickstart.html']],
  ['old/place/deploy.html', ['tutorial/deploy.html']],
  ['guide/v2/config.html', ['guide/config/index.html', 'api/config.html']],
  ['GUIDE/INSTALL', ['guide/install.html']],
  ['old/scaling.xhtml', ['tutorial/scaling.xhtml']],
  ['tutorial/scalling.xhtml', ['tutorial/scaling.xhtml']],
  ['guide/install.css', []],
  ['wp-login.php', []],
  ['instal', ['guide/install.html']],
  ['giude/instal.html', ['guide/install.html']],
  ['zebra', []],
  ['', []],
];

function stepsTo(wanted: string, files: readonly string[]): readonly (readonly string[])[] {
  const pages = new SitePages();
  for (const file of files) pages.add(file);
  return [...closestPages(PageAddress.fromUrl(wanted) ?? assert.fail(), pages)];
}

function closestTo(wanted: string, files: readonly string[]): readonly string[] {
  return stepsTo(wanted, files).at(-1) ?? [];
}

describe('The pages closest to a missing one', () => {
  for (const [wanted, pages] of MEANT) {
    it(`are ${pages.length === 0 ? 'none' : pages.join(' and ')} for '${wanted}'`, () =>
      assert.deepEqual(closestTo(wanted, FILES), pages));
  }

  it('respect the requested maximum', () => {
    const many = Array.from({ length: 50 }, (_, index) => `part-${index}/guide.html`);
    assert.equal(closestTo('guide', many).length, 3);
  });

  it('are found in time linear in the names of the same directory, however many pages exist', () => {
    const elsewhere = Array.from({ length: 10_000 }, (_, index) => `part-${index % 100}/page-${index}.html`);
    assert.deepEqual(stepsTo('guide/quickstrat', [...elsewhere, ...FILES]), [['guide/quickstart.html']]);
  });

  it('are computed in parts, each of which compares few names', () => {
    const many = Array.from(
      { length: 10_000 },
      (_, index) => `${'a'.repeat(200)}/${'b'.repeat(60)}${index}.html`,
    );
    const steps = stepsTo(`${'a'.repeat(200)}/${'b'.repeat(60)}x`, many);
    assert.equal(steps.length, 200);
    for (const step of steps) assert.equal(step.length, 3);
    const sameNames = Array.from({ length: 10_000 }, (_, index) => `part-${index}/guide.html`);
    assert.ok(stepsTo('old/guide', sameNames).length >= 200);
  });
});
