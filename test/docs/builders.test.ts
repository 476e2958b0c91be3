import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SITES } from '../support/builders/sites.js';
import { VERSIONS } from '../support/builders/versions.js';
import { document, tableOf } from './markdown.js';

/** The builders in the last cell of a row: `Astro 7.3.5, Starlight 0.42.4`. */
const namesIn = (tried: string) => tried.split(', ');

describe('The table of builders in docs/builders.md', () => {
  it('names the versions that are built and opened in a browser, and no others', async () => {
    const rows = tableOf(
      await document('docs/builders.md'),
      'Builder',
      'Links',
      'Without hosts of projects',
      'Tried',
    );
    const named = rows.flatMap((row) => namesIn(row.at(-1) ?? ''));
    // VitePress is in a table of its own: sites with a router are opened at more addresses.
    const tried = [...SITES.flatMap((site) => namesIn(site.tried)), `VitePress ${VERSIONS.vitepress}`];
    assert.deepEqual(named.toSorted(), [...new Set(tried)].sort());
  });
});
